"""record_feedback: what is said of a detection is kept, and counted from the first to the last."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from tests.stores import START, SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.steps import RECORD, data, refuse
from tests.surfaces.nearness import embedded_at

SAID = {"id": "detect-123", "feedback": "confirm", "confidence": 0.85}


def record(caller: Caller, **given: Any) -> dict[str, Any]:
    return data(caller, RECORD, **{**SAID, **given})


def stats(caller: Caller, **given: Any) -> dict[str, Any]:
    shown: dict[str, Any] = record(caller, **given)["stats"]
    return shown


def refuse_all(caller: Caller, argument: str, *values: Any) -> None:
    """None of these may be taken, nor may it be left out; and nothing is recorded by trying."""
    refuse(caller, RECORD, argument, **{k: v for k, v in SAID.items() if k != argument})
    for value in values:
        refuse(caller, RECORD, argument, **{**SAID, argument: value})
    assert stats(caller)["total"] == 1


@pytest.mark.requirement(
    "institutional.record-feedback.id-required", "institutional.record-feedback.id-any-detection"
)
def test_the_id_may_be_any_but_none(alice: Caller) -> None:
    refuse_all(alice, "id", None, 7, ["detect-123"], "")
    for id in ("detect-123", "ki-1234567890-abc123", "x", "Erkennung № 7", "a/b c"):
        assert record(alice, id=id)["feedback"]["id"] == id


@pytest.mark.requirement("institutional.record-feedback.feedback-values")
def test_feedback_confirms_or_rejects(alice: Caller) -> None:
    refuse_all(alice, "feedback", "modify", "Confirm", "yes", "", None, True, ["confirm"])
    for feedback in ("confirm", "reject"):
        assert record(alice, feedback=feedback)["feedback"]["feedback"] == feedback


@pytest.mark.requirement(
    "institutional.record-feedback.confidence-required",
    "institutional.record-feedback.confidence-bounds",
)
def test_a_confidence_is_a_share(alice: Caller) -> None:
    refuse_all(alice, "confidence", -0.1, 1.1, "0.5", None, True, [0.5])
    for confidence in (0, 1, 0.5, 0.123456):
        assert record(alice, confidence=confidence)["feedback"]["confidence"] == confidence


@pytest.mark.requirement("institutional.record-feedback.factors")
def test_factors_come_back_as_given(alice: Caller) -> None:
    assert record(alice)["feedback"]["factors"] == []
    for factors in ([], ["sentiment", "pattern"], ["text length"], ["mood", "mood"], ["été"]):
        assert record(alice, factors=factors)["feedback"]["factors"] == factors
    wrong: list[Any] = ["pattern", [7], ["pattern", None], {"pattern": 1}, 7]
    for value in wrong:
        refuse(alice, RECORD, "factors", **SAID, factors=value)


@pytest.mark.requirement(
    "institutional.record-feedback.recorded",
    "institutional.record-feedback.echo",
    "institutional.record-feedback.stats",
)
def test_the_answer_repeats_what_was_said(alice: Caller, clock: SteppingClock) -> None:
    now = clock.advance(3.25)
    shown = record(alice, factors=["structure"])
    assert shown.keys() == {"recorded", "feedback", "stats"}
    assert shown["recorded"] is True
    at = shown["feedback"].pop("timestamp")
    assert at == "2030-01-01T00:00:03.250Z"
    assert datetime.fromisoformat(at) == now > START
    assert shown["feedback"] == {**SAID, "factors": ["structure"]}
    assert shown["stats"].keys() == {"total", "confirmed", "rejected", "confirmation_rate"}


@pytest.mark.requirement(
    "institutional.record-feedback.rate",
    "institutional.record-feedback.rate-zero",
    "institutional.record-feedback.stats",
)
def test_the_rate_is_the_share_of_confirmed(alice: Caller, bob: Caller) -> None:
    said = ["reject", "confirm", "confirm", "confirm"]
    expected = [(1, 0, 1, 0), (2, 1, 1, 0.5), (3, 2, 1, pytest.approx(2 / 3)), (4, 3, 1, 0.75)]
    shown = [
        stats(caller, feedback=feedback)
        for caller, feedback in zip([alice, bob, alice, bob], said, strict=True)
    ]
    assert [tuple(one.values()) for one in shown] == expected
    assert all(one["total"] == one["confirmed"] + one["rejected"] for one in shown)


@pytest.mark.requirement("institutional.record-feedback.persisted")
def test_feedback_survives_a_restart(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    record(premises.caller())
    record(premises.caller(), feedback="reject")
    premises.close()
    again = open_premises(**embedded_at(endpoint)).caller()
    assert stats(again) == {
        "total": 3,
        "confirmed": 2,
        "rejected": 1,
        "confirmation_rate": pytest.approx(2 / 3),
    }


@pytest.mark.requirement("institutional.record-feedback.stats")
def test_another_org_counts_for_itself(alice: Caller, eve: Caller) -> None:
    record(alice)
    assert stats(eve, feedback="reject") == {
        "total": 1,
        "confirmed": 0,
        "rejected": 1,
        "confirmation_rate": 0,
    }
    assert stats(alice)["total"] == 2


@pytest.mark.requirement("institutional.record-feedback.example")
def test_the_documented_call(alice: Caller) -> None:
    shown = record(alice, factors=["pattern", "sentiment"])
    assert shown["recorded"] is True
    said = {**SAID, "factors": ["pattern", "sentiment"]}
    assert {name: shown["feedback"][name] for name in said} == said
    expected = {"total": 1, "confirmed": 1, "rejected": 0, "confirmation_rate": 1}
    assert shown["stats"] == expected
