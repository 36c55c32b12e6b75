"""Times as both databases store them: whole microseconds since 1970, in UTC; and spans as people
write them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# A bare m is no unit, because it could mean minutes or months.
_SPAN = re.compile(r"(\d{1,5})\s*(min|h|d|w|mo|y)[a-z]*", re.IGNORECASE | re.ASCII)
_UNITS = {
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
    "mo": timedelta(days=30),
    "y": timedelta(days=365),
}
# Longer spans would exceed the range of datetime.
_LONGEST = timedelta(days=1000 * 365)
SPANS = "30min, 12h, 7d, 2w, 3months"


def moment(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def to_micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def from_micros(count: int | None) -> datetime | None:
    return None if count is None else moment(count)


def span_of(text: str) -> timedelta | None:
    """The span that a text states, or None if it is none."""
    found = _SPAN.fullmatch(text.strip())
    span = int(found[1]) * _UNITS[found[2].lower()] if found else None
    return span if span is not None and span <= _LONGEST else None
