"""Detects a system clock that was set back, and what that means for planned work."""

from __future__ import annotations

from datetime import datetime, timedelta

# Nothing is ever planned further ahead, so anything later was planned by a wrong clock.
LONGEST_WAIT = timedelta(hours=1)
_SLACK = timedelta(minutes=1)


def set_back(before: datetime, now: datetime) -> bool:
    """Whether the clock went back by more than ordinary corrections do."""
    return now < before - _SLACK


def latest_plan(now: datetime) -> datetime:
    """Work planned for later than this was planned by a wrong clock."""
    return now + LONGEST_WAIT + _SLACK
