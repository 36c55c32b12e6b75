"""Detection: every way in which patterns and tone combine, on texts whose parts are known."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.detection import detect

PATTERN = "There is a race condition in the cache"
TURN = "This was terrible and awful. Finally good and working!"
PATTERN_AND_TURN = "That was bad. Now good, an edge case."
CHEERFUL = "The day was good and great and easy."
WORSE = "The day was good. The night was bad."
NOTHING = "The harbour lies east of town."


@pytest.mark.parametrize(
    ("text", "detected", "confidence"),
    [
        (PATTERN, True, 0.75),
        (TURN, True, 1.0),
        (PATTERN_AND_TURN, True, 0.95),
        (CHEERFUL, False, 0.24),
        (WORSE, False, 0.3),
        (NOTHING, False, 0.0),
        ("Finally got it working after hours of debugging!", True, 1.0),
    ],
)
def test_either_is_enough(text: str, detected: bool, confidence: float) -> None:
    detection = detect(text)
    assert (detection.detected, detection.confidence) == (detected, confidence)


@pytest.mark.parametrize(
    ("text", "detected", "confidence"),
    [
        (PATTERN, False, 0.45),
        (TURN, False, 0.6),
        (PATTERN_AND_TURN, True, 0.575),
        (CHEERFUL, False, 0.0),
        (WORSE, False, 0.0),
        (NOTHING, False, 0.0),
        ("Finally got it working after hours of debugging!", False, 0.6),
    ],
)
def test_both_are_required(text: str, detected: bool, confidence: float) -> None:
    detection = detect(text, require_both=True)
    assert (detection.detected, detection.confidence) == (detected, confidence)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Finally got it working after hours of debugging!", "win"),
        ("Finally working! The solution was to use async/await properly.", "win"),
        (PATTERN, "gotcha"),
        (TURN, "solution"),
        ("The login page is not working now", "troubleshooting"),
    ],
)
def test_suggested_type(text: str, expected: str) -> None:
    assert detect(text).suggested_type == expected


def test_the_parts_come_along() -> None:
    detection = detect(PATTERN_AND_TURN)
    assert [match.pattern for match in detection.matches] == ["edge-case"]
    assert detection.sentiment.overall.confidence == 0.4


@given(st.text(st.characters(), max_size=80), st.booleans())
def test_whatever_is_detected_has_confidence(text: str, require_both: bool) -> None:
    detection = detect(text, require_both=require_both)
    assert 0 <= detection.confidence <= 1
    assert not detection.detected or detection.confidence > 0
