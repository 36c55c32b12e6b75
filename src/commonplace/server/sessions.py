"""The browser that came with the link which `serve` prints: redeemed once, a cookie goes on.

The session lives in this process only: a restart ends it, and prints a new link.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable

SESSION_SECONDS = 7 * 24 * 3600.0


class LinkSessions:
    """One link, which works once; then as many requests as the cookie is good for."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._code: str | None = secrets.token_urlsafe(32)
        self._session = ("", 0.0)

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
            self._session = (id, self._clock() + SESSION_SECONDS)
            return id

    def is_open(self, id: str) -> bool:
        with self._lock:
            opened, until = self._session
        return hmac.compare_digest(id.encode(), opened.encode()) and until > self._clock()
