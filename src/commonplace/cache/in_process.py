"""A bounded cache inside one process.

Times are whole nanoseconds: fractions of a second would round, and a full burst of calls would
occasionally be refused for a wait of almost zero.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from commonplace.model.access import Rate

MOST_KEYS = 10_000
NANOS = 1_000_000_000


class InProcessCache:
    """Implements port.SharedCache; evicts what was used longest ago."""

    is_local = True

    def __init__(
        self, clock: Callable[[], int] = time.monotonic_ns, most_keys: int = MOST_KEYS
    ) -> None:
        self._clock = clock
        self._most_keys = most_keys
        self._lock = threading.Lock()
        self._values: OrderedDict[str, tuple[bytes, int]] = OrderedDict()
        self._full_at: OrderedDict[str, int] = OrderedDict()

    def get(self, key: str) -> bytes | None:
        with self._lock:
            value, until = self._values.get(key, (None, 0))
            if value is None or until > self._clock():
                return value
            del self._values[key]
            return None

    def put(self, key: str, value: bytes, seconds: float) -> None:
        with self._lock:
            self._values[key] = (value, self._clock() + round(seconds * NANOS))
            self._values.move_to_end(key)
            if len(self._values) > self._most_keys:
                self._values.popitem(last=False)

    def drop(self, key: str) -> None:
        with self._lock:
            self._values.pop(key, None)

    def take(self, key: str, rate: Rate, amount: int) -> float:
        """Only the time at which the bucket will be full again is stored; the rest follows from
        it."""
        with self._lock:
            now = self._clock()
            wait, full_at = gcra_take(now, self._full_at.get(key, now), rate, amount)
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


def gcra_take(now: int, full_at: int, rate: Rate, amount: int) -> tuple[float, int]:
    """The generic cell rate algorithm (GCRA), in nanoseconds: the seconds to wait, and when the
    bucket will be full again if there is no wait."""
    if amount > rate.size:
        return math.inf, full_at
    window = round(rate.seconds * NANOS)
    after = max(now, full_at) + window * amount // rate.size
    return max(0, after - now - window) / NANOS, after
