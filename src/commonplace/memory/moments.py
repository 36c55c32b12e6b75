"""Parses times as people write them: an instant, a date, or a span such as `7d`. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]|$)")
_SPAN = re.compile(r"(\d{1,5})\s*(min|h|d|w|m|y)[a-z]*", re.IGNORECASE)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "m": timedelta(days=30),
    "y": timedelta(days=365),
}
# Longer spans would exceed the range of datetime.
_LONGEST = timedelta(days=1000 * 365)
ALLOWED = "must be a time such as 2030-01-31 or a span such as 30min, 12h, 7d, 2w, 3m"


def span_of(text: str) -> timedelta | None:
    """The span that a text states, or None if it is none."""
    found = _SPAN.fullmatch(text.strip())
    span = int(found[1]) * _UNITS[found[2].lower()] if found else None
    return span if span is not None and span <= _LONGEST else None


def instant_of(text: str) -> datetime | None:
    """The moment that a text states, in UTC; without an offset it is UTC, and a date means its
    start. None if it is no moment."""
    try:
        moment = datetime.fromisoformat(text.strip() if _DATE.match(text.strip()) else "")
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def time_of(text: str) -> datetime | timedelta:
    """The moment or the span that a text names."""
    span = span_of(text)
    found = span if span is not None else instant_of(text)
    assert found is not None, "`readable` has passed it"
    return found


def readable(text: str) -> str:
    """Validate that a text is a time or a span; otherwise raise ValueError with what is allowed."""
    if span_of(text) is None and instant_of(text) is None:
        raise ValueError(ALLOWED)
    return text


def moment_in(text: str, now: datetime) -> datetime:
    """The moment that a text names, a span counted forward from now."""
    parsed = time_of(text)
    return now + parsed if isinstance(parsed, timedelta) else parsed


def moment_ago(text: str, now: datetime) -> datetime:
    """The moment that a text names, a span counted backward from now."""
    parsed = time_of(text)
    return now - parsed if isinstance(parsed, timedelta) else parsed
