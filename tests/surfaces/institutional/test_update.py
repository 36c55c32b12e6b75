"""update_knowledge: named fields are replaced, all others stay, and nobody is overwritten."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from commonplace.model.actor import Scope
from tests.stores import SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import (
    NOT_FOUND,
    UNKNOWN_ID,
    UPDATE,
    capture,
    captured_id,
    error,
    failure,
    found,
    get,
    listed,
    refuse,
    update,
)
from tests.surfaces.nearness import answer, embedded_at, near
from tests.unit.embedding.local_endpoint import local_endpoint

FULL = {
    "summary": "Fix race condition",
    "content": "Added a lock.",
    "type": "solution",
    "project": "my-api",
    "file_context": "src/user.ts",
    "tags": ["concurrency", "bugfix"],
    "decision_rationale": "Locks are simple.",
    "alternatives_considered": ["a queue"],
    "solution_verified": False,
    "related_issues": ["API-7"],
}
USE = ("access_count", "last_accessed_at")
TEXTS: list[Any] = [7, True, ["x"], "a\0b", "\ud800"]
LISTS: list[Any] = ["a", 7, [7], ["a\0b"], ["\ud800"]]


def shown(caller: Caller, id: str) -> dict[str, Any]:
    """The item without its use."""
    return {name: value for name, value in get(caller, id).items() if name not in USE}


@pytest.mark.requirement(
    "institutional.update.text-fields",
    "institutional.update.list-fields",
    "institutional.update.solution-verified",
    "institutional.update.type",
    "institutional.update.others-unchanged",
    "institutional.update.returns-all-fields",
    "institutional.update.updated-at-new",
    "institutional.update.created-at-kept",
)
@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [
        ("summary", "Another summary", "Another summary"),
        ("content", "Another content.", "Another content."),
        ("type", "gotcha", "gotcha"),
        ("project", "another-project", "another-project"),
        ("file_context", "src/other.ts", "src/other.ts"),
        ("decision_rationale", "It was late.", "It was late."),
        ("decision_rationale", "", ""),
        ("tags", ["new", "Other"], ["new", "Other"]),
        ("tags", [], None),
        ("alternatives_considered", ["b", "c"], ["b", "c"]),
        ("alternatives_considered", [], None),
        ("related_issues", ["WEB-1"], ["WEB-1"]),
        ("solution_verified", True, True),
    ],
)
def test_one_field_is_replaced_alone(
    alice: Caller, clock: SteppingClock, field: str, value: Any, kept: Any
) -> None:
    before = capture(alice, **FULL)
    clock.advance(3)
    after = update(alice, before["id"], **{field: value})
    assert after == {**before, field: kept, "updated_at": "2030-01-01T00:00:03.000Z"}
    assert shown(alice, before["id"]) == after


@pytest.mark.requirement(
    "institutional.update.others-unchanged", "institutional.update.updated-at-new"
)
@pytest.mark.parametrize("changes", [{}, {"tags": None, "summary": None, "type": None}])
def test_what_is_left_out_or_null_stays(alice: Caller, changes: dict[str, Any]) -> None:
    """The clock stands still; a change is later all the same."""
    before = capture(alice, **FULL)
    after = update(alice, before["id"], **changes)
    assert after == {**before, "updated_at": "2030-01-01T00:00:00.001Z"}


@pytest.mark.requirement("institutional.update.solution-verified")
def test_it_is_verified_and_doubted_again(alice: Caller) -> None:
    id = captured_id(alice)
    for verified in (True, False):
        assert update(alice, id, solution_verified=verified)["solution_verified"] is verified
        assert shown(alice, id)["solution_verified"] is verified


@pytest.mark.requirement("institutional.update.type", "institutional.update.list-fields")
def test_lists_follow_the_change(alice: Caller) -> None:
    id = captured_id(alice, type="solution", project="old", tags=["old"])
    update(alice, id, type="pattern", project="new", tags=["new"])
    for name, old, new in [("type", "solution", "pattern"), ("project", "old", "new")]:
        assert (listed(alice, **{name: old}), listed(alice, **{name: new})) == ([], [id])
    assert (listed(alice, tags=["old"]), listed(alice, tags=["new"])) == ([], [id])


@pytest.mark.requirement("institutional.update.id-required")
def test_an_id_is_required(alice: Caller) -> None:
    refuse(alice, UPDATE, "id", summary="x")
    wrong: list[Any] = [None, 7, ["a"], "", " ", "a\0b", "\ud800", "i" * 201]
    for id in wrong:
        refuse(alice, UPDATE, "id", id=id, summary="x")


@pytest.mark.requirement(
    "institutional.update.type-invalid",
    "institutional.update.unknown-key",
    "institutional.update.created-at-kept",
    "institutional.expect.update-empty-text",
    "institutional.errors.validation-error",
)
def test_a_change_to_something_wrong_changes_nothing(alice: Caller) -> None:
    before = capture(alice, **FULL)
    wrong: dict[str, list[Any]] = {
        "summary": ["", " \n", "x" * 2001, *TEXTS],
        "content": ["", " \n", "x" * 1_000_001, *TEXTS],
        "project": ["", " \n", "x" * 2001, *TEXTS],
        "file_context": ["", " \n", "x" * 2001, *TEXTS],
        "decision_rationale": ["x" * 100_001, *TEXTS],
        "type": ["note", "Solution", "", 7],
        "tags": [*LISTS, ["x" * 101], [""], [str(n) for n in range(65)]],
        "alternatives_considered": LISTS,
        "related_issues": LISTS,
        "solution_verified": ["maybe", 1, [True]],
        "updated_at": ["now", "", 7, "2030-13-01", "0001-01-01T00:00:00+10:00"],
        "created_at": [before["created_at"]],
        "access_count": [0],
        "new_id": ["x"],
    }
    for field, values in wrong.items():
        for value in values:
            good = {"decision_rationale": "Good."} if field != "decision_rationale" else {}
            refuse(alice, UPDATE, field, id=before["id"], **good, **{field: value})
    assert shown(alice, before["id"]) == before


@pytest.mark.requirement("institutional.update.optimistic-lock")
def test_a_change_of_something_older_is_a_conflict(alice: Caller, clock: SteppingClock) -> None:
    first = capture(alice)
    clock.advance(1)
    second = update(alice, first["id"], summary="Second", updated_at=first["updated_at"])
    clock.advance(1)
    answer = failure(alice, UPDATE, id=first["id"], summary="Third", updated_at=first["updated_at"])
    assert answer["code"] == "knowledge.revision_conflict"
    assert answer["error"].startswith("Conflict: ")
    assert shown(alice, first["id"]) == second


@pytest.mark.requirement("institutional.update.optimistic-lock")
@pytest.mark.parametrize(
    "same",
    [
        "2030-01-01T00:00:12.345Z",
        "2030-01-01T01:00:12.345+01:00",
        "2030-01-01T00:00:12.345678Z",
        "2030-01-01T00:00:12.345",
    ],
)
def test_the_moment_may_be_written_in_any_way(
    alice: Caller, clock: SteppingClock, same: str
) -> None:
    clock.advance(12.345)
    id = captured_id(alice)
    assert update(alice, id, summary="Second", updated_at=same)["summary"] == "Second"


@pytest.mark.requirement("institutional.update.optimistic-lock")
def test_only_one_of_many_at_the_same_moment_goes_through(
    premises: Premises, alice: Caller
) -> None:
    item = capture(alice)
    callers = [premises.caller(f"agent-{number}", scopes=",".join(Scope)) for number in range(6)]

    def attempt(number: int) -> bool:
        given = {"id": item["id"], "updated_at": item["updated_at"], "summary": f"By {number}"}
        return not callers[number].ask(UPDATE, **given).is_error

    with ThreadPoolExecutor(len(callers)) as pool:
        outcomes = list(pool.map(attempt, range(len(callers))))
    assert outcomes.count(True) == 1
    assert shown(alice, item["id"])["summary"] == f"By {outcomes.index(True)}"


@pytest.mark.requirement("institutional.update.others-unchanged")
def test_changes_of_different_fields_at_the_same_moment_all_stay(
    premises: Premises, alice: Caller
) -> None:
    before = capture(alice, **FULL)
    changes: dict[str, Any] = {"summary": "New", "project": "new", "tags": ["new"]}
    callers = {name: premises.caller(name, scopes=",".join(Scope)) for name in changes}
    with ThreadPoolExecutor(len(changes)) as pool:
        list(pool.map(lambda n: update(callers[n], before["id"], **{n: changes[n]}), changes))
    after = shown(alice, before["id"])
    assert after == {**before, **changes, "updated_at": after["updated_at"]}


@pytest.mark.requirement("institutional.update.re-embeds")
def test_a_search_goes_by_the_new_text(alice: Caller) -> None:
    changed = captured_id(alice, summary="First", content=near(90))
    steady = captured_id(alice, summary="Second", content=near(50))
    assert found(alice, "anything") == [changed, steady]
    update(alice, changed, content=near(10))
    assert found(alice, "anything") == [steady, changed]
    update(alice, changed, summary=near(95))
    assert found(alice, "anything") == [changed, steady]


@pytest.mark.requirement("institutional.update.re-embeds")
def test_only_a_changed_text_is_embedded_anew(open_premises: OpenPremises) -> None:
    with local_endpoint(answer) as endpoint:
        alice = open_premises(**embedded_at(endpoint.url)).caller()
        id = captured_id(alice, summary="First", content=near(90))
        asked = len(endpoint.asked)
        update(alice, id, solution_verified=True, type="win", project="elsewhere")
        assert len(endpoint.asked) == asked
        update(alice, id, content=near(10))
        assert len(endpoint.asked) == asked + 1
        assert found(alice, "anything") == [id]


@pytest.mark.requirement("institutional.update.not-found", "institutional.errors.item-not-found")
def test_an_id_that_does_not_exist_creates_nothing(premises: Premises, alice: Caller) -> None:
    assert error(alice, UPDATE, id=UNKNOWN_ID, summary="New") == NOT_FOUND
    assert premises.count() == 0


@pytest.mark.requirement("institutional.expect.others-items", "institutional.update.text-fields")
def test_anothers_item_is_updated_only_with_the_scope_for_it(
    premises: Premises, alice: Caller, bob: Caller
) -> None:
    id = captured_id(alice)
    refused = bob.failure(UPDATE, id=id, summary="By somebody else")
    assert refused["code"] == "auth.not_owner"
    assert "knowledge:write_others" in refused["error"]
    entrusted = premises.caller("bob", scopes=",".join(Scope))
    assert update(entrusted, id, summary="By somebody else")["summary"] == "By somebody else"


@pytest.mark.requirement("institutional.update.example")
def test_the_documented_call(alice: Caller, clock: SteppingClock) -> None:
    before = capture(alice, **FULL, id=UNKNOWN_ID)
    clock.advance(1)
    changes = {
        "summary": "Fix race condition (updated with more details)",
        "solution_verified": True,
    }
    after = update(alice, UNKNOWN_ID, **changes)
    assert after == {**before, **changes, "updated_at": "2030-01-01T00:00:01.000Z"}
