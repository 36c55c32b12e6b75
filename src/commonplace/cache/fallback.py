"""A cache that continues locally while the shared one is unreachable, and returns to it by
itself."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import TypeVar

from commonplace.cache.port import SharedCache
from commonplace.errors import CacheUnavailable
from commonplace.model.access import Rate

_LOG = logging.getLogger("commonplace.cache")
# For this long, no call tries a server that did not answer.
PAUSE_SECONDS = 2.0

Answer = TypeVar("Answer")


class FallbackCache:
    """Implements port.SharedCache; during an outage, shared values are unknown."""

    is_local = False

    def __init__(
        self,
        shared: SharedCache,
        alone: SharedCache,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._shared = shared
        self._alone = alone
        self._clock = clock
        self._lock = threading.Lock()
        self._away_until: float | None = None

    def get(self, key: str) -> bytes | None:
        return self._ask(lambda memory: memory.get(key))

    def put(self, key: str, value: bytes, seconds: float) -> None:
        self._ask(lambda memory: memory.put(key, value, seconds))

    def drop(self, key: str) -> None:
        self._ask(lambda memory: memory.drop(key))

    def take(self, key: str, rate: Rate, amount: int) -> float:
        return self._ask(lambda memory: memory.take(key, rate, amount))

    def close(self) -> None:
        self._shared.close()
        self._alone.close()

    def _ask(self, question: Callable[[SharedCache], Answer]) -> Answer:
        if self._is_down():
            return question(self._alone)
        try:
            answer = question(self._shared)
        except CacheUnavailable as error:
            self._note_absence(error)
            return question(self._alone)
        self._note_presence()
        return answer

    def _is_down(self) -> bool:
        """Whether to use the local cache; after the pause, the first caller tries the server
        again."""
        with self._lock:
            now = self._clock()
            if self._away_until is None:
                return False
            if now < self._away_until:
                return True
            self._away_until = now + PAUSE_SECONDS
            return False

    def _note_absence(self, error: CacheUnavailable) -> None:
        with self._lock:
            first = self._away_until is None
            self._away_until = self._clock() + PAUSE_SECONDS
        if first:
            reason = type(error.__cause__).__name__
            _LOG.warning("shared cache unreachable: counting locally", extra={"reason": reason})

    def _note_presence(self) -> None:
        with self._lock:
            back, self._away_until = self._away_until is not None, None
        if back:
            _LOG.info("shared cache reachable again")
