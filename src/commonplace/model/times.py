"""Times as both databases store them (whole microseconds since 1970, in UTC), and as people write
them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import overload

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
# A bare m is no unit, because it could mean minutes or months.
_UNITS = {
    "min mins minute minutes": timedelta(minutes=1),
    "h hr hrs hour hours": timedelta(hours=1),
    "d day days": timedelta(days=1),
    "w wk wks week weeks": timedelta(weeks=1),
    "mo mos mon month months": timedelta(days=30),
    "y yr yrs year years": timedelta(days=365),
}
_UNIT = {name: length for names, length in _UNITS.items() for name in names.split()}
# Python also reads forms such as 20300131 and 2030-W05, which are more likely other things.
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(?:[T ]|$)")
_SPAN = re.compile(rf"(\d{{1,5}})\s*({'|'.join(_UNIT)})", re.IGNORECASE | re.ASCII)
# Longer spans would exceed the range of datetime.
_LONGEST = timedelta(days=1000 * 365)
SPANS = "30min, 12h, 7d, 2w, 3months"


@overload
def to_micros(time: datetime) -> int: ...
@overload
def to_micros(time: None) -> None: ...
def to_micros(time: datetime | None) -> int | None:
    return None if time is None else (time - _EPOCH) // _MICROSECOND


@overload
def from_micros(count: int) -> datetime: ...
@overload
def from_micros(count: None) -> None: ...
def from_micros(count: int | None) -> datetime | None:
    return None if count is None else _EPOCH + count * _MICROSECOND


def instant_of(text: str) -> datetime | None:
    """The time that a text states in ISO 8601, or None if it states none.

    Without an offset it is UTC; a date means its first moment.
    """
    try:
        time = datetime.fromisoformat(text if _DATE.match(text) else "")
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def span_of(text: str) -> timedelta | None:
    """The span that a text states, or None if it is none."""
    found = _SPAN.fullmatch(text.strip())
    span = int(found[1]) * _UNIT[found[2].lower()] if found else None
    return span if span is not None and span <= _LONGEST else None
