"""What a clock that was set back means for work that waits; knows nothing of the work itself."""

from __future__ import annotations

from datetime import datetime, timedelta

# Nothing is ever planned further ahead than this, so whatever is was planned by another clock.
LONGEST_WAIT = timedelta(hours=1)
_SLACK = timedelta(minutes=1)


def set_back(before: datetime, now: datetime) -> bool:
    """Whether the clock went back by more than clocks are corrected by."""
    return now < before - _SLACK


def latest_plan(now: datetime) -> datetime:
    """What waits for a later time than this has lost its clock."""
    return now + LONGEST_WAIT + _SLACK
