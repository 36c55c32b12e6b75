"""Every argument of store_knowledge: what is taken, what is refused without a trace."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from tests.stores import ONE_STORE, START
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.notes.steps import (
    STORE,
    entry,
    found,
    refuse,
    refuse_stores,
    search,
    store,
    stored_id,
)

TASK = "0b5c1d0e-9f7a-4c3b-8d2e-1a2b3c4d5e6f"


def in_seconds(seconds: float) -> str:
    return (START + timedelta(seconds=seconds)).isoformat()


@pytest.mark.requirement("notes.store.minimal-call", "notes.store.tags-optional")
def test_title_and_body_are_enough(alice: Caller) -> None:
    stored = store(alice, title="T", body="B")
    assert (stored["title"], stored["tags"]) == ("T", [])
    shown = entry(alice, stored["id"])
    assert (shown["title"], shown["body"], shown["tags"]) == ("T", "B", [])


@pytest.mark.requirement("notes.store.title-required", "notes.store.body-required")
@pytest.mark.parametrize(("given", "missing"), [("body", "title"), ("title", "body")])
@ONE_STORE
def test_title_and_body_are_required(guarded: Premises, given: str, missing: str) -> None:
    alice = guarded.caller()
    refuse(alice, STORE, missing, **{given: "something"})
    assert guarded.count() == 0
    store(alice)


@pytest.mark.requirement(
    "notes.store.title-type",
    "notes.store.title-length",
    "notes.store.body-type",
    "notes.store.body-length",
)
@pytest.mark.parametrize(("argument", "longest"), [("title", 200), ("body", 32_000)])
@ONE_STORE
def test_texts_of_the_wrong_kind_or_length(guarded: Premises, argument: str, longest: int) -> None:
    wrong: list[Any] = [7, ["text"], None, True, {"text": "t"}]
    empty = ["", " ", " \t\n"]
    refuse_stores(guarded, guarded.caller(), argument, *wrong, *empty, "x" * (longest + 1))


@pytest.mark.requirement(
    "notes.store.title-length", "notes.store.body-length", "notes.expect.lengths-in-characters"
)
def test_the_longest_texts_are_kept_whole(alice: Caller) -> None:
    for letter in "xй漢🦊":
        title, body = letter * 200, letter * 32_000
        shown = entry(alice, stored_id(alice, title=title, body=body))
        assert (shown["title"], shown["body"]) == (title, body), letter
        refuse(alice, STORE, "title", title=letter * 201, body="b")
        refuse(alice, STORE, "body", title="t", body=letter * 32_001)


@pytest.mark.requirement("notes.store.tags-type", "notes.store.tags-count")
@ONE_STORE
def test_tags_must_be_a_short_list_of_texts(guarded: Premises) -> None:
    many = [f"tag-{number}" for number in range(17)]
    wrong: list[Any] = ["api", ["api", 7], [["api"]], {"api": True}, 7, many]
    refuse_stores(guarded, guarded.caller(), "tags", *wrong)


@pytest.mark.requirement("notes.store.tags-count")
@pytest.mark.parametrize("count", [0, 16])
def test_up_to_sixteen_tags_are_kept(alice: Caller, count: int) -> None:
    tags = [f"tag-{number}" for number in range(count)]
    stored = store(alice, tags=tags)
    assert stored["tags"] == entry(alice, stored["id"])["tags"] == tags


@pytest.mark.requirement("notes.store.tags-mixed-case-normalised", "notes.store.tags-deduplicated")
@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (["Data-Base"], ["data-base"]),
        (["Api", "api", "API"], ["api"]),
        (["B2B", "a", "b2b", "A"], ["b2b", "a"]),
    ],
)
def test_tags_are_lower_cased_and_kept_once(
    alice: Caller, given: list[str], kept: list[str]
) -> None:
    stored = store(alice, tags=given, title="Tagged")
    assert stored["tags"] == kept
    assert search(alice, "tagged")[0]["tags"] == kept


@pytest.mark.requirement("notes.store.tags-kebab-pattern")
@pytest.mark.parametrize("tag", ["a", "a1", "a-b-2", "7", "x" * 100])
def test_a_kebab_case_tag_is_taken(alice: Caller, tag: str) -> None:
    assert store(alice, tags=[tag])["tags"] == [tag]


@pytest.mark.requirement("notes.store.tags-kebab-enforced", "notes.store.tags-kebab-pattern")
@ONE_STORE
def test_any_other_tag_is_refused(guarded: Premises) -> None:
    wrong = [
        "",
        " ",
        "two words",
        "snake_case",
        "-a",
        "a-",
        "a--b",
        "é",
        "标签",
        "a.b",
        "a\n",
        "a\0",
    ]
    refuse_stores(guarded, guarded.caller(), "tags", *([tag] for tag in [*wrong, "x" * 101]))


@pytest.mark.requirement("notes.store.tags-kebab-enforced")
@ONE_STORE
def test_one_bad_tag_refuses_all_of_them(guarded: Premises) -> None:
    refuse_stores(guarded, guarded.caller(), "tags", ["good", "not good", "fine"])


@pytest.mark.requirement(
    "notes.store.confidence-range",
    "notes.store.confidence-fraction",
    "notes.store.confidence-default",
)
@pytest.mark.parametrize("confidence", [0, 100, 72.5, 0.1, 99.999, None])
def test_confidence_is_kept_as_given(alice: Caller, confidence: float | None) -> None:
    given = {} if confidence is None else {"confidence": confidence}
    expected = 80 if confidence is None else confidence
    stored = store(alice, title="Sure", **given)
    shown = entry(alice, stored["id"])
    (hit,) = search(alice, "sure")
    assert stored["confidence"] == shown["confidence"] == hit["confidence"] == expected


@pytest.mark.requirement(
    "notes.store.confidence-range", "notes.store.confidence-type", "notes.store.confidence-fraction"
)
@ONE_STORE
def test_any_other_confidence_is_refused(guarded: Premises) -> None:
    wrong: list[Any] = [-1, 101, 100.1, -0.1, "high", "80", [80], True]
    refuse_stores(guarded, guarded.caller(), "confidence", *wrong)


@pytest.mark.requirement("notes.store.expires-at-optional")
def test_without_an_expiry_an_entry_stays(premises: Premises, alice: Caller, clock: Any) -> None:
    stored = store(alice, title="Forever")
    assert stored["expiresAt"] is None
    clock.advance(100 * 366 * 24 * 3600)
    assert found(alice, "forever") == [stored["id"]]
    assert not entry(alice, stored["id"])["expired"]


@pytest.mark.requirement("notes.store.expires-at-future", "notes.store.expires-at-offset")
@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("2030-01-01T00:00:05Z", "2030-01-01T00:00:05.000Z"),
        ("2030-01-01T00:00:00.001Z", "2030-01-01T00:00:00.001Z"),
        ("2030-01-01T03:00:00+02:00", "2030-01-01T01:00:00.000Z"),
        ("2029-12-31T20:00:00-05:00", "2030-01-01T01:00:00.000Z"),
        ("2030-01-01T06:30:00+05:30", "2030-01-01T01:00:00.000Z"),
        ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59.000Z"),
    ],
)
def test_an_expiry_ahead_is_taken_as_an_instant(alice: Caller, given: str, shown: str) -> None:
    stored = store(alice, expiresAt=given)
    assert stored["expiresAt"] == entry(alice, stored["id"])["expiresAt"] == shown


@pytest.mark.requirement(
    "notes.store.expires-at-future",
    "notes.store.expires-at-now-refused",
    "notes.store.expires-at-offset",
)
def test_an_expiry_that_is_not_ahead_is_refused(guarded: Premises) -> None:
    an_hour_ago = ["2030-01-01T01:00:00+02:00", "2029-12-31T18:00:00-05:00", in_seconds(-3600)]
    refuse_stores(
        guarded, guarded.caller(), "expiresAt", in_seconds(0), in_seconds(-1), *an_hour_ago
    )


@pytest.mark.requirement("notes.store.expires-at-format")
@ONE_STORE
def test_an_expiry_that_is_no_timestamp_is_refused(guarded: Premises) -> None:
    words = ["tomorrow", "31/12/2030", "", "2031", "2031-13-01T00:00:00Z", "2031-02-30T00:00:00Z"]
    beyond = ["9999-12-31T23:59:59-23:00", "0001-01-01T00:00:00+10:00", "2031-01-01T25:00:00Z"]
    wrong: list[Any] = [*words, *beyond, 1924991999, ["2031-01-01T00:00:00Z"], True]
    refuse_stores(guarded, guarded.caller(), "expiresAt", *wrong)


@pytest.mark.requirement("notes.store.task-ref-optional")
def test_without_a_task_an_entry_has_no_link(alice: Caller) -> None:
    assert entry(alice, stored_id(alice))["taskRefs"] == []


@pytest.mark.requirement(
    "notes.store.task-ref-kinds", "notes.store.task-ref-edge", "notes.store.task-ref-unknown-task"
)
@pytest.mark.parametrize("kind", ["references", "produced"])
def test_a_link_to_a_task_is_kept(alice: Caller, bob: Caller, kind: str) -> None:
    task = {"taskId": str(uuid4()), "kind": kind}
    id = stored_id(alice, taskRef=task)
    assert entry(alice, id)["taskRefs"] == entry(bob, id)["taskRefs"] == [task]


@pytest.mark.requirement(
    "notes.store.task-ref-kinds", "notes.store.task-ref-both-fields", "notes.store.task-ref-uuid"
)
@ONE_STORE
def test_any_other_link_is_refused(guarded: Premises) -> None:
    whole = {"taskId": TASK, "kind": "produced"}
    kinds: list[Any] = ["blocks", "Produced", "", None, 7]
    ids: list[Any] = ["task-1", "", TASK[:-1], TASK.replace("-", ""), f"{{{TASK}}}", 7, None]
    wrong: list[Any] = [{"taskId": TASK}, {"kind": "produced"}, {}, TASK, [whole], 7]
    wrong += [{**whole, "kind": kind} for kind in kinds]
    wrong += [{**whole, "taskId": id} for id in ids]
    refuse_stores(guarded, guarded.caller(), "taskRef", *wrong, {**whole, "extra": 1})


@pytest.mark.requirement("notes.store.client-token-uuid")
@ONE_STORE
def test_a_token_that_is_no_uuid_is_refused(guarded: Premises) -> None:
    wrong: list[Any] = ["once", "", TASK[:-1], TASK + "0", f"urn:uuid:{TASK}", 7, [TASK]]
    refuse_stores(guarded, guarded.caller(), "clientToken", *wrong)


@pytest.mark.requirement("notes.store.client-token-uuid")
def test_a_uuid_is_a_token_however_it_is_written(alice: Caller) -> None:
    assert store(alice, clientToken=TASK) == store(alice, clientToken=TASK.upper())


@pytest.mark.requirement("notes.store.owner-not-settable")
@pytest.mark.parametrize("argument", ["createdByAgentId", "source", "agent", "org", "expires_at"])
@ONE_STORE
def test_an_argument_that_does_not_exist_is_refused(guarded: Premises, argument: str) -> None:
    refuse_stores(guarded, guarded.caller(), argument, "someone else")


@pytest.mark.requirement("notes.expect.clean-errors")
@ONE_STORE
def test_everything_that_is_wrong_is_named_at_once(alice: Caller) -> None:
    error = alice.refusal(STORE, body=7, tags=["a b"], confidence=-1, surprise=1)
    named = ["title", "body", "tags", "confidence", "surprise"]
    assert [name for name in named if f"{name}:" in error["message"]] == named
