"""Browser sessions opened by a login link, from `serve` or `commonplace login`.

Sessions exist only in this process: a restart ends them.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable

SESSION_SECONDS = 7 * 24 * 3600.0
_MAX_SESSIONS = 100


class LinkSessions:
    """One login link, which works once, and the sessions that links have opened."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._code: str | None = secrets.token_urlsafe(32)
        self._sessions: dict[str, float] = {}

    @property
    def path(self) -> str | None:
        """The path of the link; None once it has been used."""
        return f"/login?code={self._code}" if self._code else None

    def redeem(self, code: str) -> str | None:
        """The id of a new session for the first caller with the right code, else None."""
        with self._lock:
            if self._code is None or not hmac.compare_digest(code.encode(), self._code.encode()):
                return None
            self._code = None
        return self.open()

    def open(self) -> str:
        """The id of a new session; the oldest ends if there are too many."""
        id, now = secrets.token_urlsafe(32), self._clock()
        with self._lock:
            self._sessions[id] = now + SESSION_SECONDS
            for oldest in list(self._sessions)[:-_MAX_SESSIONS]:
                del self._sessions[oldest]
        return id

    def is_open(self, id: str) -> bool:
        """Whether a session is open. Ids are 256 random bits, so timing reveals nothing useful."""
        with self._lock:
            return self._sessions.get(id, 0.0) > self._clock()

    def close(self, id: str) -> None:
        """End a session; its cookie is worthless from then on."""
        with self._lock:
            self._sessions.pop(id, None)
