"""Times and spans as people write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from commonplace.memory.times import readable, time_ago, time_ahead

NOW = datetime(2030, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("30min", timedelta(minutes=30)),
        ("12h", timedelta(hours=12)),
        ("7d", timedelta(days=7)),
        ("7 days", timedelta(days=7)),
        ("2W", timedelta(weeks=2)),
        ("3 months", timedelta(days=90)),
        ("2mo", timedelta(days=60)),
        ("8hrs", timedelta(hours=8)),
        ("1y", timedelta(days=365)),
    ],
)
def test_spans_count_from_now(text: str, after: timedelta) -> None:
    assert time_ahead(readable(text), NOW) == NOW + after
    assert time_ago(text, NOW) == NOW - after


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2030-02-01", datetime(2030, 2, 1, tzinfo=UTC)),
        ("2030-02-01T10:00:00Z", datetime(2030, 2, 1, 10, tzinfo=UTC)),
        ("2030-02-01T10:00:00+02:00", datetime(2030, 2, 1, 8, tzinfo=UTC)),
    ],
)
def test_instants_are_read_with_their_offset(text: str, meant: datetime) -> None:
    assert time_ahead(readable(text), NOW) == meant


@pytest.mark.parametrize(
    "text",
    [
        "", "soon", "7", "d7", "2030", "20300201", "2030-13-01", "-7d", "99999y", "3m", "1 decade",
        "2 hundred", "5 moments",
    ],
)  # fmt: skip
def test_anything_else_is_refused_with_what_is_allowed(text: str) -> None:
    with pytest.raises(ValueError, match="7d"):
        readable(text)
