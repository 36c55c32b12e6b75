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
_UNITS = {
    "min mins minute minutes": timedelta(minutes=1),
    "h hr hrs hour hours": timedelta(hours=1),
    "d day days": timedelta(days=1),
    "w wk wks week weeks": timedelta(weeks=1),
    "mo mos mon month months": timedelta(days=30),
    "y yr yrs year years": timedelta(days=365),
}
_UNIT = {name: length for names, length in _UNITS.items() for name in names.split()}
_SPAN = re.compile(rf"(\d{{1,5}})\s*({'|'.join(_UNIT)})", re.IGNORECASE | re.ASCII)
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
    span = int(found[1]) * _UNIT[found[2].lower()] if found else None
    return span if span is not None and span <= _LONGEST else None
