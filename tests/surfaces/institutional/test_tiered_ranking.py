"""tiered_retrieval's order and cut, to the digit: use, turns, budget and diversity."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import capture, captured_id, get, retrieved, tiered, uses
from tests.surfaces.nearness import near

ANY = "anything"
DAY = 24 * 3600.0


def read(caller: Caller, id: str, times: int) -> None:
    for _ in range(times):
        get(caller, id)


def of_tokens(caller: Caller, tokens: int, percent: int = 90, **given: Any) -> str:
    """An item that costs so many: two for its summary, one for its file, the rest for its text."""
    text = near(percent).ljust(4 * (tokens - 3))
    assert len(text) == 4 * (tokens - 3)
    return captured_id(caller, summary="12345678", content=text, file_context="1234", **given)


@pytest.mark.requirement("institutional.tiered.tier3-formula")
@pytest.mark.parametrize(("days", "boost"), [(0, 0.0461), (30, 0.0169), (3650, 0.0)])
def test_use_lifts_an_item_and_fades(
    alice: Caller, clock: SteppingClock, days: int, boost: float
) -> None:
    id = captured_id(alice, content=near(60))
    read(alice, id, 9)
    clock.advance(days * DAY)
    (result,) = tiered(alice, ANY, tier3=True)["results"]
    assert result["similarity"] == pytest.approx(0.6 + boost, abs=1e-3)
    (plain,) = tiered(alice, ANY)["results"]
    lifted = result["similarity"] - plain["similarity"]
    assert lifted == pytest.approx(boost, abs=5e-5)


@pytest.mark.requirement(
    "institutional.tiered.tier3-count",
    "institutional.tiered.tier3-boosted-count",
    "institutional.tiered.tier3-reorders",
)
def test_of_equal_items_the_one_that_was_read_comes_first(alice: Caller) -> None:
    first, second, third = (captured_id(alice, content=near(60)) for _ in range(3))
    read(alice, third, 1)
    answer = tiered(alice, ANY, tier3=True)
    assert [result["id"] for result in answer["results"]] == [third, first, second]
    assert answer["tier3"] == {"enabled": True, "boosted_count": 1}
    again = tiered(alice, ANY, tier3=True)
    assert again["tier3"]["boosted_count"] == 3, "retrieval counts as use"
    assert tiered(alice, ANY)["tier3"] == {"enabled": False, "boosted_count": 0}


@pytest.mark.requirement("institutional.tiered.tier3-boost-factor")
def test_the_weight_of_use_can_be_set(alice: Caller, clock: SteppingClock) -> None:
    """Each weight is tried on items of its own, which nobody has retrieved before."""
    boosts: list[tuple[dict[str, Any], float]] = [
        ({}, 0.0461),
        ({"tier3_options": {}}, 0.0461),
        ({"tier3_options": {"boost_factor": 0.2}}, 0.0461),
        ({"tier3_options": {"boost_factor": 1}}, 0.2303),
        ({"tier3_options": {"boost_factor": 10}}, 0.45),
        ({"tier3_options": {"boost_factor": 0}}, 0.0),
    ]
    for number, (options, boost) in enumerate(boosts):
        place = {"project": f"p{number}"}
        unread = captured_id(alice, content=near(58), **place)
        favourite = captured_id(alice, content=near(55), **place)
        read(alice, favourite, 9)
        results = tiered(alice, ANY, tier3=True, **place, **options)["results"]
        similarities = {result["id"]: result["similarity"] for result in results}
        assert similarities[favourite] == pytest.approx(0.55 + boost, abs=1e-3), options
        assert similarities[unread] == pytest.approx(0.58, abs=1e-3)
        assert next(iter(similarities)) == (favourite if boost > 0.03 else unread)


ROWS = {
    "A": {"content": near(90), "type": "solution", "project": "x"},
    "B": {"content": near(80), "type": "solution", "project": "x"},
    "C": {"content": near(70), "type": "win", "project": "x"},
    "D": {"content": near(60), "type": "solution", "project": "y"},
}


@pytest.mark.requirement(
    "institutional.tiered.diversify-values",
    "institutional.tiered.diversify-default",
    "institutional.tiered.diversify-type",
    "institutional.tiered.diversify-project",
    "institutional.tiered.diversify-both",
    "institutional.tiered.diversify-none",
    "institutional.tiered.tier4-off",
)
def test_groups_take_turns(alice: Caller) -> None:
    ids = {captured_id(alice, **given): name for name, given in ROWS.items()}

    def order(**given: Any) -> str:
        return "".join(ids[id] for id in retrieved(alice, ANY, **given))

    assert order(diversify="type") == order() == "ACBD"
    assert order(diversify="type", project="x") == "ACB"
    assert order(diversify="project") == "ADBC"
    assert order(diversify="both") == "ACDB"
    assert order(diversify="none") == "ABCD"
    for diversify in ("type", "project", "both", "none"):
        assert order(diversify=diversify, tier4=False) == "ABCD"


@pytest.mark.requirement("institutional.tiered.diversity-score")
@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([], 0),
        ([("solution", "x")], 0),
        ([("solution", "x"), ("solution", "x"), ("win", "x"), ("win", "x")], 0.5),
        ([("solution", "x"), ("solution", "y"), ("win", "x"), ("win", "y")], 1),
        ([("solution", "x"), ("solution", "x"), ("solution", "x"), ("win", "x")], 0.4056),
    ],
)
def test_diversity_is_that_of_the_results(
    alice: Caller, groups: list[tuple[str, str]], expected: float
) -> None:
    for kind, project in groups:
        capture(alice, content=near(90), type=kind, project=project)
    capture(alice, content=near(10), type="gotcha", project="unrelated")
    score = tiered(alice, ANY)["tier4"]["diversity_score"]
    assert score == pytest.approx(expected, abs=5e-5)


@pytest.mark.requirement("institutional.tiered.token-estimate", "institutional.tiered.total-tokens")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"tags": ["abc"]}, 3 + 25 + 2 + 1),
        ({}, 3 + 25 + 2),
        ({"decision_rationale": "12345"}, 30 + 2),
        ({"alternatives_considered": ["1234"]}, 30 + 1),
        ({"related_issues": ["#1", "#2"]}, 30 + 2),
        ({"tags": ["abcd", "efgh"]}, 30 + 3),
        ({"summary": "é" * 9}, 3 + 25 + 2),
    ],
)
def test_tokens_are_estimated_from_characters(
    alice: Caller, given: dict[str, Any], expected: int
) -> None:
    item = {
        "summary": "0123456789",
        "content": near(90).ljust(100, "."),
        "file_context": "12345678",
    }
    capture(alice, **{**item, **given})
    answer = tiered(alice, ANY)
    assert answer["total_tokens"] == answer["tier4"]["token_count"] == expected


@pytest.mark.requirement(
    "institutional.tiered.budget-max",
    "institutional.tiered.budget-greedy",
    "institutional.tiered.enforced",
    "institutional.tiered.total-tokens",
    "institutional.tiered.tier4-off",
    "institutional.tiered.total-results",
)
def test_the_budget_is_filled_in_order_with_what_fits(alice: Caller) -> None:
    sizes = {"A": 20, "B": 50, "C": 15, "D": 10, "E": 8}
    ids = {
        name: of_tokens(alice, tokens, 90 - place)
        for place, (name, tokens) in enumerate(sizes.items())
    }
    fitting = {103: "ABCDE", 102: "ABCD", 70: "AB", 69: "ACDE", 44: "ACE", 20: "A", 9: "E", 1: ""}
    for budget, names in fitting.items():
        answer = tiered(alice, ANY, token_budget=budget)
        assert [result["id"] for result in answer["results"]] == [ids[n] for n in names], budget
        tokens = sum(sizes[name] for name in names)
        assert tokens == answer["total_tokens"] == answer["tier4"]["token_count"] <= budget
        assert answer["total_results"] == len(names)
        assert answer["tier4"]["enforced"] is (names != "ABCDE")
        assert answer["tier2"]["results_count"] == 5
    free = tiered(alice, ANY, token_budget=1, tier4=False)
    assert [result["id"] for result in free["results"]] == list(ids.values())
    assert free["total_tokens"] == sum(sizes.values())
    assert (free["tier4"]["enabled"], free["tier4"]["enforced"]) == (False, False)


@pytest.mark.requirement("institutional.tiered.budget-greedy", "institutional.tiered.enforced")
def test_what_the_budget_leaves_out_is_not_counted_as_used(alice: Caller) -> None:
    kept, cut = of_tokens(alice, 10, 90), of_tokens(alice, 11, 80)
    assert retrieved(alice, ANY, token_budget=20) == [kept]
    assert [uses(alice, id) for id in (kept, cut)] == [1, 0]


@pytest.mark.requirement(
    "institutional.tiered.budget-default", "institutional.tiered.no-duplicates"
)
def test_long_matches_together_stay_within_eight_thousand_tokens(alice: Caller) -> None:
    """Each is several chunks, and the summary makes every chunk of it a match."""
    story = "One more line of a long story. " * 130
    ids = {captured_id(alice, summary=near(90 - n), content=story) for n in range(10)}
    answer = tiered(alice, ANY)
    shown = [result["id"] for result in answer["results"]]
    assert len(set(shown)) == len(shown) == answer["total_results"] == 7
    assert 7000 < answer["total_tokens"] <= 8000
    assert answer["tier4"]["enforced"] is True
    everything = retrieved(alice, ANY, token_budget=100_000)
    assert set(everything) == ids
    assert len(everything) == 10
