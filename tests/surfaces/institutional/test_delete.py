"""delete_knowledge: the item is gone from every list and search, and nothing else is."""

from __future__ import annotations

from typing import Any

import pytest

from commonplace.model.actor import Scope
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.steps import (
    DELETE,
    GET,
    NOT_FOUND,
    UNKNOWN_ID,
    UPDATE,
    capture,
    captured_id,
    delete,
    error,
    found,
    get,
    page,
    refuse,
    retrieved,
    tiered,
)
from tests.surfaces.nearness import near


@pytest.mark.requirement("institutional.delete.id-required")
def test_an_id_is_required(alice: Caller) -> None:
    refuse(alice, DELETE, "id")
    wrong: list[Any] = [None, 7, ["a"], "", " ", "a\0b", "\ud800", "i" * 201]
    for id in wrong:
        refuse(alice, DELETE, "id", id=id)
    refuse(alice, DELETE, "force", id="x", force=True)


@pytest.mark.requirement(
    "institutional.delete.output",
    "institutional.delete.gone",
    "institutional.delete.others-stay",
    "institutional.errors.item-not-found",
)
def test_a_deleted_item_is_gone_and_others_stay(alice: Caller) -> None:
    gone = captured_id(alice, type="win", content=near(90))
    left = capture(alice, type="win", content=near(80))
    assert delete(alice, gone) == {"id": gone}
    assert error(alice, GET, id=gone) == NOT_FOUND
    assert error(alice, UPDATE, id=gone, summary="Back") == NOT_FOUND
    assert [item["id"] for item in page(alice)["items"]] == [left["id"]]
    assert page(alice, type="win")["total"] == 1
    assert found(alice, "anything") == [left["id"]]
    assert retrieved(alice, "anything") == retrieved(alice, "") == [left["id"]]
    fingerprint = tiered(alice, "anything")["tier1"]["fingerprint"]
    assert fingerprint == {"total_items": 1, "by_type": {"win": 1}, "recent_wins": 1}
    shown = get(alice, left["id"])
    assert {name: shown[name] for name in left} == left


@pytest.mark.requirement("institutional.delete.twice", "institutional.delete.not-found")
def test_what_is_not_there_cannot_be_deleted(alice: Caller) -> None:
    id = captured_id(alice)
    delete(alice, id)
    assert error(alice, DELETE, id=id) == NOT_FOUND
    assert error(alice, DELETE, id=UNKNOWN_ID) == NOT_FOUND


@pytest.mark.requirement("institutional.expect.others-items", "institutional.delete.output")
def test_anothers_item_is_deleted_only_with_the_scope_for_it(
    premises: Premises, alice: Caller, bob: Caller
) -> None:
    id = captured_id(alice)
    assert bob.failure(DELETE, id=id)["code"] == "auth.not_owner"
    rejecting = bob.failure("provide_feedback", item_id=id, action="reject")
    assert rejecting["code"] == "auth.not_owner"
    assert get(alice, id)["id"] == id
    assert delete(premises.caller("bob", scopes=",".join(Scope)), id) == {"id": id}
    assert error(alice, GET, id=id) == NOT_FOUND


@pytest.mark.requirement("institutional.delete.example")
def test_the_documented_call(alice: Caller) -> None:
    capture(alice, id="ki-1234567890-abc123")
    assert delete(alice, "ki-1234567890-abc123") == {"id": "ki-1234567890-abc123"}
