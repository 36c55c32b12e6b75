"""Parses times as people write them: an instant, a date, or a span such as `7d`. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from commonplace.model.moment import SPANS, span_of

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]|$)")
ALLOWED = f"must be a time such as 2030-01-31 or a span such as {SPANS}"


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
