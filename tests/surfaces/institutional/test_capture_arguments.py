"""Every argument of capture_knowledge: what is taken, what is refused without a trace."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.steps import CAPTURE, MINIMAL, capture, error, get, refuse

NUL, HALF = "a\0b", "half \ud800 of a pair"
NO_TEXT: list[Any] = [7, 1.5, True, ["text"], {"text": "t"}]
REQUIRED_TEXTS = [
    ("summary", 2000),
    ("content", 1_000_000),
    ("project", 2000),
    ("file_context", 2000),
]


def refuse_captures(premises: Premises, caller: Caller, argument: str, *values: Any) -> None:
    """None of these may be stored, and what is good still is afterwards."""
    for value in values:
        refuse(caller, CAPTURE, argument, **{**MINIMAL, argument: value})
    assert premises.count() == 0
    capture(caller)


@pytest.mark.requirement(
    "institutional.capture.summary-required",
    "institutional.capture.content-required",
    "institutional.capture.project-required",
    "institutional.capture.file-context-required",
    "institutional.capture.type-required",
    "institutional.errors.validation-error",
)
@ONE_STORE
def test_five_arguments_are_required(premises: Premises, alice: Caller) -> None:
    for name in MINIMAL:
        given = {other: value for other, value in MINIMAL.items() if other != name}
        refuse(alice, CAPTURE, name, **given)
    assert premises.count() == 0


@pytest.mark.requirement(
    "institutional.capture.summary-required",
    "institutional.capture.content-required",
    "institutional.capture.project-required",
    "institutional.capture.file-context-required",
    "institutional.capture.string-types",
)
@pytest.mark.parametrize(("argument", "longest"), REQUIRED_TEXTS)
@ONE_STORE
def test_texts_of_the_wrong_kind_or_length(
    premises: Premises, alice: Caller, argument: str, longest: int
) -> None:
    blank: list[Any] = [None, "", " ", " \t\n\u3000"]
    unfit: list[Any] = [NUL, HALF, "x" * (longest + 1)]
    refuse_captures(premises, alice, argument, *NO_TEXT, *blank, *unfit)


@pytest.mark.requirement(
    "institutional.capture.summary-required",
    "institutional.capture.content-required",
    "institutional.capture.project-required",
    "institutional.capture.file-context-required",
)
@pytest.mark.parametrize("text", ["x", "漢", "🦊"])
def test_one_character_is_enough(alice: Caller, text: str) -> None:
    given = {name: text for name, _ in REQUIRED_TEXTS}
    item = capture(alice, **given)
    shown = get(alice, item["id"])
    assert {name: shown[name] for name in given} == given


@pytest.mark.requirement("institutional.capture.summary-required")
def test_the_longest_names_are_kept_whole(alice: Caller) -> None:
    given = {name: "й" * longest for name, longest in REQUIRED_TEXTS if name != "content"}
    shown = get(alice, capture(alice, **given)["id"])
    assert {name: shown[name] for name in given} == given


@pytest.mark.requirement("institutional.capture.type-values")
def test_an_item_has_one_of_five_types(premises: Premises, alice: Caller) -> None:
    wrong: list[Any] = ["note", "Solution", "solution ", "", None, 7, ["solution"]]
    refuse_captures(premises, alice, "type", *wrong)
    for kind in ("solution", "pattern", "gotcha", "win", "troubleshooting"):
        assert capture(alice, type=kind)["type"] == kind


@pytest.mark.requirement("institutional.capture.tags-optional")
@ONE_STORE
def test_tags_of_the_wrong_kind_or_number(premises: Premises, alice: Caller) -> None:
    lists: list[Any] = ["concurrency", 7, True, {"a": "b"}]
    held: list[Any] = [["a", 7], [None], [["a"]], ["a", ""], [" "], [NUL], [HALF], ["x" * 101]]
    refuse_captures(premises, alice, "tags", *lists, *held, [str(n) for n in range(65)])


@pytest.mark.requirement(
    "institutional.capture.alternatives-considered", "institutional.capture.related-issues"
)
@pytest.mark.parametrize("argument", ["alternatives_considered", "related_issues"])
@ONE_STORE
def test_lists_of_the_wrong_kind(premises: Premises, alice: Caller, argument: str) -> None:
    wrong: list[Any] = ["one", 7, {"a": "b"}, ["a", 7], [None], [NUL], [HALF], ["x" * 100_001]]
    refuse_captures(premises, alice, argument, *wrong)


@pytest.mark.requirement("institutional.capture.decision-rationale")
@ONE_STORE
def test_a_rationale_of_the_wrong_kind(premises: Premises, alice: Caller) -> None:
    refuse_captures(premises, alice, "decision_rationale", *NO_TEXT, NUL, HALF, "x" * 100_001)


@pytest.mark.requirement("institutional.capture.solution-verified")
def test_only_true_and_false_say_whether_it_is_verified(premises: Premises, alice: Caller) -> None:
    wrong: list[Any] = ["maybe", "true", "", 1, 0, [True]]
    refuse_captures(premises, alice, "solution_verified", *wrong)
    for given in (True, False):
        assert capture(alice, solution_verified=given)["solution_verified"] is given


@pytest.mark.requirement("institutional.capture.caller-id")
@ONE_STORE
def test_an_id_of_the_wrong_kind(premises: Premises, alice: Caller) -> None:
    refuse_captures(premises, alice, "id", *NO_TEXT, "", " ", NUL, HALF, "i" * 201)


@pytest.mark.requirement("institutional.errors.validation-error")
@pytest.mark.parametrize("argument", ["created_at", "access_count", "Summary", "org"])
@ONE_STORE
def test_an_argument_that_does_not_exist_is_refused(
    premises: Premises, alice: Caller, argument: str
) -> None:
    refuse_captures(premises, alice, argument, "anything")


@pytest.mark.requirement("institutional.errors.validation-error")
@ONE_STORE
def test_everything_that_is_wrong_is_named_at_once(alice: Caller) -> None:
    said = error(alice, CAPTURE, content=7, type="note", tags=[1], surprise=1)
    named = ["summary", "content", "type", "project", "file_context", "tags.0", "surprise"]
    assert [name for name in named if f"{name}:" in said] == named
