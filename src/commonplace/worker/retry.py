"""When to try again, and when to give up."""

from __future__ import annotations

from datetime import datetime, timedelta

MOST_ATTEMPTS = 5
_LONGEST_PAUSE = 300.0


def pause_seconds(failures: int) -> float:
    """Doubling from one second to five minutes."""
    return min(_LONGEST_PAUSE, 2.0 ** min(failures, 16))


def next_attempt(now: datetime, failed_before: int) -> datetime | None:
    """When to try again after one more failure; None means: give up."""
    if failed_before + 1 >= MOST_ATTEMPTS:
        return None
    return now + timedelta(seconds=pause_seconds(failed_before + 1))
