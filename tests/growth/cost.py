"""What a piece of work costs, as a multiple of one plain look at each character of its text.

Processor time of this thread, and never how long anybody waited; work without end is broken off.
"""

from __future__ import annotations

import gc
import re
import signal
import time
from collections.abc import Callable
from functools import cache
from typing import Any

_MOST_SECONDS = 1.0
_LOOK_AGAIN_SECONDS = 0.1
_PLAIN = re.compile(r"\w\d\b")


class _Endless(Exception):
    """It took longer than anything linear can."""


def seconds(work: Callable[[], object], times: int = 1) -> float:
    """Of the fastest of some tries."""
    return min(_once(work) for _ in range(times))


def _once(work: Callable[[], object]) -> float:
    """The timer counts what every thread does, so the handler asks what this one did."""
    started = time.thread_time()

    def give_up(*_: object) -> None:
        if time.thread_time() - started >= _MOST_SECONDS:
            raise _Endless

    former = signal.signal(signal.SIGVTALRM, give_up)
    gc.disable()  # what other tests have left is not searched for garbage at this work's cost
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, _MOST_SECONDS, _LOOK_AGAIN_SECONDS)
        started = time.thread_time()
        work()
        return time.thread_time() - started
    except _Endless:
        return _MOST_SECONDS
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, former)
        gc.enable()


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
