"""Browsers that came with a link, of `serve` or of `commonplace login`: a cookie goes on.

Sessions live in this process only: a restart ends them.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable

SESSION_SECONDS = 7 * 24 * 3600.0
_MOST_SESSIONS = 100


class LinkSessions:
    """A link works once; then as many requests as the cookie is good for."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._code: str | None = secrets.token_urlsafe(32)
        self._sessions: dict[str, float] = {}

    @property
    def path(self) -> str | None:
        """Where the link leads; None when it was used."""
        return f"/login?code={self._code}" if self._code else None

    def redeem(self, code: str) -> str | None:
        """The id of a new session, for whoever comes first with the right code."""
        with self._lock:
            if self._code is None or not hmac.compare_digest(code.encode(), self._code.encode()):
                return None
            self._code = None
        return self.open()

    def open(self) -> str:
        """The id of a new session; of very many, the oldest ends."""
        id, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions[id] = now + SESSION_SECONDS
            for oldest in list(self._sessions)[:-_MOST_SESSIONS]:
                del self._sessions[oldest]
        return id

    def is_open(self, id: str) -> bool:
        """Ids are 256 random bits: how long looking one up takes tells nothing about others."""
        with self._lock:
            return self._sessions.get(id, 0.0) > self._clock()

    def close(self, id: str) -> None:
        """End a session; whoever kept its cookie has nothing in hand."""
        with self._lock:
            self._sessions.pop(id, None)
