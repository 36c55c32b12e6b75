"""tiered_retrieval: its arguments, what each tier reports, and what the search in it takes."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import (
    TIERED,
    capture,
    captured_id,
    refuse,
    retrieved,
    tiered,
    uses,
)
from tests.surfaces.nearness import near

ANY = "anything"
FIELDS = {
    "query",
    "tier1",
    "tier2",
    "tier3",
    "tier4",
    "results",
    "total_results",
    "total_tokens",
}


@pytest.mark.requirement("institutional.tiered.query-required")
def test_retrieval_needs_a_query(alice: Caller) -> None:
    refuse(alice, TIERED, "query")
    wrong: list[Any] = [7, None, True, ["text"]]
    for query in wrong:
        refuse(alice, TIERED, "query", query=query)


@pytest.mark.requirement(
    "institutional.tiered.flags-boolean", "institutional.tiered.diversify-values"
)
@pytest.mark.parametrize(
    ("argument", "wrong"),
    [
        *((f"tier{number}", ["maybe", "true", 1, []]) for number in (1, 2, 3, 4)),
        ("diversify", ["types", "Type", "", 7, ["type"]]),
        ("token_budget", [0, -1, 2.5, "8000", True]),
        ("project", [7, ["x"]]),
        ("tier5", [True]),
    ],
)
def test_wrong_values_are_refused_by_name(alice: Caller, argument: str, wrong: list[Any]) -> None:
    for value in wrong:
        refuse(alice, TIERED, argument, query=ANY, **{argument: value})


@pytest.mark.requirement(
    "institutional.tiered.tier2-limit",
    "institutional.tiered.tier2-threshold",
    "institutional.tiered.tier2-tags",
    "institutional.tiered.tier3-boost-factor",
)
@pytest.mark.parametrize(
    ("options", "name", "wrong"),
    [
        ("tier2_options", "limit", [0, -1, 2.5, "5"]),
        ("tier2_options", "threshold", [-0.1, 1.1, "0.5"]),
        ("tier2_options", "tags", ["api", [7]]),
        ("tier2_options", "width", [1]),
        ("tier3_options", "boost_factor", [-0.1, "0.2", True]),
    ],
)
def test_wrong_options_are_refused_by_name(
    alice: Caller, options: str, name: str, wrong: list[Any]
) -> None:
    for value in wrong:
        refuse(alice, TIERED, f"{options}.{name}", query=ANY, **{options: {name: value}})
    refuse(alice, TIERED, options, query=ANY, **{options: "none"})


@pytest.mark.requirement(
    "institutional.tiered.defaults",
    "institutional.tiered.output-fields",
    "institutional.tiered.tier3-count",
    "institutional.tiered.tier4-fields",
    "institutional.tiered.diversity-score",
)
def test_an_empty_store_is_answered_in_full(alice: Caller) -> None:
    query = '  Ünusual "query" '
    answer = tiered(alice, query)
    assert answer.keys() == FIELDS
    assert answer == {
        "query": query,
        "tier1": {
            "enabled": True,
            "fingerprint": {"total_items": 0, "by_type": {}, "recent_wins": 0},
        },
        "tier2": {"enabled": True, "results_count": 0},
        "tier3": {"enabled": False, "boosted_count": 0},
        "tier4": {"enabled": True, "enforced": False, "token_count": 0, "diversity_score": 0},
        "results": [],
        "total_results": 0,
        "total_tokens": 0,
    }


@pytest.mark.requirement("institutional.tiered.result-items", "institutional.tiered.total-results")
def test_a_result_is_a_whole_item(alice: Caller) -> None:
    item = capture(
        alice,
        content=f"{near(80)}\n" + "One more line of a long story.\n" * 300,
        tags=["b", "a"],
        decision_rationale="It was simple.",
        alternatives_considered=["a queue"],
        solution_verified=True,
        related_issues=["#7"],
    )
    plain = capture(alice, content=near(60))
    assert plain["tags"] is None
    answer = tiered(alice, ANY)
    assert answer["total_results"] == len(answer["results"]) == 2
    assert answer["results"] == [
        {**item, "similarity": pytest.approx(0.8, abs=1e-3)},
        {**plain, "similarity": pytest.approx(0.6, abs=1e-3)},
    ]


@pytest.mark.requirement(
    "institutional.tiered.tier1-fingerprint",
    "institutional.tiered.tier1-off",
    "institutional.tiered.project-filter",
)
def test_the_fingerprint_counts_what_the_project_holds(alice: Caller, eve: Caller) -> None:
    held = [*[("solution", "ours")] * 3, *[("win", "ours")] * 2, ("gotcha", "theirs")]
    for kind, project in held:
        capture(alice, type=kind, project=project, content=near(90))
    ours = tiered(alice, ANY, project="ours")
    assert ours["tier1"] == {
        "enabled": True,
        "fingerprint": {
            "total_items": 5,
            "by_type": {"solution": 3, "win": 2},
            "recent_wins": 2,
        },
    }
    assert {result["project"] for result in ours["results"]} == {"ours"}
    assert ours["total_results"] == 5
    everything = tiered(alice, ANY)
    assert everything["tier1"]["fingerprint"]["total_items"] == everything["total_results"] == 6
    assert everything["tier1"]["fingerprint"]["by_type"]["gotcha"] == 1
    assert tiered(alice, ANY, project="none")["tier1"]["fingerprint"]["total_items"] == 0
    assert tiered(eve, ANY)["tier1"]["fingerprint"]["total_items"] == 0
    assert tiered(alice, ANY, tier1=False)["tier1"] == {"enabled": False}


@pytest.mark.requirement("institutional.tiered.recent-wins")
@pytest.mark.parametrize(("wins", "shown"), [(0, 0), (2, 2), (5, 5), (7, 5)])
def test_recent_wins_are_five_at_most(alice: Caller, wins: int, shown: int) -> None:
    capture(alice, type="solution")
    for _ in range(wins):
        capture(alice, type="win")
    fingerprint = tiered(alice, ANY)["tier1"]["fingerprint"]
    assert (fingerprint["recent_wins"], fingerprint["total_items"]) == (shown, wins + 1)


@pytest.mark.requirement(
    "institutional.tiered.tier1-adds-no-results",
    "institutional.tiered.tier2-and-3-off",
    "institutional.tiered.tier3-implies-search",
)
def test_only_a_search_gives_results(alice: Caller) -> None:
    item = captured_id(alice, type="win", summary="1234", content=near(90), file_context="1234")
    alone = tiered(alice, ANY, tier2=False)
    assert alone["tier1"]["fingerprint"]["total_items"] == 1
    assert (alone["results"], alone["total_results"], alone["total_tokens"]) == ([], 0, 0)
    assert alone["tier2"] == {"enabled": False, "results_count": 0}
    assert uses(alice, item) == 0
    tokens = tiered(alice, ANY, tier1=False)["total_tokens"]
    assert tokens == 1 + 3 + 1
    exactly = tiered(alice, ANY, token_budget=tokens)
    assert exactly["total_results"] == 1, "the fingerprint costs nothing"
    assert exactly["tier4"]["enforced"] is False
    boosted = tiered(alice, ANY, tier2=False, tier3=True)
    assert [result["id"] for result in boosted["results"]] == [item]
    assert (boosted["tier2"]["enabled"], boosted["tier3"]["enabled"]) == (False, True)


@pytest.mark.requirement(
    "institutional.tiered.tier2-count",
    "institutional.tiered.tier2-limit",
    "institutional.tiered.tier2-threshold",
    "institutional.tiered.tier2-defaults",
)
def test_the_search_takes_fifty_similar_items_unless_told_otherwise(alice: Caller) -> None:
    near_ones = [captured_id(alice, content=near(90 - n // 2)) for n in range(51)]
    edge, beyond = (captured_id(alice, content=near(percent)) for percent in (41, 39))
    generous = {"token_budget": 100_000}
    usual = tiered(alice, ANY, **generous)
    assert usual["tier2"] == {"enabled": True, "results_count": 50}
    assert [result["id"] for result in usual["results"]] == near_ones[:50]
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({"limit": 3}, near_ones[:3]),
        ({"limit": 100}, [*near_ones, edge]),
        ({"limit": 100, "threshold": 0}, [*near_ones, edge, beyond]),
        ({"threshold": 0.895}, near_ones[:2]),
        ({"threshold": 1}, []),
        ({}, near_ones[:50]),
    ]
    for options, expected in cases:
        answer = tiered(alice, ANY, tier2_options=options, **generous)
        assert [result["id"] for result in answer["results"]] == expected, options
        assert answer["tier2"]["results_count"] == len(expected)


@pytest.mark.requirement("institutional.tiered.tier2-tags", "institutional.tiered.tier2-tags-any")
def test_the_search_keeps_items_with_any_of_the_tags(alice: Caller) -> None:
    ids = {
        name: captured_id(alice, content=near(90 - place), tags=list(name) or None)
        for place, name in enumerate(["", "a", "b", "ab", "c"])
    }

    def names(*tags: str) -> list[str]:
        kept = retrieved(alice, ANY, tier2_options={"tags": list(tags)})
        return [name for name, id in ids.items() if id in kept]

    assert names() == ["", "a", "b", "ab", "c"]
    assert names("a") == ["a", "ab"]
    assert names("b", "c") == names("c", "b", "x") == ["b", "ab", "c"]
    assert names("x") == []


@pytest.mark.requirement("institutional.tiered.blank-query")
@pytest.mark.parametrize("query", ["", " ", "\n\t "])
def test_a_blank_query_shows_the_most_recent_items(
    alice: Caller, clock: SteppingClock, query: str
) -> None:
    ids = []
    for percent in (90, 0, 50):
        ids.append(captured_id(alice, content=near(percent), project="ours"))
        clock.advance(1)
    capture(alice, project="theirs")
    answer = tiered(alice, query, project="ours", tier2_options={"limit": 2})
    assert [result["id"] for result in answer["results"]] == [ids[2], ids[1]]
    assert (answer["query"], answer["tier2"]["results_count"]) == (query, 2)
    assert "most recent" in answer["tier2"]["notice"]
