"""Every argument of search_knowledge: bounds, defaults, types, and what each filters."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE, SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import SEARCH, found, refuse, search, store, stored_id, supersede

SIXTEEN = [f"tag-{number}" for number in range(16)]


@pytest.mark.requirement(
    "notes.search.query-required", "notes.search.query-type", "notes.search.query-length"
)
@ONE_STORE
def test_a_search_needs_a_query(alice: Caller) -> None:
    refuse(alice, SEARCH, "query")
    wrong: list[Any] = [7, None, True, ["text"], {"q": "text"}, "", " \n", "x" * 2001, "a\0b"]
    for query in wrong:
        refuse(alice, SEARCH, "query", query=query)


@pytest.mark.requirement("notes.search.query-length")
@pytest.mark.parametrize("query", ["x", "y" * 2000, "漢" * 2000, "many words " * 181 + "at last"])
def test_queries_of_every_allowed_length_are_answered(alice: Caller, query: str) -> None:
    assert len(query) in {1, 1998, 2000}
    id = stored_id(alice, body=query)
    assert id in found(alice, query)


@pytest.mark.requirement(
    "notes.search.limit-default",
    "notes.search.limit-bounds",
    "notes.search.limit-honoured",
    "notes.search.output-count",
)
def test_exactly_as_many_hits_as_wanted(alice: Caller) -> None:
    ids = {stored_id(alice, title=f"Note {number}", body="common ground") for number in range(51)}
    wanted = {None: 10, 1: 1, 10: 10, 50: 50, 7.0: 7}
    for limit, expected in wanted.items():
        given = {} if limit is None else {"limit": limit}
        answer = alice.call(SEARCH, query="ground", **given)
        assert answer["count"] == len(answer["hits"]) == expected
        assert {hit["id"] for hit in answer["hits"]} <= ids


@pytest.mark.requirement(
    "notes.search.limit-bounds",
    "notes.search.limit-type",
    "notes.search.min-score-bounds",
    "notes.search.min-score-type",
    "notes.search.ef-search-bounds",
    "notes.search.ef-search-type",
    "notes.search.flags-type",
    "notes.search.tags-type",
    "notes.search.tags-count",
)
@pytest.mark.parametrize(
    ("argument", "wrong"),
    [
        ("limit", [0, 51, -1, 2.5, "ten", "10", [10], True]),
        ("minScore", [-0.01, 1.01, "0.5", "high", [0.5], True]),
        ("efSearch", [0, 201, -1, 63.5, "64", "wide", [64], True]),
        ("includeSuperseded", [[], "maybe", "true", 1, 0]),
        ("includeExpired", [[True], "maybe", "false", 1, {}]),
        ("tags", ["api", [7], ["api", None], {"api": 1}, 7, [*SIXTEEN, "one-more"], ["a\0b"]]),
        ("offset", [0]),
    ],
)
@ONE_STORE
def test_wrong_values_are_refused_by_name(alice: Caller, argument: str, wrong: list[Any]) -> None:
    for value in wrong:
        refuse(alice, SEARCH, argument, query="anything", **{argument: value})


@pytest.mark.requirement(
    "notes.search.limit-bounds",
    "notes.search.min-score-bounds",
    "notes.search.ef-search-bounds",
    "notes.search.ef-search-same-shape",
)
@pytest.mark.parametrize(
    ("argument", "values"),
    [("limit", [1, 50]), ("minScore", [0, 1, 0.25]), ("efSearch", [1, 2, 64, 199, 200])],
)
def test_values_at_the_bounds_are_taken(
    premises: Premises, alice: Caller, argument: str, values: list[float]
) -> None:
    id = stored_id(alice, title="Edge", body=f"edge {near(90)}")
    premises.embed()
    for value in values:
        answer = alice.call(SEARCH, query="edge", **{argument: value})
        assert answer.keys() == {"hits", "count", "mode", "pending", "notices"}
        assert [(hit["id"], hit["score"]) for hit in answer["hits"]] == [(id, 1.0)]


@pytest.mark.requirement(
    "notes.search.tags-optional", "notes.search.tags-filter", "notes.search.tags-all"
)
def test_entries_must_carry_all_given_tags(premises: Premises, alice: Caller) -> None:
    tagged = {
        name: stored_id(alice, title=f"Signal {name}", body=near(90), tags=tags)
        for name, tags in {
            "": [],
            "a": ["a"],
            "b": ["b"],
            "ab": ["a", "b"],
            "abc": ["a", "b", "c"],
        }.items()
    }
    premises.embed()

    def names(**given: Any) -> set[str]:
        ids = found(alice, "signal", **given)
        return {name for name, id in tagged.items() if id in ids}

    assert names() == names(tags=[]) == set(tagged)
    assert names(tags=["a"]) == {"a", "ab", "abc"}
    assert names(tags=["b", "a"]) == names(tags=["a", "b", "a"]) == {"ab", "abc"}
    assert names(tags=["a", "b", "c"]) == {"abc"}
    assert names(tags=["a", "d"]) == set()


@pytest.mark.requirement("notes.search.tags-lowercased", "notes.search.tags-count")
def test_tags_are_lower_cased_before_they_are_compared(alice: Caller) -> None:
    id = stored_id(alice, title="Signal", tags=["api", *SIXTEEN[1:]])
    assert found(alice, "signal", tags=["API"]) == [id]
    assert found(alice, "signal", tags=["Api", *(tag.upper() for tag in SIXTEEN[1:])]) == [id]


@pytest.mark.requirement("notes.search.tags-not-kebab")
def test_a_tag_that_nothing_can_carry_matches_nothing(alice: Caller) -> None:
    store(alice, title="Signal", tags=["my", "tag", "x"])
    for tag in ("my_tag", "two words", "", "-", "é", "标签", "%", "'", "x" * 300):
        assert alice.call(SEARCH, query="signal", tags=[tag])["hits"] == [], tag
        assert alice.call(SEARCH, query="signal", tags=["my", tag])["count"] == 0, tag


@pytest.mark.requirement("notes.search.superseded-hidden", "notes.search.superseded-included")
def test_superseded_entries_are_shown_when_asked_for(premises: Premises, alice: Caller) -> None:
    old, new = (stored_id(alice, title=f"{age} signal", body=near(90)) for age in ("Old", "New"))
    assert set(found(alice, "signal")) == {old, new}
    supersede(alice, old, new)
    for _ in range(2):
        assert found(alice, "signal") == found(alice, "signal", includeSuperseded=False) == [new]
        assert set(found(alice, "signal", includeSuperseded=True)) == {old, new}
        premises.embed()


@pytest.mark.requirement(
    "notes.search.expired-hidden", "notes.search.expired-included", "notes.search.expired-boundary"
)
def test_an_entry_expires_at_the_very_moment(
    premises: Premises, alice: Caller, clock: SteppingClock
) -> None:
    id = stored_id(alice, title="Signal", body=near(90), expiresAt="2030-01-01T00:00:10Z")
    premises.embed()
    clock.advance(9.999)
    assert found(alice, "signal") == found(alice, "unshared") == [id]
    clock.advance(0.001)
    for query in ("signal", "unshared"):
        assert found(alice, query) == found(alice, query, includeExpired=False) == []
        assert found(alice, query, includeExpired=True) == [id]


@pytest.mark.requirement("notes.search.flags-independent")
def test_each_flag_lifts_only_its_own_rule(alice: Caller, clock: SteppingClock) -> None:
    soon = "2030-01-01T00:00:10Z"
    both = stored_id(alice, title="Signal both", expiresAt=soon)
    expired = stored_id(alice, title="Signal expired", expiresAt=soon)
    current = stored_id(alice, title="Signal current")
    supersede(alice, both, current)
    clock.advance(10)
    shown = {
        (superseded, past): set(
            found(alice, "signal", includeSuperseded=superseded, includeExpired=past)
        )
        for superseded in (False, True)
        for past in (False, True)
    }
    assert shown == {
        (False, False): {current},
        (True, False): {current},
        (False, True): {current, expired},
        (True, True): {current, expired, both},
    }


@pytest.mark.requirement("notes.search.min-score-optional", "notes.search.min-score-filter")
def test_hits_below_the_least_score_are_dropped(premises: Premises, alice: Caller) -> None:
    for percent in range(40, 70):
        store(alice, title=f"Note {percent}", body=f"{'signal ' * (percent % 7)}{near(percent)}")
    premises.embed()
    everything = search(alice, "signal", limit=50)
    assert len(everything) == 30
    assert search(alice, "signal", limit=50, minScore=0) == everything
    for place, hit in enumerate(everything):
        least = search(alice, "signal", limit=50, minScore=hit["score"])
        assert least[: place + 1] == everything[: place + 1]
        assert all(other["score"] >= hit["score"] for other in least)
