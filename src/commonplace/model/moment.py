"""Times as both databases store them: whole microseconds since 1970, in UTC."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def moment(micros: int) -> datetime:
    return _EPOCH + micros * _MICROSECOND


def micros(moment: datetime) -> int:
    return (moment - _EPOCH) // _MICROSECOND


def to_micros(moment: datetime | None) -> int | None:
    return None if moment is None else micros(moment)


def from_micros(count: int | None) -> datetime | None:
    return None if count is None else moment(count)
