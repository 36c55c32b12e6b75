"""The memory of one process: bounded, and nobody else sees it."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from commonplace.model.access import Rate

MOST_KEYS = 10_000


class InProcessMemory:
    """Implements port.SharedMemory; what was used longest ago goes first."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, most_keys: int = MOST_KEYS
    ) -> None:
        self._clock = clock
        self._most_keys = most_keys
        self._lock = threading.Lock()
        self._values: OrderedDict[str, tuple[bytes, float]] = OrderedDict()
        self._full_at: OrderedDict[str, float] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            value, until = self._values.get(key, (None, 0.0))
            if value is None or until > self._clock():
                return value
            del self._values[key]
            return None

    def put(self, key: str, value: bytes, seconds: float) -> None:
        with self._lock:
            self._values[key] = (value, self._clock() + seconds)
            self._values.move_to_end(key)
            if len(self._values) > self._most_keys:
                self._values.popitem(last=False)

    def drop(self, key: str) -> None:
        with self._lock:
            self._values.pop(key, None)

    def take(self, key: str, rate: Rate, amount: int) -> float:
        """Kept is only when the bucket will be full again: everything else follows from it."""
        with self._lock:
            now = self._clock()
            wait, full_at = taken(now, self._full_at.get(key, now), rate, amount)
            if not wait:
                self._full_at[key] = full_at
                self._full_at.move_to_end(key)
                if len(self._full_at) > self._most_keys:
                    self._full_at.popitem(last=False)
            return wait

    def close(self) -> None:
        with self._lock:
            self._values.clear()
            self._full_at.clear()


def taken(now: float, full_at: float, rate: Rate, amount: int) -> tuple[float, float]:
    """How long to wait, and when the bucket is full again if that is not at all."""
    each = rate.seconds / rate.size
    after = max(now, full_at) + each * min(amount, rate.size)
    return max(0.0, after - now - rate.seconds), after
