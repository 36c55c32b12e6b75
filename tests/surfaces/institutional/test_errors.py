"""Every failure: its sentence, that nothing is given away, and what helps against it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from tests.surfaces.clients import GIVEN_AWAY, Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.conversation import STORY, calls
from tests.surfaces.institutional.steps import (
    ALL_TOOLS,
    AUTO_CAPTURE,
    CAPTURE,
    CONFIDENCE,
    DELETE,
    DETECT,
    EMBED,
    GET,
    LIST,
    MINIMAL,
    NOT_FOUND,
    PROVIDE,
    RECORD,
    SEARCH,
    SENTIMENT,
    TIERED,
    UNKNOWN_ID,
    UPDATE,
    capture,
    captured_id,
    data,
    error,
    failure,
    found,
    get,
    page,
    refuse,
    tiered,
)
from tests.surfaces.nearness import embedded_at, near

AWAY = "http://127.0.0.1:9/v1"
SAID = {"id": "detect-123", "feedback": "confirm", "confidence": 0.5}
JUDGED = {"item_id": UNKNOWN_ID, "action": "confirm"}
# Tool, argument, arguments of which that one is missing, of the wrong type or out of bounds.
WRONG: list[tuple[str, str, dict[str, Any]]] = [
    (CAPTURE, "content", {**MINIMAL, "content": ""}),
    (GET, "id", {}),
    (LIST, "limit", {"limit": 101}),
    (UPDATE, "tags", {"id": UNKNOWN_ID, "tags": "a"}),
    (DELETE, "id", {"id": 7}),
    (SEARCH, "query", {"query": 7}),
    (SEARCH, "tags", {"query": "x", "tags": [7]}),
    (SEARCH, "project", {"query": "x", "project": 7}),
    (EMBED, "batch_size", {"batch_size": 101}),
    (TIERED, "query", {"query": 7}),
    (TIERED, "threshold", {"query": "x", "tier2_options": {"threshold": 2}}),
    (TIERED, "tier3_options", {"query": "x", "tier3_options": []}),
    (DETECT, "text", {"text": "short"}),
    (SENTIMENT, "min_delta", {"text": "x", "min_delta": "big"}),
    (CONFIDENCE, "custom_weights", {"text": "x", "custom_weights": {"pattern": "big"}}),
    (AUTO_CAPTURE, "text", {"text": "too short to be a moment"}),
    (AUTO_CAPTURE, "auto_save", {"text": STORY, "auto_save": "yes"}),
    (PROVIDE, "action", {**JUDGED, "action": "agree"}),
    (PROVIDE, "comment", {**JUDGED, "comment": 7}),
    (RECORD, "confidence", {**SAID, "confidence": 2}),
    (RECORD, "factors", {**SAID, "factors": [7]}),
]


@pytest.mark.requirement(
    "institutional.errors.shape",
    "institutional.errors.string-not-object",
    "institutional.errors.validation-error",
    "institutional.expect.unknown-argument",
)
def test_bad_arguments_are_named_and_nothing_is_written(premises: Premises, alice: Caller) -> None:
    assert {tool for tool, _, _ in WRONG} == ALL_TOOLS
    for tool, argument, given in WRONG:
        refuse(alice, tool, argument, **given)
        assert not GIVEN_AWAY.search(error(alice, tool, **given)), tool
        refuse(alice, tool, "surprise", **given, surprise=1)
    assert premises.count() == 0


@pytest.mark.requirement("institutional.errors.item-not-found")
def test_an_item_that_does_not_exist(alice: Caller) -> None:
    missing = [(GET, {"id": UNKNOWN_ID}), (UPDATE, {"id": UNKNOWN_ID, "summary": "x"})]
    missing.append((DELETE, {"id": UNKNOWN_ID}))
    actions = ("confirm", "reject", "modify")
    missing += [(PROVIDE, {"item_id": UNKNOWN_ID, "action": action}) for action in actions]
    for tool, given in missing:
        assert failure(alice, tool, **given) == {
            "success": False,
            "error": NOT_FOUND,
            "code": "knowledge.not_found",
        }


@pytest.mark.requirement("institutional.errors.item-not-found")
def test_what_another_dialect_keeps_is_no_item(alice: Caller) -> None:
    note = alice.call("store_knowledge", title="A note", body=near(90))["id"]
    for tool in (GET, DELETE):
        assert error(alice, tool, id=note) == NOT_FOUND
    assert error(alice, UPDATE, id=note, summary="Taken over") == NOT_FOUND
    assert page(alice)["total"] == 0
    assert found(alice, "anything") == []


@pytest.mark.requirement("institutional.errors.database-error", "institutional.errors.shape")
def test_a_violated_constraint(alice: Caller) -> None:
    captured_id(alice, id="taken")
    said = error(alice, CAPTURE, **MINIMAL, id="taken")
    assert said.startswith("Database error: ")
    assert not GIVEN_AWAY.search(said)


@pytest.mark.requirement("institutional.errors.database-error", "institutional.errors.shape")
def test_a_store_that_cannot_be_opened(shut: Premises) -> None:
    answer = failure(shut.caller(), CAPTURE, **MINIMAL)
    assert answer["code"] == "storage.unavailable"
    assert answer["error"].startswith("Database error: ")
    assert not GIVEN_AWAY.search(answer["error"]), answer


@pytest.mark.requirement(
    "institutional.errors.embeddings-not-generated", "institutional.capture.without-model"
)
def test_what_was_captured_without_a_model_is_embedded_later(
    open_premises: OpenPremises, endpoint: str
) -> None:
    without = open_premises(**embedded_at(AWAY)).caller()
    late = captured_id(without, content=near(90))
    alice = open_premises(**embedded_at(endpoint)).caller()
    early = captured_id(alice, content=near(80))
    answer = failure(alice, SEARCH, query="anything")
    assert answer["error"] == "Embeddings not generated for some items"
    assert [hit["id"] for hit in answer["data"]["results"]] == [early]
    assert answer["data"]["total_results"] == 1
    counts = data(alice, EMBED)
    assert (counts["generated"], counts["skipped"]) == (1, 1)
    assert found(alice, "anything") == [late, early]


@pytest.mark.requirement("institutional.errors.model-not-loaded")
def test_without_a_model_only_meaning_is_missing(open_premises: OpenPremises) -> None:
    premises = open_premises(**embedded_at(AWAY))
    alice = premises.caller()
    item = capture(alice)
    meaning: list[tuple[str, dict[str, Any]]] = [
        (SEARCH, {"query": "anything"}),
        (EMBED, {}),
        (EMBED, {"force": True}),
    ]
    for tool, given in meaning:
        answer = failure(alice, tool, **given)
        assert answer["error"].startswith("Model not loaded: "), answer
        assert answer["code"] == "embedding.unavailable"
        assert not GIVEN_AWAY.search(answer["error"]), answer
    assert get(alice, item["id"])["summary"] == item["summary"]
    assert page(alice)["total"] == 1
    assert tiered(alice, "anything")["tier1"]["fingerprint"]["total_items"] == 1


@pytest.mark.requirement("institutional.errors.shape", "institutional.errors.string-not-object")
def test_every_tool_says_that_a_damaged_store_fails(
    open_premises: OpenPremises, dialect: str, tmp_path: Path
) -> None:
    """Whatever goes wrong below is one sentence in the envelope."""
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "commonplace.db").write_bytes(b"no database at all, whatever its name is" * 100)
    away = SecretStr("postgresql://someone:hunter2@127.0.0.1:9/nowhere")
    database = away if dialect == "postgres" else None
    alice = open_premises(home=broken, database_url=database).caller()
    for tool, given, _ in calls(UNKNOWN_ID):
        answer = failure(alice, tool, **given)
        assert answer["error"].startswith("Database error: "), (tool, answer)
        assert not GIVEN_AWAY.search(answer["error"]), (tool, answer)
