"""Browsers that came with the link which `serve` prints: once redeemed, a cookie goes on with it.

Sessions live in this process only: a restart ends them all.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable

SESSION_SECONDS = 7 * 24 * 3600.0
_MOST_SESSIONS = 100


class LinkSessions:
    """One link, which works once; then as many requests as the cookie is good for."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._code: str | None = secrets.token_urlsafe(32)
        self._open: dict[str, float] = {}

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
            id = secrets.token_urlsafe(32)
            if len(self._open) < _MOST_SESSIONS:
                self._open[_digest(id)] = self._clock() + SESSION_SECONDS
            return id

    def is_open(self, id: str) -> bool:
        with self._lock:
            return self._open.get(_digest(id), 0.0) > self._clock()


def _digest(id: str) -> str:
    return hashlib.sha256(id.encode()).hexdigest()
