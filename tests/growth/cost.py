"""What a piece of work costs, as a multiple of one plain look at each character of its text.

Processor time of this thread, and never how long anybody waited; work without end is broken off.
"""

from __future__ import annotations

import re
import signal
import time
from collections.abc import Callable
from functools import cache
from typing import Any

_MOST_SECONDS = 1.0
_PLAIN = re.compile(r"\w\d\b")


class _Endless(Exception):
    """It took longer than anything linear can."""


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Of the fastest of some tries."""
    return min(_once(work) for _ in range(times))


def _once(work: Callable[[], object]) -> float:
    def give_up(*_: object) -> None:
        raise _Endless

    former = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS)
    started = time.thread_time()
    try:
        work()
    except _Endless:
        return _MOST_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)
    return time.thread_time() - started


@cache
def look() -> float:
    """Seconds for one plain look at one character."""
    text = "a" * 200_000
    return seconds(lambda: _PLAIN.search(text), times=5) / len(text)


def looks(work: Callable[[], object], length: int, times: int = 1) -> float:
    """For each character of a text of that length."""
    return seconds(work, times) / max(1, length) / look()


def uses(pattern: re.Pattern[Any], text: str, *, anchored: bool) -> Callable[[], object]:
    given: Any = text.encode("utf-8", "replace") if isinstance(pattern.pattern, bytes) else text

    def use() -> None:
        if anchored:
            pattern.match(given)
            pattern.fullmatch(given)
        else:
            for _ in pattern.finditer(given):
                pass

    return use
