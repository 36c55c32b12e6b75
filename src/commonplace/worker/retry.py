"""When to retry failed work, and when to give up."""

from __future__ import annotations

from datetime import datetime, timedelta

MOST_ATTEMPTS = 5
MAX_CRASHES = 3
SET_ASIDE = (
    f"Work on this ended the worker {MAX_CRASHES} times; it is set aside until somebody asks for "
    "it again (`commonplace retry`)."
)
_LONGEST_PAUSE = 300.0


def pause_seconds(failures: int) -> float:
    """The pause doubles from one second up to five minutes."""
    return min(_LONGEST_PAUSE, 2.0 ** min(failures, 16))


def next_attempt(now: datetime, failed_before: int) -> datetime | None:
    """When to retry after another failure; None means give up."""
    if failed_before + 1 >= MOST_ATTEMPTS:
        return None
    return now + timedelta(seconds=pause_seconds(failed_before + 1))


def keeps_crashing(begun: int, error: str | None) -> bool:
    """Whether so many attempts died without reporting an error that the work is set aside."""
    return begun >= (MOST_ATTEMPTS if error else MAX_CRASHES)
