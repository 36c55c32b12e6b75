"""evaluate_confidence: four factors, their weights, the score and the level it reaches."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import CONFIDENCE, data, refuse

pytestmark = ONE_STORE

WON = "Finally got it working after hours of debugging!"
SOLVED = "Finally working! The solution was to use async/await properly."
CLEARED = "Finally got it working! The solution was to clear the cache first..."
TURN = "This was terrible and awful. Finally good and working!"
NOTHING = "The harbour lies east of town."
WEIGHTS = {"pattern": 0.35, "sentiment": 0.30, "text_length": 0.15, "structure": 0.20}
PRESETS = {
    "conservative": {"high": 0.9, "medium": 0.7, "low": 0.5},
    "moderate": {"high": 0.8, "medium": 0.6, "low": 0.4},
    "aggressive": {"high": 0.7, "medium": 0.5, "low": 0.3},
}


def evaluate(caller: Caller, text: str, **given: Any) -> dict[str, Any]:
    return data(caller, CONFIDENCE, text=text, **given)


def score(caller: Caller, text: str, **weights: float) -> float:
    given = {"custom_weights": weights} if weights else {}
    return float(evaluate(caller, text, **given)["score"])


def values(caller: Caller, text: str) -> tuple[float, float, float, float]:
    """Pattern, sentiment, length and structure."""
    factors = evaluate(caller, text)["factors"]
    others = (factors[name]["score"] for name in ("sentiment", "text_length", "structure"))
    pattern: float = factors["pattern"]["confidence"]
    sentiment, length, structure = others
    return pattern, sentiment, length, structure


def weights_shown(caller: Caller, **given: Any) -> dict[str, float]:
    factors = evaluate(caller, WON, **given)["factors"]
    return {name: factor["weight"] for name, factor in factors.items()}


@pytest.mark.requirement("institutional.confidence.text-min")
def test_one_character_is_enough(alice: Caller) -> None:
    refuse(alice, CONFIDENCE, "text")
    wrong: list[Any] = ["", None, 7, ["text"], {"text": "text"}]
    for text in wrong:
        refuse(alice, CONFIDENCE, "text", text=text)
    for text in ("x", "漢", "!", " "):
        assert score(alice, text) == pytest.approx(0.03)


@pytest.mark.requirement("institutional.confidence.preset-values")
def test_there_are_three_presets(alice: Caller) -> None:
    wrong: list[Any] = ["", "Moderate", "bold", 7, ["moderate"], True]
    for preset in wrong:
        refuse(alice, CONFIDENCE, "preset", text=WON, preset=preset)
    for preset in PRESETS:
        evaluate(alice, WON, preset=preset)


@pytest.mark.requirement(
    "institutional.confidence.output-fields",
    "institutional.confidence.factor-pattern",
    "institutional.confidence.factor-others",
    "institutional.confidence.thresholds-fields",
)
def test_every_answer_has_the_same_shape(alice: Caller) -> None:
    for text in (WON, SOLVED, CLEARED, TURN, NOTHING, "x", WON * 50):
        shown = evaluate(alice, text)
        assert shown.keys() == {"score", "probability", "level", "factors", "thresholds"}
        assert 0 <= shown["score"] <= 1
        assert 0 <= shown["probability"] <= 1
        assert shown["level"] in {"high", "medium", "low"}
        factors = shown["factors"]
        assert factors.keys() == {"pattern", "sentiment", "text_length", "structure"}
        assert factors["pattern"].keys() == {"detected", "confidence", "weight"}
        for name in ("sentiment", "text_length", "structure"):
            assert factors[name].keys() == {"score", "weight"}
            assert 0 <= factors[name]["score"] <= 1
        thresholds = shown["thresholds"]
        assert thresholds.keys() == {"high", "medium", "low"}
        assert thresholds["high"] > thresholds["medium"] > thresholds["low"]


@pytest.mark.requirement(
    "institutional.confidence.weights-default", "institutional.confidence.custom-weights"
)
def test_weights_may_be_given(alice: Caller) -> None:
    assert weights_shown(alice) == WEIGHTS
    names = {"textLength": "text_length"}
    for given in ("pattern", "sentiment", "textLength", "structure"):
        shown = weights_shown(alice, custom_weights={given: 0.9})
        assert shown == {**WEIGHTS, names.get(given, given): 0.9}
    only = {"pattern": 0, "sentiment": 0, "textLength": 0, "structure": 0}
    parts = dict(zip(only, values(alice, SOLVED), strict=True))
    for name, value in parts.items():
        assert score(alice, SOLVED, **{**only, name: 3}) == pytest.approx(value)


@pytest.mark.requirement("institutional.confidence.custom-weights-merge")
def test_weights_that_are_not_given_keep_their_default(alice: Caller) -> None:
    assert score(alice, WON, pattern=1) == pytest.approx(1.29 / 1.65)
    assert score(alice, WON, pattern=0) == pytest.approx(0.29 / 0.65)
    assert evaluate(alice, WON, custom_weights={}) == evaluate(alice, WON)


@pytest.mark.requirement("institutional.confidence.custom-weights-refused")
def test_weights_that_weigh_nothing_are_refused(alice: Caller) -> None:
    nothing = {"pattern": 0, "sentiment": 0, "textLength": 0, "structure": 0}
    wrong: list[Any] = [
        nothing,
        {"pattern": -0.1},
        {**nothing, "structure": -1},
        {"pattern": "0.5"},
        {"pattern": True},
        {"text_length": 0.5},
        {"mood": 1},
        [0.35, 0.3, 0.15, 0.2],
        0.5,
    ]
    for weights in wrong:
        refuse(alice, CONFIDENCE, "custom_weights", text=WON, custom_weights=weights)


@pytest.mark.requirement("institutional.confidence.formula")
def test_the_score_is_the_weighted_mean(alice: Caller) -> None:
    assert values(alice, WON) == (1, 0.6, 0.2, 0.4)
    assert score(alice, WON) == 0.64
    for text in (SOLVED, CLEARED, TURN, NOTHING):
        weighted = zip(values(alice, text), WEIGHTS.values(), strict=True)
        assert score(alice, text) == pytest.approx(sum(v * w for v, w in weighted))


@pytest.mark.requirement("institutional.confidence.pattern-value")
def test_the_pattern_factor(alice: Caller) -> None:
    expected = {
        "We fixed it but the rest is broken": (True, 0.625),
        SOLVED: (True, 0.85),
        TURN: (False, 0),
        NOTHING: (False, 0),
    }
    for text, (detected, confidence) in expected.items():
        pattern = evaluate(alice, text)["factors"]["pattern"]
        assert (pattern["detected"], pattern["confidence"]) == (detected, confidence)


@pytest.mark.requirement("institutional.confidence.sentiment-value")
def test_the_sentiment_factor_counts_words_whatever_they_say(alice: Caller) -> None:
    expected = {
        "I am stuck on the login page": 0.2,
        "good and bad": 0.4,
        "good, bad, sad, easy": 0.8,
        "good, bad, sad, easy, wrong": 1,
        "good, bad, sad, easy, wrong, simple": 1,
        NOTHING: 0,
    }
    assert {text: values(alice, text)[1] for text in expected} == expected


@pytest.mark.requirement(
    "institutional.confidence.length-short", "institutional.confidence.length-long"
)
def test_the_length_factor(alice: Caller) -> None:
    expected = {1: 0.2, 49: 0.2, 50: 0.5, 75: 0.75, 100: 1, 300: 1, 500: 1, 750: 0.75}
    expected |= {1000: 0.5, 1200: 0.3, 2000: 0.3, 20_000: 0.3}
    for letter in ("x", "漢"):
        shown = {length: values(alice, letter * length)[2] for length in expected}
        assert shown == expected


@pytest.mark.requirement(
    "institutional.confidence.structure-value", "institutional.confidence.structure-question"
)
def test_the_structure_factor(alice: Caller) -> None:
    expected = {
        "That was bad. Now good, an edge case.": 0.9,
        "There is a race condition in the cache": 0.4,
        "There is a race condition in the cache?": 0.3,
        "It lies east. It lies west.": 0.2,
        "It lies east. It lies west": 0,
        TURN: 0.5,
        "Is it blue or green today? It is blue. It stays blue.": 0.1,
        "The harbour lies east": 0,
        "The harbour lies east?": 0,
    }
    for text, value in expected.items():
        assert values(alice, text)[3] == pytest.approx(value), text


@pytest.mark.requirement(
    "institutional.confidence.preset-default",
    "institutional.confidence.preset-thresholds",
    "institutional.confidence.preset-keeps-score",
)
def test_a_preset_moves_the_thresholds_only(alice: Caller) -> None:
    assert evaluate(alice, WON) == evaluate(alice, WON, preset="conservative")
    for text in (WON, CLEARED):
        usual = evaluate(alice, text)
        for preset, thresholds in PRESETS.items():
            shown = evaluate(alice, text, preset=preset)
            assert shown["thresholds"] == thresholds
            assert (shown["score"], shown["factors"]) == (usual["score"], usual["factors"])


@pytest.mark.requirement("institutional.confidence.levels")
def test_the_level_is_the_highest_threshold_reached(alice: Caller) -> None:
    expected = {
        WON: ("low", "medium", "medium"),
        CLEARED: ("medium", "medium", "high"),
        NOTHING: ("low", "low", "low"),
    }
    for text, levels in expected.items():
        shown = tuple(evaluate(alice, text, preset=preset)["level"] for preset in PRESETS)
        assert shown == levels
    only_length = {"pattern": 0, "sentiment": 0, "textLength": 1, "structure": 0}
    for length, level in {100: "high", 90: "high", 89: "medium", 70: "medium", 69: "low"}.items():
        reached = evaluate(alice, "x" * length, custom_weights=only_length)
        assert reached["level"] == level, reached["score"]


@pytest.mark.requirement("institutional.confidence.turn-only-value")
def test_a_turn_without_a_pattern(alice: Caller) -> None:
    assert values(alice, TURN) == (0, 1, 0.54, 0.5)
    assert score(alice, TURN) == 0.481


@pytest.mark.requirement(
    "institutional.confidence.example", "institutional.confidence.example-values"
)
def test_the_documented_call(alice: Caller) -> None:
    shown = evaluate(alice, SOLVED, preset="moderate")
    assert shown["factors"]["pattern"]["detected"] is True
    assert (shown["level"], shown["thresholds"]) == ("medium", PRESETS["moderate"])
    assert values(alice, SOLVED) == (0.85, 0.6, 0.62, 0.6)
    assert shown["score"] == 0.6905
