"""What get_knowledge shows, and whose use counts."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.conversation import STORY
from tests.surfaces.institutional.steps import (
    AUTO_CAPTURE,
    GET,
    NOT_FOUND,
    UNKNOWN_ID,
    capture,
    captured_id,
    error,
    found,
    get,
    listed,
    page,
    refuse,
    retrieved,
    tiered,
    update,
    uses,
)
from tests.surfaces.nearness import near

WRONG_IDS: list[Any] = [None, 7, True, ["a"], {}, "", " ", "a\0b", "\ud800", "i" * 201]


@pytest.mark.requirement("institutional.get.output-fields", "institutional.get.example")
def test_an_item_is_shown_whole(alice: Caller, bob: Caller) -> None:
    item = capture(alice, id=UNKNOWN_ID, tags=["a"], type="gotcha")
    first = {**item, "access_count": 0, "last_accessed_at": None}
    assert get(bob, UNKNOWN_ID) == first


@pytest.mark.requirement("institutional.get.id-required", "institutional.errors.validation-error")
def test_an_id_is_required(alice: Caller) -> None:
    refuse(alice, GET, "id")
    for wrong in WRONG_IDS:
        refuse(alice, GET, "id", id=wrong)
    refuse(alice, GET, "type", id="x", type="solution")


@pytest.mark.requirement("institutional.get.not-found", "institutional.errors.item-not-found")
def test_an_id_that_does_not_exist(alice: Caller) -> None:
    captured_id(alice)
    for id in (UNKNOWN_ID, "x", "' OR 1=1 --", "ki-*", "%"):
        assert error(alice, GET, id=id) == NOT_FOUND


@pytest.mark.requirement(
    "institutional.get.access-count-number",
    "institutional.get.access-count-before",
    "institutional.get.last-accessed-null",
    "institutional.get.last-accessed-set",
    "institutional.usage.updated-at-untouched",
)
def test_each_look_is_counted_after_it(alice: Caller, clock: SteppingClock) -> None:
    item = capture(alice)
    shown = []
    for _ in range(3):
        clock.advance(1)
        shown.append(get(alice, item["id"]))
    assert [one["access_count"] for one in shown] == [0, 1, 2]
    assert [one["last_accessed_at"] for one in shown] == [
        None,
        "2030-01-01T00:00:01.000Z",
        "2030-01-01T00:00:02.000Z",
    ]
    assert {one["updated_at"] for one in shown} == {item["updated_at"]}


@pytest.mark.requirement("institutional.usage.semantic-search-counts")
def test_what_a_search_returns_is_counted(alice: Caller) -> None:
    close, far = captured_id(alice, content=near(90)), captured_id(alice, content=near(30))
    for _ in range(2):
        assert found(alice, "anything", limit=1) == [close]
    assert found(alice, "anything", threshold=0.99) == []
    assert (uses(alice, close), uses(alice, far)) == (2, 0)


@pytest.mark.requirement("institutional.usage.tiered-counts")
def test_what_the_tiers_end_up_with_is_counted(alice: Caller) -> None:
    close = captured_id(alice, content=near(90))
    cut = captured_id(alice, content=near(80) + " long" * 100)
    needed = tiered(alice, "anything", tier2_options={"limit": 1})["total_tokens"]
    assert retrieved(alice, "anything", token_budget=needed) == [close]
    assert (uses(alice, close), uses(alice, cut)) == (2, 0)


@pytest.mark.requirement("institutional.usage.auto-captured-counts")
def test_an_item_that_captured_itself_starts_with_one_use(alice: Caller) -> None:
    alice.text(AUTO_CAPTURE, text=STORY, threshold=0.7, auto_save=True)
    (id,) = listed(alice)
    first = get(alice, id)
    assert first["access_count"] == 1
    assert first["last_accessed_at"] == first["created_at"]


@pytest.mark.requirement("institutional.usage.list-does-not-count")
def test_a_list_counts_nothing(alice: Caller) -> None:
    id = captured_id(alice)
    assert page(alice)["total"] == 1
    shown = get(alice, id)
    assert (shown["access_count"], shown["last_accessed_at"]) == (0, None)


@pytest.mark.requirement("institutional.usage.updated-at-untouched")
def test_use_is_no_change_and_a_change_is_no_use(alice: Caller, clock: SteppingClock) -> None:
    item = capture(alice, content=near(90))
    clock.advance(5)
    assert found(alice, "anything") == retrieved(alice, "anything") == [item["id"]]
    used = get(alice, item["id"])
    assert (used["access_count"], used["updated_at"]) == (2, item["updated_at"])
    update(alice, item["id"], summary="Another", updated_at=item["updated_at"])
    assert uses(alice, item["id"]) == 3


@pytest.mark.requirement("institutional.get.access-count-number")
def test_looks_at_the_same_moment_are_all_counted(premises: Premises, alice: Caller) -> None:
    id = captured_id(alice)
    callers = [premises.caller(f"agent-{number}") for number in range(8)]
    with ThreadPoolExecutor(len(callers)) as pool:
        shown = list(pool.map(lambda caller: uses(caller, id), callers))
    assert all(0 <= count < len(callers) for count in shown)
    assert uses(alice, id) == len(callers)
