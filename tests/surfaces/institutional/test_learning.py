"""Feedback moves the weights of confidence: after enough of it, within bounds, and not for good."""

from __future__ import annotations

from typing import Any

import pytest

from tests.cli.commands import run_here
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.institutional.reports import CLEARED, SURE, auto_capture
from tests.surfaces.institutional.steps import CONFIDENCE, PROVIDE, RECORD, captured_id, data
from tests.surfaces.nearness import embedded_at

WON = "Finally got it working after hours of debugging!"
RULE = "From now on we always ship {town} from {town} in a job of its own, never at night."
TOWNS = ("Oslo", "Lima", "Rome", "Bern", "Kyiv", "Riga", "Doha", "Baku", "Cork", "Nice")
VALUES = {"pattern": 1.0, "sentiment": 0.6, "text_length": 0.2, "structure": 0.4}
DEFAULTS = {"pattern": 0.35, "sentiment": 0.30, "text_length": 0.15, "structure": 0.20}


def weights(caller: Caller, **given: Any) -> dict[str, float]:
    factors = data(caller, CONFIDENCE, text=WON, **given)["factors"]
    return {name: factor["weight"] for name, factor in factors.items()}


def say(caller: Caller, feedback: str, times: int, *factors: str) -> dict[str, Any]:
    """The statistics after feedback of this kind, so many times."""
    said = {"id": "detect-123", "feedback": feedback, "confidence": 0.8, "factors": list(factors)}
    answers = [data(caller, RECORD, **said) for _ in range(times)]
    shown: dict[str, Any] = answers[-1]["stats"]
    return shown


def moved(**changed: float) -> Any:
    """The starting weights with these instead, in proportion to a sum of 1."""
    raw = {**DEFAULTS, **changed}
    total = sum(raw.values())
    return pytest.approx({name: weight / total for name, weight in raw.items()})


def command(premises: Premises, *arguments: str) -> Any:
    """What the `commonplace` command answers on the same store."""
    settings = premises.settings
    told = {"COMMONPLACE_HOME": str(settings.home), "COMMONPLACE_ORG": "acme"}
    if settings.database_url:
        told["COMMONPLACE_DATABASE_URL"] = settings.database_url.get_secret_value()
    return run_here(told, *arguments, "--json").document


@pytest.mark.requirement(
    "institutional.record-feedback.factors", "institutional.confidence.weights-default"
)
def test_a_trusted_factor_counts_more_after_ten_feedbacks(alice: Caller, bob: Caller) -> None:
    say(alice, "confirm", 5, "pattern")
    say(bob, "confirm", 4, "pattern")
    assert weights(alice) == DEFAULTS
    say(alice, "confirm", 1)
    after = moved(pattern=0.35 + 0.1 * (0.5 - 0.35))
    assert weights(alice) == weights(bob) == after
    shown = data(alice, CONFIDENCE, text=WON)
    assert shown["score"] == pytest.approx(sum(weights(alice)[n] * VALUES[n] for n in VALUES))
    assert shown["score"] > 0.64


@pytest.mark.requirement(
    "institutional.record-feedback.factors", "institutional.confidence.weights-default"
)
def test_a_mistrusted_factor_counts_less(alice: Caller) -> None:
    say(alice, "reject", 10, "text length", "mood")
    assert weights(alice) == moved(text_length=0.15 * 0.9)


@pytest.mark.requirement(
    "institutional.record-feedback.factors", "institutional.confidence.weights-default"
)
def test_a_factor_needs_five_feedbacks_and_a_clear_rate(alice: Caller) -> None:
    say(alice, "confirm", 4, "structure")
    say(alice, "confirm", 3, "sentiment")
    say(alice, "reject", 3, "sentiment")
    assert weights(alice) == DEFAULTS
    say(alice, "confirm", 1, "structure")
    assert weights(alice) == moved(structure=0.2 + 0.1 * (0.5 - 0.2))


@pytest.mark.requirement(
    "institutional.record-feedback.factors", "institutional.confidence.weights-default"
)
def test_however_much_is_said_the_weights_move_one_step(alice: Caller) -> None:
    say(alice, "confirm", 10, "pattern")
    once = weights(alice)
    say(alice, "confirm", 20, "pattern")
    assert weights(alice) == once
    assert sum(once.values()) == pytest.approx(1)
    assert all(0.05 <= weight <= 0.5 for weight in once.values())


@pytest.mark.requirement(
    "institutional.confidence.custom-weights", "institutional.confidence.custom-weights-merge"
)
def test_given_weights_win_over_learned_ones(alice: Caller) -> None:
    say(alice, "confirm", 10, "pattern")
    assert weights(alice, custom_weights={"pattern": 1}) == {**DEFAULTS, "pattern": 1}


@pytest.mark.requirement(
    "institutional.confidence.weights-default", "institutional.record-feedback.stats"
)
def test_another_org_learns_for_itself(alice: Caller, eve: Caller) -> None:
    say(alice, "confirm", 10, "pattern")
    assert weights(eve) == DEFAULTS


@pytest.mark.requirement("institutional.record-feedback.persisted")
def test_what_was_learned_survives_a_restart(
    premises: Premises, open_premises: OpenPremises, endpoint: str
) -> None:
    alice = premises.caller()
    say(alice, "confirm", 10, "pattern")
    learned = weights(alice)
    premises.close()
    assert weights(open_premises(**embedded_at(endpoint)).caller()) == learned != DEFAULTS


@pytest.mark.requirement(
    "institutional.provide-feedback.confirm-recorded",
    "institutional.provide-feedback.modify-recorded",
    "institutional.provide-feedback.reject-recorded",
)
def test_judging_items_that_people_wrote_moves_nothing(alice: Caller) -> None:
    for number in range(12):
        action = ("confirm", "modify", "reject")[number % 3]
        alice.text(PROVIDE, item_id=captured_id(alice), action=action)
    assert weights(alice) == DEFAULTS
    assert say(alice, "reject", 1) == {
        "total": 13,
        "confirmed": 8,
        "rejected": 5,
        "confirmation_rate": pytest.approx(8 / 13),
    }


@pytest.mark.requirement(
    "institutional.record-feedback.factors",
    "institutional.record-feedback.stats",
    "institutional.confidence.weights-default",
)
def test_the_weights_can_be_seen_and_put_back(premises: Premises) -> None:
    alice = premises.caller()
    say(alice, "confirm", 8, "pattern")
    say(alice, "reject", 2, "pattern", "sentiment")
    learned = weights(alice)
    shown = command(premises, "weights")
    assert (shown["weights"], shown["defaults"]) == (learned, DEFAULTS)
    assert learned != DEFAULTS
    assert shown["feedback"] == {"confirmed": 8, "rejected": 2}
    assert sorted(shown["factors"], key=lambda one: str(one["factor"])) == [
        {"factor": "pattern", "confirmed": 8, "rejected": 2},
        {"factor": "sentiment", "confirmed": 0, "rejected": 2},
    ]
    assert command(premises, "weights", "--reset")["unlearned"] == 10
    assert weights(alice) == command(premises, "weights")["weights"] == DEFAULTS
    assert say(alice, "confirm", 1, "pattern")["total"] == 11
    say(alice, "confirm", 9, "pattern")
    assert weights(alice) == moved(pattern=0.365)


@pytest.mark.requirement("institutional.auto-capture.threshold-moves")
def test_judgements_of_captures_move_the_threshold_within_bounds(premises: Premises) -> None:
    alice, eve, answer = premises.caller(), premises.caller(org="other"), ""
    for number, town in enumerate(TOWNS):
        (id,) = auto_capture(alice, RULE.format(town=town)).flagged
        answer = alice.text(PROVIDE, item_id=id, action="confirm")
        assert ("moves the threshold" in answer) is (number == len(TOWNS) - 1)
    assert "10 of 10 judged captures were kept" in answer
    assert "from 0.90 to 0.80" in answer
    likely = data(alice, CONFIDENCE, text=CLEARED)["probability"]
    assert 0.8 <= likely < 0.9, "between where it started and where it is"
    assert auto_capture(eve, CLEARED, auto_save=True).counts == (1, 0, 1)
    report = auto_capture(alice, CLEARED, auto_save=True)
    assert report.counts == (1, 1, 0)
    assert "What scores 80.0% or more is saved." in report.text
    assert "from 0.90 to 0.80" in report.text
    given = auto_capture(alice, SURE, threshold=0.99, auto_save=True)
    assert given.counts == (1, 0, 1), "a threshold that is given stays"
    assert command(premises, "weights")["threshold"]["now"] == 0.8
    command(premises, "weights", "--reset")
    assert command(premises, "weights")["threshold"] is None


@pytest.mark.requirement("institutional.auto-capture.threshold-moves")
def test_rejections_raise_the_threshold(alice: Caller) -> None:
    answer = ""
    for town in TOWNS:
        (id,) = auto_capture(alice, RULE.format(town=town)).flagged
        answer = alice.text(PROVIDE, item_id=id, action="reject")
    assert "0 of 10 judged captures were kept" in answer
    assert "from 0.90 to 0.99" in answer
