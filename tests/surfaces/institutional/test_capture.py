"""What capture_knowledge answers, under which id, and that an item is found at once."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from tests.stores import START, SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.steps import (
    CAPTURE,
    MINIMAL,
    capture,
    captured_id,
    data,
    delete,
    failure,
    found,
    get,
    listed,
    update,
)
from tests.surfaces.nearness import near

GENERATED = re.compile(r"ki-(\d+)-[0-9a-z]{1,7}")
FULL = {
    "summary": "Fix race condition in API",
    "content": "Added mutex lock around shared state access...",
    "type": "solution",
    "project": "my-api",
    "file_context": "src/handlers/user.ts",
    "tags": ["concurrency", "bugfix"],
    "decision_rationale": "A queue would have been slower.",
    "alternatives_considered": ["a queue", "one process"],
    "solution_verified": True,
    "related_issues": ["API-7", "API-12"],
}


@pytest.mark.requirement(
    "institutional.capture.minimal",
    "institutional.capture.output-fields",
    "institutional.capture.tags-null-when-absent",
    "institutional.capture.verified-default-false",
    "institutional.capture.timestamps-iso",
    "institutional.capture.timestamps-ms-z",
    "institutional.capture.timestamps-equal-at-first",
)
def test_five_arguments_are_enough(alice: Caller, clock: SteppingClock) -> None:
    clock.advance(12.345)
    item = data(alice, CAPTURE, **MINIMAL)
    id = item.pop("id")
    moment = "2030-01-01T00:00:12.345Z"
    assert item == {
        **MINIMAL,
        "tags": None,
        "decision_rationale": None,
        "alternatives_considered": None,
        "solution_verified": False,
        "related_issues": None,
        "created_at": moment,
        "updated_at": moment,
    }
    assert datetime.fromisoformat(moment) == clock()
    shown = get(alice, id)
    assert {name: shown[name] for name in item} == item


@pytest.mark.requirement(
    "institutional.capture.output-fields",
    "institutional.capture.decision-rationale",
    "institutional.capture.alternatives-considered",
    "institutional.capture.solution-verified",
    "institutional.capture.related-issues",
    "institutional.get.optional-fields-shown",
)
def test_everything_that_is_given_comes_back(alice: Caller) -> None:
    item = capture(alice, **FULL)
    shown = get(alice, item["id"])
    assert {name: item[name] for name in FULL} == FULL
    assert {name: shown[name] for name in FULL} == FULL


@pytest.mark.requirement("institutional.capture.tags-optional")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["zeta", "Alpha", "m n", "日本"], ["zeta", "Alpha", "m n", "日本"]),
        (["b", "a", "b"], ["b", "a"]),
        (["x" * 100, *map(str, range(63))], ["x" * 100, *map(str, range(63))]),
        ([], None),
        (None, None),
    ],
)
def test_tags_keep_their_order(
    alice: Caller, given: list[str] | None, kept: list[str] | None
) -> None:
    item = capture(alice, tags=given)
    assert item["tags"] == get(alice, item["id"])["tags"] == kept


@pytest.mark.requirement("institutional.capture.id-generated", "institutional.capture.id-form")
def test_every_item_gets_an_id_of_its_own(premises: Premises, alice: Caller) -> None:
    ids = [captured_id(alice) for _ in range(20)]
    forms = [GENERATED.fullmatch(id) for id in ids]
    assert {form and int(form[1]) for form in forms} == {int(START.timestamp() * 1000)}
    assert len(set(ids)) == premises.count() == 20


@pytest.mark.requirement("institutional.capture.caller-id", "institutional.get.example")
@pytest.mark.parametrize("id", ["ki-1234567890-abc123", "x", "the / 日本 one", "i" * 200])
def test_an_item_is_kept_under_the_id_that_is_given(alice: Caller, id: str) -> None:
    assert capture(alice, id=id, summary="Mine")["id"] == id
    assert get(alice, id)["summary"] == "Mine"
    assert listed(alice) == [id]


@pytest.mark.requirement(
    "institutional.capture.caller-id-duplicate", "institutional.errors.database-error"
)
def test_an_id_that_exists_is_refused(premises: Premises, alice: Caller, bob: Caller) -> None:
    first = capture(alice, id="ours", summary="First", content=near(90))
    for caller in (alice, bob):
        answer = failure(caller, CAPTURE, **MINIMAL, id="ours")
        assert answer["error"].startswith("Database error"), answer
        assert answer["code"] == "knowledge.conflict"
    assert premises.count() == 1
    shown = get(alice, "ours")
    assert {name: shown[name] for name in first} == first
    assert found(alice, "anything") == ["ours"]


@pytest.mark.requirement("institutional.capture.caller-id-duplicate")
def test_the_id_of_a_deleted_item_is_not_given_again(alice: Caller) -> None:
    """Its history is kept under it."""
    delete(alice, captured_id(alice, id="once"))
    answer = failure(alice, CAPTURE, **MINIMAL, id="once")
    assert answer["code"] == "knowledge.conflict"
    assert "or was deleted and keeps it; leave the id out" in answer["error"]


@pytest.mark.requirement("institutional.capture.embeds-at-once", "institutional.update.re-embeds")
def test_an_item_is_found_by_meaning_at_once(alice: Caller) -> None:
    """There is no worker here: nobody but the call itself can have embedded it."""
    far, close = captured_id(alice, content=near(20)), captured_id(alice, content=near(80))
    assert found(alice, "anything") == [close, far]
    update(alice, far, content=near(95))
    assert found(alice, "anything") == [far, close]


@pytest.mark.requirement("institutional.capture.example")
def test_the_documented_call(alice: Caller) -> None:
    given = {
        "summary": "Fix race condition in API",
        "content": "Added mutex lock around shared state access...",
        "type": "solution",
        "project": "my-api",
        "file_context": "src/handlers/user.ts",
        "tags": ["concurrency", "bugfix"],
        "solution_verified": True,
    }
    item = data(alice, CAPTURE, **given)
    assert {name: item[name] for name in given} == given
    shown = get(alice, item["id"])
    assert {name: shown[name] for name in item} == item
