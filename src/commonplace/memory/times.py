"""Parses times as people write them: an instant, a date, or a span such as `7d`. Pure."""

from __future__ import annotations

from datetime import datetime, timedelta

from commonplace.model.times import SPANS, instant_of, span_of

ALLOWED = f"must be a time such as 2030-01-31 or a span such as {SPANS}"


def is_time(text: str) -> bool:
    """Whether a text is a time or a span."""
    return span_of(text) is not None or instant_of(text.strip()) is not None


def time_of(text: str) -> datetime | timedelta:
    """The time or the span that a text states; it must be one."""
    span = span_of(text)
    found = span if span is not None else instant_of(text.strip())
    assert found is not None, "`readable` has passed it"
    return found


def readable(text: str) -> str:
    """Validate that a text is a time or a span; otherwise raise ValueError with what is allowed."""
    if not is_time(text):
        raise ValueError(ALLOWED)
    return text


def time_ahead(text: str, now: datetime) -> datetime:
    """The time that a text states; a span counts forward from now."""
    parsed = time_of(text)
    return now + parsed if isinstance(parsed, timedelta) else parsed


def time_ago(text: str, now: datetime) -> datetime:
    """The time that a text states; a span counts backward from now."""
    parsed = time_of(text)
    return now - parsed if isinstance(parsed, timedelta) else parsed
