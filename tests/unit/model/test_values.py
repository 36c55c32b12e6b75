"""Times, images of entries, and when an entry is current."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.model.actor import ALL_SCOPES, Actor, Scope, upkeep_actor
from commonplace.model.entry import Entry, Place, Visibility
from commonplace.model.image import content_of_image, image_of
from commonplace.model.quota import quota_reset
from commonplace.model.times import from_micros, to_micros
from tests.unit.knowledge.samples import NOW, entry


@given(st.datetimes(timezones=st.just(UTC)))
def test_times_are_stored_exactly(time: datetime) -> None:
    assert from_micros(to_micros(time)) == time


def test_a_time_is_stored_alike_in_every_zone() -> None:
    tokyo = datetime(2030, 1, 1, 9, tzinfo=timezone(timedelta(hours=9)))
    assert to_micros(tokyo) == to_micros(datetime(2030, 1, 1, tzinfo=UTC))


def test_no_time_stays_none() -> None:
    assert (to_micros(None), from_micros(None)) == (None, None)


def test_an_image_gives_the_content_back() -> None:
    written = entry(
        1,
        title="Títle",
        tags=("a", "b"),
        visibility=Visibility.PRIVATE,
        place=Place("ws", None, "pr"),
        confidence=0.25,
        expires_at=NOW,
    )
    assert content_of_image(image_of(written)) == written.content


@pytest.mark.parametrize(
    ("given_entry", "current"),
    [
        (entry(1), True),
        (entry(1, deleted_at=NOW), False),
        (entry(1, head="e2"), False),
        (entry(1, expires_at=NOW), False),
        (entry(1, expires_at=NOW + timedelta(seconds=1)), True),
    ],
)
def test_what_default_reads_show(given_entry: Entry, current: bool) -> None:
    assert given_entry.is_current(NOW) is current


def test_a_person_at_their_own_machine_may_do_everything() -> None:
    assert Actor("local", "me").scopes == ALL_SCOPES == frozenset(Scope)


def test_background_work_stays_in_its_org() -> None:
    assert upkeep_actor("acme").org == "acme"


@pytest.mark.parametrize(
    ("now", "reset"),
    [
        (datetime(2030, 1, 1, tzinfo=UTC), datetime(2030, 2, 1, tzinfo=UTC)),
        (datetime(2030, 11, 30, 23, 59, tzinfo=UTC), datetime(2030, 12, 1, tzinfo=UTC)),
        (datetime(2030, 12, 31, 23, 59, tzinfo=UTC), datetime(2031, 1, 1, tzinfo=UTC)),
    ],
)
def test_a_quota_is_renewed_with_the_next_month(now: datetime, reset: datetime) -> None:
    assert quota_reset(now) == reset
