"""Which places a question shows, in which groups, and how the others are counted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.codegraph.answering.answer import PlaceRole, Sighting
from commonplace.codegraph.answering.question import Intent
from commonplace.workspace.search.grouping import GroupCount, ShownLimits, grouped, order_for

MANY = ShownLimits(50)


def place(role: PlaceRole, line: int = 1, *, call: bool = False) -> Sighting:
    return Sighting(role, 1, 1, "a.ts", "ts", line, line, call=call)


def test_a_definition_comes_with_its_tests_and_the_rest_is_counted() -> None:
    places = [
        place(PlaceRole.REFERENCE),
        place(PlaceRole.TEST),
        place(PlaceRole.DEFINITION),
        place(PlaceRole.RELATED),
    ]
    groups = grouped(places, Intent.DEFINITION, MANY, resolved=True)
    assert list(groups.shown) == [PlaceRole.DEFINITION, PlaceRole.TEST]
    assert groups.order == (
        PlaceRole.DEFINITION,
        PlaceRole.RELATED,
        PlaceRole.DOC,
        PlaceRole.TEST,
        PlaceRole.REFERENCE,
        PlaceRole.IMPORT,
        PlaceRole.EXPORT,
        PlaceRole.UNKNOWN,
    )
    assert groups.counts[PlaceRole.DEFINITION] == GroupCount(1, 1, 0)
    assert groups.counts[PlaceRole.REFERENCE] == GroupCount(1, 0, 1)
    assert groups.counts[PlaceRole.IMPORT] == GroupCount()


def test_what_a_limit_cuts_is_omitted_but_not_excluded() -> None:
    places = [place(PlaceRole.REFERENCE, line) for line in range(1, 6)]
    by_total = grouped(places, Intent.REFERENCE, ShownLimits(2), resolved=True)
    by_group = grouped(places, Intent.REFERENCE, ShownLimits(50, 1), resolved=True)
    assert [one.line_start for one in by_total.shown[PlaceRole.REFERENCE]] == [1, 2]
    assert by_total.counts[PlaceRole.REFERENCE] == GroupCount(5, 2, 0)
    assert by_total.counts[PlaceRole.REFERENCE].omitted == 3
    assert by_group.counts[PlaceRole.REFERENCE] == GroupCount(5, 1, 0)


def test_callers_are_references_that_call() -> None:
    places = [
        place(PlaceRole.REFERENCE, 1),
        place(PlaceRole.REFERENCE, 2, call=True),
        place(PlaceRole.IMPORT),
    ]
    groups = grouped(places, Intent.CALLER, MANY, resolved=True)
    assert [one.line_start for one in groups.shown[PlaceRole.REFERENCE]] == [2]
    assert groups.counts[PlaceRole.REFERENCE] == GroupCount(2, 1, 1)
    assert groups.counts[PlaceRole.IMPORT] == GroupCount(1, 0, 1)


@pytest.mark.parametrize(("intent", "shown"), [(Intent.UNKNOWN, 3), (Intent.TEST, 2)])
def test_what_retrieval_found_keeps_its_order_and_shows_what_is_related(
    intent: Intent, shown: int
) -> None:
    places = [place(PlaceRole.RELATED), place(PlaceRole.TEST), place(PlaceRole.REFERENCE)]
    groups = grouped(places, intent, ShownLimits(50), resolved=False)
    assert sum(map(len, groups.shown.values())) == shown
    assert list(grouped(places, intent, ShownLimits(1), resolved=False).shown) == [
        PlaceRole.RELATED
    ]


@pytest.mark.parametrize("intent", list(Intent))
def test_every_role_has_its_place_in_the_order_once(intent: Intent) -> None:
    assert sorted(order_for(intent)) == sorted(PlaceRole)


@given(
    st.lists(st.builds(place, st.sampled_from(PlaceRole), st.just(1), call=st.booleans())),
    st.sampled_from(Intent),
    st.integers(1, 9),
    st.booleans(),
)
def test_counts_add_up(places: list[Sighting], intent: Intent, most: int, resolved: bool) -> None:
    groups = grouped(places, intent, ShownLimits(most, 3), resolved=resolved)
    assert sum(count.total for count in groups.counts.values()) == len(places)
    assert sum(map(len, groups.shown.values())) <= most
    for role, count in groups.counts.items():
        assert count.returned == len(groups.shown.get(role, ())) <= 3
        assert 0 <= count.intent_excluded <= count.omitted
