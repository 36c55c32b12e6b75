"""When to try again, and when to give up."""

from __future__ import annotations

from datetime import datetime, timedelta

MOST_ATTEMPTS = 5
MOST_DEATHS = 3
SET_ASIDE = (
    f"Work on this ended the worker {MOST_DEATHS} times; it is set aside until somebody asks for "
    "it again (`commonplace retry`)."
)
_LONGEST_PAUSE = 300.0


def pause_seconds(failures: int) -> float:
    """Doubling from one second to five minutes."""
    return min(_LONGEST_PAUSE, 2.0 ** min(failures, 16))


def next_attempt(now: datetime, failed_before: int) -> datetime | None:
    """When to try again after one more failure; None means: give up."""
    if failed_before + 1 >= MOST_ATTEMPTS:
        return None
    return now + timedelta(seconds=pause_seconds(failed_before + 1))


def is_deadly(begun: int, error: str | None) -> bool:
    """Whether attempts that never ended, of which nobody could tell, are enough to set it aside."""
    return begun >= (MOST_ATTEMPTS if error else MOST_DEATHS)
