"""semantic_search: every argument, what is filtered, and what a result shows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import (
    SEARCH,
    capture,
    captured_id,
    data,
    found,
    refuse,
    search,
)
from tests.surfaces.nearness import near

ANY = "anything"


@pytest.mark.requirement("institutional.search.query-required")
def test_a_search_needs_a_query(alice: Caller) -> None:
    refuse(alice, SEARCH, "query")
    wrong: list[Any] = ["", 7, None, True, ["text"], {"q": "text"}]
    for query in wrong:
        refuse(alice, SEARCH, "query", query=query)
    id = captured_id(alice)
    assert found(alice, "x") == [id]


@pytest.mark.requirement(
    "institutional.search.limit-bounds",
    "institutional.search.threshold-bounds",
    "institutional.search.type-filter",
    "institutional.search.project-filter",
    "institutional.search.tags-filter",
)
@pytest.mark.parametrize(
    ("argument", "wrong"),
    [
        ("limit", [0, 21, -1, 2.5, "5", [5], True]),
        ("threshold", [-0.1, 1.1, "0.5", [0.5], True]),
        ("type", ["note", "Solution", "", 7, ["win"]]),
        ("project", [7, ["x"], True]),
        ("tags", ["api", [7], ["api", None], 7]),
        ("mode", ["auto"]),
    ],
)
def test_wrong_values_are_refused_by_name(alice: Caller, argument: str, wrong: list[Any]) -> None:
    for value in wrong:
        refuse(alice, SEARCH, argument, query=ANY, **{argument: value})


@pytest.mark.requirement(
    "institutional.search.limit-default",
    "institutional.search.limit-bounds",
    "institutional.search.total-results",
)
def test_at_most_as_many_results_as_wanted(alice: Caller) -> None:
    ids = {captured_id(alice, content=near(50)) for _ in range(21)}
    for limit, expected in {None: 5, 1: 1, 5: 5, 20: 20, 7.0: 7}.items():
        given = {} if limit is None else {"limit": limit}
        answer = data(alice, SEARCH, query=ANY, **given)
        shown = {result["id"] for result in answer["results"]}
        assert answer["total_results"] == len(answer["results"]) == len(shown) == expected
        assert shown <= ids


@pytest.mark.requirement(
    "institutional.search.threshold-default",
    "institutional.search.threshold-bounds",
    "institutional.search.threshold-filters",
    "institutional.search.similarity-range",
    "institutional.search.order",
)
def test_results_are_as_similar_as_wanted_and_the_most_similar_come_first(alice: Caller) -> None:
    percents = [40, 100, 0, 90, 60, 10]
    ids = {percent: captured_id(alice, content=near(percent)) for percent in percents}
    ordered = [ids[percent] for percent in sorted(percents, reverse=True)]
    everything = search(alice, ANY, limit=20)
    assert [result["id"] for result in everything] == ordered
    similarities = [result["similarity"] for result in everything]
    assert similarities == pytest.approx([1, 0.9, 0.6, 0.4, 0.1, 0], abs=1e-3)
    assert all(0 <= similarity <= 1 for similarity in similarities)
    assert found(alice, ANY, limit=20, threshold=0) == ordered
    for threshold, left in {0.05: 5, 0.35: 4, 0.55: 3, 0.85: 2, 0.95: 1}.items():
        assert found(alice, ANY, threshold=threshold) == ordered[:left]
    for place, similarity in enumerate(similarities, start=1):
        assert found(alice, ANY, limit=20, threshold=similarity) == ordered[:place], "inclusive"
    assert set(found(alice, ANY, threshold=1)) <= {ids[100]}


@pytest.mark.requirement(
    "institutional.search.type-filter",
    "institutional.search.project-filter",
    "institutional.search.tags-filter",
    "institutional.search.tags-any",
)
def test_only_items_that_match_the_filters_are_returned(alice: Caller) -> None:
    """By name: the nearest is of another type, project and tag than most."""
    rows: dict[str, dict[str, Any]] = {
        "nearest": {"content": near(90), "type": "win", "project": "other", "tags": ["z"]},
        "plain": {"content": near(80), "type": "solution", "project": "my-api"},
        "a": {"content": near(70), "type": "solution", "project": "my-api", "tags": ["a"]},
        "ab": {"content": near(60), "type": "gotcha", "project": "my-api", "tags": ["a", "b"]},
        "c": {"content": near(50), "type": "gotcha", "project": "my-api-2", "tags": ["c"]},
    }
    ids = {name: captured_id(alice, **given) for name, given in rows.items()}
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["nearest", "plain", "a", "ab", "c"]),
        ({"type": "solution"}, ["plain", "a"]),
        ({"type": "gotcha"}, ["ab", "c"]),
        ({"type": "pattern"}, []),
        ({"project": "my-api"}, ["plain", "a", "ab"]),
        ({"project": "My-API"}, []),
        ({"project": "my"}, []),
        ({"tags": ["a"]}, ["a", "ab"]),
        ({"tags": ["b", "c"]}, ["ab", "c"]),
        ({"tags": ["b", "unknown"]}, ["ab"]),
        ({"tags": ["unknown"]}, []),
        ({"tags": []}, ["nearest", "plain", "a", "ab", "c"]),
        ({"type": "gotcha", "project": "my-api", "tags": ["a", "c"]}, ["ab"]),
        ({"type": "win", "project": "my-api"}, []),
        ({"tags": ["a"], "threshold": 0.65}, ["a"]),
    ]
    for given, expected in cases:
        assert found(alice, ANY, **given) == [ids[name] for name in expected], given


@pytest.mark.requirement("institutional.search.filter-before-limit")
def test_a_project_fills_the_limit_from_its_own_items(alice: Caller) -> None:
    for _ in range(30):
        capture(alice, content=near(90), project="theirs")
    ours = [captured_id(alice, content=near(percent), project="ours") for percent in (9, 8, 7)]
    assert found(alice, ANY, project="ours", limit=3) == ours
    assert found(alice, ANY, project="ours", limit=2) == ours[:2]


@pytest.mark.requirement(
    "institutional.search.echo-query",
    "institutional.search.result-fields",
    "institutional.search.total-results",
)
def test_a_result_shows_the_item(alice: Caller) -> None:
    long = f"{near(80)}\n" + "One more line of a long story.\n" * 500
    item = capture(alice, summary="Long", content=long, type="win", project="p", tags=["t"])
    query = '  Ünusual "query"\n? '
    answer = data(alice, SEARCH, query=query)
    assert answer.keys() == {"query", "results", "total_results"}
    assert (answer["query"], answer["total_results"]) == (query, 1)
    (result,) = answer["results"]
    shown = {key: item[key] for key in ("id", "summary", "content", "type", "project")}
    assert result == {**shown, "similarity": pytest.approx(0.8, abs=1e-3)}
    assert result["content"] == long


@pytest.mark.requirement("institutional.search.empty")
def test_nothing_found_is_a_success(alice: Caller, eve: Caller) -> None:
    nothing = {"query": ANY, "results": [], "total_results": 0}
    assert data(alice, SEARCH, query=ANY) == nothing
    capture(alice, content=near(90))
    assert data(eve, SEARCH, query=ANY) == nothing, "of another org"
    for filters in ({"type": "win"}, {"project": "none"}, {"tags": ["none"]}, {"threshold": 0.95}):
        assert data(alice, SEARCH, query=ANY, **filters) == nothing
