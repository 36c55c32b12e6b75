"""What auto_capture flags waits for a decision, which provide_feedback takes under its id."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.contents import stored_rows
from tests.surfaces.institutional.reports import CLEARED, SAID, SURE, auto_capture, flagged
from tests.surfaces.institutional.steps import (
    CONFIDENCE,
    GET,
    NOT_FOUND,
    PROVIDE,
    RECORD,
    data,
    error,
    found,
    get,
    listed,
    update,
)
from tests.surfaces.nearness import embedded_at

KNOWN = "Already Known, Not Captured"
ACTIONS = ("confirm", "reject", "modify")


def judge(caller: Caller, id: str, action: str) -> str:
    return caller.text(PROVIDE, item_id=id, action=action)


@pytest.mark.requirement(
    "institutional.auto-capture.section-flagged",
    "institutional.auto-capture.flagged-without-save",
    "institutional.provide-feedback.confirm",
)
def test_confirming_a_waiting_moment_makes_it_an_item(alice: Caller, bob: Caller) -> None:
    id = flagged(alice, CLEARED, preset="moderate")
    assert error(alice, GET, id=id) == NOT_FOUND
    answer = judge(bob, id, "confirm")
    (item_id,) = listed(alice)
    assert item_id in answer
    item = get(alice, item_id)
    assert (item["content"], item["summary"]) == (CLEARED, SAID)
    assert (item["type"], item["tags"]) == ("win", ["auto-captured"])
    assert (item["project"], item["file_context"]) == ("default", "unknown")
    assert found(alice, "cache") == [item_id]


@pytest.mark.requirement(
    "institutional.provide-feedback.modify", "institutional.provide-feedback.output"
)
def test_a_moment_that_needs_editing_becomes_an_item_to_edit(alice: Caller) -> None:
    answer = judge(alice, flagged(alice), "modify")
    (item_id,) = listed(alice)
    assert item_id in answer
    assert update(alice, item_id, summary="Clear the cache first")["content"] == CLEARED


@pytest.mark.requirement("institutional.provide-feedback.reject")
def test_a_rejected_moment_is_forgotten(premises: Premises, alice: Caller) -> None:
    id = flagged(alice)
    assert CLEARED in stored_rows(premises.settings)
    judge(alice, id, "reject")
    assert listed(alice) == []
    assert CLEARED not in stored_rows(premises.settings)


@pytest.mark.requirement(
    "institutional.provide-feedback.reject", "institutional.auto-capture.flagged-near"
)
def test_a_rejected_moment_is_not_flagged_again(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    judge(premises.caller(), flagged(premises.caller()), "reject")
    premises.close()
    alice = open_premises(**embedded_at(endpoint)).caller()
    for auto_save in (False, True):
        report = auto_capture(alice, CLEARED, threshold=0.8, auto_save=auto_save)
        assert report.counts == (1, 0, 0)
        assert "rejected before" in report.section(KNOWN)
    assert listed(alice) == []


@pytest.mark.requirement("institutional.provide-feedback.unknown-item")
def test_a_moment_is_decided_once(alice: Caller) -> None:
    ids = {flagged(alice, CLEARED): "confirm", flagged(alice, SURE): "reject"}
    for id, action in ids.items():
        judge(alice, id, action)
    for id in ids:
        for action in ACTIONS:
            assert error(alice, PROVIDE, item_id=id, action=action) == NOT_FOUND
    assert len(listed(alice)) == 1


@pytest.mark.requirement("institutional.provide-feedback.unknown-item")
def test_a_moment_of_another_org_is_not_there(alice: Caller, eve: Caller) -> None:
    id = flagged(alice)
    for action in ACTIONS:
        assert error(eve, PROVIDE, item_id=id, action=action) == NOT_FOUND
    judge(alice, id, "confirm")
    assert listed(eve) == []


@pytest.mark.requirement(
    "institutional.auto-capture.flagged-without-save", "institutional.auto-capture.flagged-near"
)
def test_the_same_text_waits_once(alice: Caller, bob: Caller) -> None:
    first = flagged(alice, SURE)
    assert flagged(bob, SURE) == first
    assert flagged(alice, SURE, threshold=0.99, auto_save=True) == first


@pytest.mark.requirement(
    "institutional.auto-capture.captured", "institutional.provide-feedback.unknown-item"
)
def test_what_is_captured_in_the_end_waits_no_longer(alice: Caller) -> None:
    id = flagged(alice, CLEARED, threshold=0.9)
    report = auto_capture(alice, CLEARED, threshold=0.7, auto_save=True)
    assert report.counts == (1, 1, 0)
    assert error(alice, PROVIDE, item_id=id, action="confirm") == NOT_FOUND
    assert listed(alice) == report.captured


@pytest.mark.requirement("institutional.auto-capture.flagged-without-save")
def test_what_waits_survives_a_restart(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    id = flagged(premises.caller())
    premises.close()
    alice = open_premises(**embedded_at(endpoint)).caller()
    judge(alice, id, "confirm")
    assert [get(alice, item)["content"] for item in listed(alice)] == [CLEARED]


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm-recorded",
    "institutional.provide-feedback.reject-recorded",
    "institutional.provide-feedback.modify-recorded",
)
def test_decisions_on_moments_are_counted(alice: Caller) -> None:
    for text, action in zip((CLEARED, SURE, f"Note: {SURE[60:]}"), ACTIONS, strict=True):
        judge(alice, flagged(alice, text, threshold=0.5), action)
    stats = data(alice, RECORD, id="x", feedback="reject", confidence=0.5)["stats"]
    assert (stats["confirmed"], stats["rejected"]) == (2, 2)


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm-recorded", "institutional.confidence.weights-default"
)
def test_enough_decisions_on_moments_move_the_weights(alice: Caller) -> None:
    """What spoke for each of them counts more; their structure was poor, so it counts less."""
    for town in ("Oslo", "Lima", "Rome", "Bern", "Kyiv", "Riga", "Doha", "Baku", "Cork", "Nice"):
        text = f"In {town} lies {town} and {town}: finally got it working in {town} after hours."
        judge(alice, flagged(alice, text, threshold=0.3), "confirm")
    factors = data(alice, CONFIDENCE, text=CLEARED)["factors"]
    raw = {"pattern": 0.365, "sentiment": 0.32, "text_length": 0.185, "structure": 0.2}
    expected = {name: weight / sum(raw.values()) for name, weight in raw.items()}
    assert {n: f["weight"] for n, f in factors.items()} == pytest.approx(expected)
