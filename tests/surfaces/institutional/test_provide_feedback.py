"""provide_feedback: an item is kept, deleted or marked for editing, and the word is recorded."""

from __future__ import annotations

from typing import Any

import pytest
from mcp_types import TextContent

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.contents import stored_rows, stored_text
from tests.surfaces.institutional.reports import CLEARED, saved
from tests.surfaces.institutional.steps import (
    GET,
    NOT_FOUND,
    PROVIDE,
    RECORD,
    UNKNOWN_ID,
    captured_id,
    data,
    delete,
    error,
    found,
    get,
    listed,
    refuse,
    retrieved,
    update,
)

ACTIONS = ("confirm", "reject", "modify")


def judge(caller: Caller, id: str, action: str, **given: Any) -> str:
    return caller.text(PROVIDE, item_id=id, action=action, **given)


def said_before(caller: Caller) -> tuple[int, int]:
    """How much was confirmed and rejected; asking adds one confirmation, which is not counted."""
    stats = data(caller, RECORD, id="probe", feedback="confirm", confidence=0.5)["stats"]
    return stats["confirmed"] - 1, stats["rejected"]


@pytest.mark.requirement(
    "institutional.provide-feedback.item-id-required",
    "institutional.provide-feedback.action-required",
    "institutional.provide-feedback.action-values",
)
def test_wrong_arguments_change_nothing(alice: Caller) -> None:
    id = captured_id(alice)
    refuse(alice, PROVIDE, "item_id", action="reject")
    for item_id in (None, 7, [id], ""):
        refuse(alice, PROVIDE, "item_id", item_id=item_id, action="reject")
    refuse(alice, PROVIDE, "action", item_id=id)
    for action in ("delete", "Reject", "", None, 7, ["reject"]):
        refuse(alice, PROVIDE, "action", item_id=id, action=action)
    refuse(alice, PROVIDE, "id", id=id, item_id=id, action="reject")
    assert listed(alice) == [id]
    assert said_before(alice) == (0, 0)


@pytest.mark.requirement("institutional.provide-feedback.comment")
def test_a_comment_may_be_given(alice: Caller) -> None:
    id = captured_id(alice)
    for given in (
        {},
        {"comment": "It helped on Monday"},
        {"comment": ""},
        {"comment": "🦊\n\n# x"},
    ):
        judge(alice, id, "confirm", **given)
    assert "It helped on Monday" in judge(alice, id, "modify", comment="It helped on Monday")
    for comment in (7, ["a"], True):
        refuse(alice, PROVIDE, "comment", item_id=id, action="confirm", comment=comment)


@pytest.mark.requirement("institutional.provide-feedback.output")
def test_the_answer_is_one_text_that_names_action_and_item(alice: Caller) -> None:
    for action in ACTIONS:
        id = captured_id(alice)
        result = alice.ask(PROVIDE, item_id=id, action=action)
        (content,) = result.content
        assert isinstance(content, TextContent)
        assert result.structured_content is None
        assert id in content.text
        assert action in content.text.lower()


@pytest.mark.requirement("institutional.provide-feedback.confirm")
def test_confirming_keeps_the_item_as_it_is(alice: Caller, bob: Caller) -> None:
    for id in (captured_id(alice), saved(alice, CLEARED)):
        used = ("access_count", "last_accessed_at")
        before = {k: v for k, v in get(alice, id).items() if k not in used}
        for caller in (alice, bob):
            judge(caller, id, "confirm")
        assert {k: v for k, v in get(alice, id).items() if k not in used} == before


@pytest.mark.requirement("institutional.provide-feedback.reject")
def test_rejecting_deletes_the_item(premises: Premises, alice: Caller) -> None:
    kept = captured_id(alice, content="A lighthouse in the east")
    gone = [captured_id(alice, content="A lighthouse in the west"), saved(alice, CLEARED)]
    for id in gone:
        judge(alice, id, "reject")
        assert error(alice, GET, id=id) == NOT_FOUND
    premises.embed()
    for shown in (listed(alice), found(alice, "lighthouse"), retrieved(alice, "lighthouse")):
        assert set(shown) <= {kept}
    assert listed(alice) == [kept]


@pytest.mark.requirement("institutional.provide-feedback.modify")
def test_marking_for_editing_keeps_the_item(alice: Caller) -> None:
    id = captured_id(alice)
    assert "edit" in judge(alice, id, "modify").lower()
    assert update(alice, id, summary="A better summary")["summary"] == "A better summary"
    assert get(alice, id)["summary"] == "A better summary"


@pytest.mark.requirement("institutional.provide-feedback.unknown-item")
def test_an_item_that_is_not_there(alice: Caller, eve: Caller) -> None:
    foreign, deleted = captured_id(eve), captured_id(alice)
    delete(alice, deleted)
    for id in (UNKNOWN_ID, foreign, deleted, "anything"):
        for action in ACTIONS:
            assert error(alice, PROVIDE, item_id=id, action=action) == NOT_FOUND
    assert said_before(alice) == said_before(eve) == (0, 0)
    assert listed(eve) == [foreign]


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm-recorded",
    "institutional.provide-feedback.reject-recorded",
    "institutional.provide-feedback.modify-recorded",
)
@pytest.mark.parametrize(
    ("action", "counted"), [("confirm", (1, 0)), ("reject", (0, 1)), ("modify", (1, 0))]
)
def test_every_action_is_counted(alice: Caller, action: str, counted: tuple[int, int]) -> None:
    judge(alice, captured_id(alice), action)
    assert said_before(alice) == counted


@pytest.mark.requirement(
    "institutional.provide-feedback.reject", "institutional.provide-feedback.unknown-item"
)
def test_rejecting_twice_counts_once(alice: Caller) -> None:
    id = captured_id(alice)
    judge(alice, id, "reject")
    for action in ACTIONS:
        assert error(alice, PROVIDE, item_id=id, action=action) == NOT_FOUND
    assert said_before(alice) == (0, 1)


@pytest.mark.requirement("institutional.provide-feedback.example")
def test_the_documented_call(alice: Caller) -> None:
    id = captured_id(alice, id=UNKNOWN_ID)
    answer = judge(alice, id, "confirm", comment="This was very helpful!")
    assert "confirm" in answer.lower()
    assert "This was very helpful!" in answer
    assert listed(alice) == [id]


@pytest.mark.requirement("institutional.provide-feedback.comment-secrets")
def test_a_secret_in_a_comment_is_not_kept(premises: Premises, alice: Caller) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    judge(alice, captured_id(alice), "confirm", comment=f"Works with {secret} as the lighthouse")
    kept = stored_text(premises.settings)
    assert "as the lighthouse" in kept
    assert secret not in kept


@pytest.mark.requirement("institutional.provide-feedback.comment-secrets-shown")
@pytest.mark.parametrize("action", ACTIONS)
def test_a_secret_in_a_comment_is_not_shown_again(alice: Caller, action: str) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8"
    answer = judge(alice, captured_id(alice), action, comment=f"Works with {secret} at sea")
    assert secret not in answer
    assert "secret removed: GitHub token" in answer
    assert "at sea" in answer


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm-recorded",
    "institutional.provide-feedback.modify-recorded",
)
@pytest.mark.parametrize(("action", "word"), [("confirm", "confirmed"), ("modify", "modified")])
def test_what_was_said_is_recorded_by_its_word(
    premises: Premises, alice: Caller, action: str, word: str
) -> None:
    judge(alice, captured_id(alice), action)
    said = {
        one for one in ("confirmed", "modified") if f"user-{one}" in stored_rows(premises.settings)
    }
    assert said == {word}
