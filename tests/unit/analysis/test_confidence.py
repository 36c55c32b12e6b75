"""Confidence: the reference values, each factor by itself, weights and levels."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.confidence import (
    PRESETS,
    Assessment,
    ConfidenceThresholds,
    Weights,
    assess,
)
from commonplace.analysis.detection import detect
from commonplace.errors import InvalidArgument

WORKING = "Finally got it working after hours of debugging!"
WEIGHT = st.floats(0, 1e6)


def factors(assessment: Assessment) -> tuple[float, ...]:
    return (
        assessment.pattern,
        assessment.sentiment,
        assessment.text_length,
        assessment.structure,
    )


@pytest.mark.parametrize(
    ("text", "values", "score"),
    [
        (WORKING, (1.0, 0.6, 0.2, 0.4), 0.64),
        (
            "Finally working! The solution was to use async/await properly.",
            (0.85, 0.6, 0.62, 0.6),
            0.6905,
        ),
        (
            "Finally got it working! The solution was to clear the cache first...",
            (0.85, 0.8, 0.68, 0.6),
            0.7595,
        ),
        (
            "This was terrible and awful. Finally good and working!",
            (0.0, 1.0, 0.54, 0.5),
            0.481,
        ),
    ],
)
def test_reference_values(text: str, values: tuple[float, ...], score: float) -> None:
    assessment = assess(text)
    assert factors(assessment) == values
    assert assessment.score == score


@pytest.mark.parametrize(
    ("length", "value"),
    [(1, 0.2), (49, 0.2), (50, 0.5), (75, 0.75), (100, 1.0), (300, 1.0), (500, 1.0), (750, 0.75),
     (1200, 0.3), (2000, 0.3)],
)  # fmt: skip
def test_texts_of_a_few_sentences_have_the_best_length(length: int, value: float) -> None:
    assert assess("x" * length).text_length == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("That was bad. Now good, an edge case.", 0.9),
        ("An edge case", 0.4),
        ("It is blue. It stays blue.", 0.2),
        ("It is v1.2 of e.g. store.ts", 0.0),
        ("Is it blue or green today? It is blue. It stays blue.", 0.1),
        ("Is it blue?", 0.0),
        ("青い。青い？", 0.1),
    ],
)
def test_sentences_and_turns_are_structure(text: str, value: float) -> None:
    assert assess(text).structure == value


def test_sentiment_is_certainty_and_not_polarity() -> None:
    assert assess("I am stuck on the login page").sentiment == 0.2


@pytest.mark.parametrize(
    ("preset", "level"), [("conservative", "low"), ("moderate", "medium"), ("aggressive", "medium")]
)
def test_presets_move_the_level_and_not_the_score(preset: str, level: str) -> None:
    assessment = assess(WORKING, thresholds=PRESETS[preset])
    assert (assessment.score, assessment.level) == (0.64, level)
    assert assessment.thresholds is PRESETS[preset]


def test_presets() -> None:
    assert dict(PRESETS) == {
        "conservative": ConfidenceThresholds(0.9, 0.7, 0.5),
        "moderate": ConfidenceThresholds(0.8, 0.6, 0.4),
        "aggressive": ConfidenceThresholds(0.7, 0.5, 0.3),
    }
    assert assess(WORKING).thresholds is PRESETS["conservative"]


@pytest.mark.parametrize(("high", "level"), [(0.64, "high"), (0.641, "medium")])
def test_a_threshold_is_reached_by_its_own_value(high: float, level: str) -> None:
    assert assess(WORKING, thresholds=ConfidenceThresholds(high, 0.64, 0.1)).level == level


def test_weights_count_in_proportion() -> None:
    assert assess(WORKING, weights=Weights(pattern=1)).score == pytest.approx(1.29 / 1.65)
    assert assess(WORKING, weights=Weights(70, 60, 30, 40)).score == 0.64
    assert assess(WORKING, weights=Weights(0, 0, 3, 0)).score == 0.2


@pytest.mark.parametrize(
    "weights",
    [(-0.1, 1, 1, 1), (math.nan, 1, 1, 1), (1, math.inf, 1, 1), (0, 0, 0, 0), (1e308,) * 4],
)
def test_unusable_weights_are_refused(weights: tuple[float, float, float, float]) -> None:
    with pytest.raises(InvalidArgument, match="custom_weights") as refused:
        Weights(*weights)
    assert refused.value.field == "custom_weights"


@given(st.text(st.characters(), max_size=120), st.tuples(WEIGHT, WEIGHT, WEIGHT, WEIGHT))
def test_the_score_lies_between_the_factors(
    text: str, weights: tuple[float, float, float, float]
) -> None:
    assessment = assess(text, weights=Weights(*weights) if any(weights) else Weights())
    values = factors(assessment)
    assert all(0 <= value <= 1 for value in values)
    assert min(values) - 1e-9 <= assessment.score <= max(values) + 1e-9


def test_what_the_caller_detected_is_taken() -> None:
    text = "Finally working! The solution was to use async/await properly."
    assert assess(text, detection=detect(text)) == assess(text)
    assert assess(text, detection=detect("The harbour lies east of town.")).pattern == 0
