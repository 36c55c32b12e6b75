"""list_knowledge: what is left in by each filter, in which order, page by page."""

from __future__ import annotations

from itertools import chain
from typing import Any

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import LIST, capture, captured_id, listed, page, refuse

ALL = ["web-win", "api-win", "api-solution", "plain"]
FILTERS: list[tuple[dict[str, Any], list[str]]] = [
    ({"type": "win"}, ["web-win", "api-win"]),
    ({"type": "solution"}, ["api-solution", "plain"]),
    ({"type": "gotcha"}, []),
    ({"project": "my-api"}, ["api-win", "api-solution"]),
    ({"project": "My-api"}, []),
    ({"project": "my"}, []),
    ({"tags": ["b"]}, ["api-win", "api-solution"]),
    ({"tags": ["a", "c"]}, ["web-win", "api-win", "api-solution"]),
    ({"tags": ["c", "unknown", "c"]}, ["web-win", "api-win"]),
    ({"tags": ["C"]}, ["web-win", "api-win"]),
    ({"type": "win", "project": "my-api"}, ["api-win"]),
    ({"type": "win", "project": "my-api", "tags": ["a"]}, []),
    ({"type": "win", "project": "web", "tags": ["a", "c"]}, ["web-win"]),
    ({"type": None, "project": None, "tags": None}, ALL),
    ({"project": "", "tags": []}, ALL),
]
EMPTY = {"items": [], "total": 0, "limit": 10, "offset": 0}


@pytest.fixture
def shelf(alice: Caller, clock: SteppingClock) -> dict[str, str]:
    """Names of items to their ids, oldest first."""
    items: dict[str, dict[str, Any]] = {
        "plain": {},
        "api-solution": {"project": "my-api", "tags": ["a", "b"]},
        "api-win": {"project": "my-api", "type": "win", "tags": ["b", "c"]},
        "web-win": {"project": "web", "type": "win", "tags": ["c"]},
    }
    ids = {}
    for name, given in items.items():
        clock.advance(1)
        ids[name] = captured_id(alice, summary=name, **given)
    return ids


def names(alice: Caller, shelf: dict[str, str], **given: Any) -> list[str]:
    """Which items of the shelf come, as `total` must say too."""
    answer = page(alice, **given)
    known = {id: name for name, id in shelf.items()}
    assert answer["total"] == len(answer["items"])
    return [known[item["id"]] for item in answer["items"]]


@pytest.mark.requirement(
    "institutional.list.no-arguments",
    "institutional.list.order-newest-first",
    "institutional.list.limit-default",
    "institutional.list.offset-default",
)
def test_without_arguments_everything_comes_newest_first(
    alice: Caller, shelf: dict[str, str]
) -> None:
    assert names(alice, shelf) == ALL
    answer = page(alice)
    assert (answer["limit"], answer["offset"]) == (10, 0)
    stamps = [item["created_at"] for item in answer["items"]]
    assert stamps == sorted(stamps, reverse=True)


@pytest.mark.requirement("institutional.list.item-fields")
def test_each_item_is_shown_in_short(alice: Caller) -> None:
    item = capture(alice, type="win")
    fields = ("id", "summary", "type", "project", "created_at")
    assert page(alice)["items"] == [{name: item[name] for name in fields}]


@pytest.mark.requirement(
    "institutional.list.type-filter",
    "institutional.list.project-filter",
    "institutional.list.tags-any",
    "institutional.list.filters-combine",
    "institutional.list.empty",
)
def test_filters_leave_in_what_fits(alice: Caller, shelf: dict[str, str]) -> None:
    for given, left in FILTERS:
        assert names(alice, shelf, **given) == left, given


@pytest.mark.requirement("institutional.list.empty")
def test_an_empty_store_has_an_empty_list(alice: Caller) -> None:
    assert page(alice) == EMPTY


@pytest.mark.requirement(
    "institutional.list.offset-pages",
    "institutional.list.offset-past-end",
    "institutional.list.total",
    "institutional.list.echo",
    "institutional.list.limit-default",
)
def test_pages_hold_each_item_once(alice: Caller) -> None:
    """All items are of one moment, so that only the order of their coming tells them apart."""
    ids = [captured_id(alice, summary=f"Item {number}") for number in range(25)]
    pages = [page(alice, limit=10, offset=offset) for offset in (0, 10, 20, 30)]
    assert [len(one["items"]) for one in pages] == [10, 10, 5, 0]
    assert [one["total"] for one in pages] == [25] * 4
    assert [(one["limit"], one["offset"]) for one in pages] == [
        (10, offset) for offset in (0, 10, 20, 30)
    ]
    walked = [item["id"] for item in chain.from_iterable(one["items"] for one in pages)]
    assert walked == ids[::-1]
    assert listed(alice) == walked[:10]
    assert listed(alice, limit=100) == walked


@pytest.mark.requirement("institutional.list.limit-bounds", "institutional.expect.negative-offset")
def test_other_arguments_are_refused(alice: Caller) -> None:
    wrong: dict[str, list[Any]] = {
        "limit": [0, 101, -1, 1.5, "10", True, [10], 10**30],
        "offset": [-1, -1.0, 0.5, "0", True, [0], 10**30],
        "type": ["note", "Solution", 7, ["win"]],
        "project": [7, True, ["my-api"], "a\0b", "\ud800", "x" * 2001],
        "tags": ["a", 7, [7], [None], ["a\0b"], ["\ud800"], {"a": 1}],
        "status": ["open"],
    }
    for argument, values in wrong.items():
        for value in values:
            refuse(alice, LIST, argument, **{argument: value})


@pytest.mark.requirement("institutional.list.limit-bounds", "institutional.list.echo")
@pytest.mark.parametrize("limit", [1, 100, 2.0])
def test_a_limit_within_bounds_is_taken(alice: Caller, shelf: dict[str, str], limit: float) -> None:
    answer = page(alice, limit=limit, offset=1)
    assert (answer["limit"], answer["offset"], answer["total"]) == (limit, 1, 4)
    assert [item["id"] for item in answer["items"]] == [*shelf.values()][-2::-1][: int(limit)]


@pytest.mark.requirement("institutional.list.example")
def test_the_documented_call(alice: Caller, shelf: dict[str, str]) -> None:
    more = [captured_id(alice, project="my-api") for _ in range(20)]
    answer = page(alice, type="solution", project="my-api", limit=20)
    assert (answer["limit"], answer["total"]) == (20, 21)
    assert [item["id"] for item in answer["items"]] == more[::-1]
    assert {(item["type"], item["project"]) for item in answer["items"]} == {("solution", "my-api")}
