"""auto_detect: what it takes, what it answers, and how pattern and tone become one confidence."""

from __future__ import annotations

from typing import Any

import pytest

from tests.stores import ONE_STORE
from tests.surfaces.clients import Caller
from tests.surfaces.institutional.steps import DETECT, data, refuse

pytestmark = ONE_STORE

WON = "Finally got it working after hours of debugging!"
SOLVED = "Finally working! The solution was to use async/await properly."
TURN = "This was terrible and awful. Finally good and working!"
PATTERN = "There is a race condition in the cache"
BOTH = "That was bad. Now good, an edge case."
CHEERFUL = "The day was good and great and easy."
WORSENED = "The day was good. The night was bad."
NOTHING = "The harbour lies east of town."
EVERYTHING = (WON, SOLVED, TURN, PATTERN, BOTH, CHEERFUL, WORSENED, NOTHING)


def detect(caller: Caller, text: str, **given: Any) -> dict[str, Any]:
    return data(caller, DETECT, text=text, **given)


def verdict(caller: Caller, text: str, **given: Any) -> tuple[bool, float]:
    """Whether it is detected, and how surely."""
    shown = detect(caller, text, **given)
    return shown["detected"], shown["confidence"]


@pytest.mark.requirement("institutional.detect.text-min")
def test_a_text_has_at_least_ten_characters(alice: Caller) -> None:
    refuse(alice, DETECT, "text")
    wrong: list[Any] = ["", "123456789", "漢" * 9, None, 7, [WON], {"text": WON}]
    for text in wrong:
        refuse(alice, DETECT, "text", text=text)
    for text in ("1234567890", "漢" * 10, "🦊" * 10, " " * 10):
        assert detect(alice, text)["detected"] is False


@pytest.mark.requirement("institutional.detect.require-both-default")
def test_one_sign_is_enough_by_default(alice: Caller) -> None:
    assert detect(alice, WON) == detect(alice, WON, require_both=False)
    assert detect(alice, WON) != detect(alice, WON, require_both=True)
    wrong: list[Any] = ["true", "maybe", 1, 0, []]
    for value in wrong:
        refuse(alice, DETECT, "require_both", text=WON, require_both=value)
    refuse(alice, DETECT, "min_confidence", text=WON, min_confidence=0.5)


@pytest.mark.requirement(
    "institutional.detect.output-fields",
    "institutional.detect.confidence-range",
    "institutional.detect.match-fields",
    "institutional.detect.sentiment-fields",
)
def test_every_answer_has_the_same_shape(alice: Caller) -> None:
    for text in EVERYTHING:
        for require_both in (False, True):
            shown = detect(alice, text, require_both=require_both)
            fields = {"detected", "confidence", "pattern_matches", "sentiment", "suggested_type"}
            assert shown.keys() == fields
            assert isinstance(shown["detected"], bool)
            assert 0 <= shown["confidence"] <= 1
            for match in shown["pattern_matches"]:
                assert match.keys() == {"pattern", "confidence", "type"}
                assert 0 < match["confidence"] <= 1
            tone = shown["sentiment"]
            assert tone.keys() == {"score", "label", "shift_detected"}
            assert -1 <= tone["score"] <= 1
            assert tone["label"] in {"positive", "negative", "neutral"}
            assert isinstance(tone["shift_detected"], bool)


@pytest.mark.requirement("institutional.detect.match-meaning", "institutional.detect.match-fields")
def test_a_match_names_the_pattern_and_what_it_suggests(alice: Caller) -> None:
    (match,) = detect(alice, WON)["pattern_matches"]
    assert (match["pattern"], match["type"]) == ("finally-working", "win")
    (match,) = detect(alice, PATTERN)["pattern_matches"]
    assert (match["pattern"], match["type"]) == ("edge-case", "gotcha")
    assert detect(alice, TURN)["pattern_matches"] == []


@pytest.mark.requirement("institutional.detect.shift-detected")
def test_a_shift_needs_two_sentences_that_differ(alice: Caller) -> None:
    shifts = {text: detect(alice, text)["sentiment"]["shift_detected"] for text in EVERYTHING}
    assert {text for text, shifted in shifts.items() if shifted} == {TURN, BOTH, WORSENED}


@pytest.mark.requirement("institutional.detect.detected-rule")
def test_a_pattern_or_a_turn_to_the_better_is_detected(alice: Caller) -> None:
    detected = {text for text in EVERYTHING if detect(alice, text)["detected"]}
    assert detected == {WON, SOLVED, TURN, PATTERN, BOTH}


@pytest.mark.requirement("institutional.detect.require-both-rule")
def test_both_may_be_required(alice: Caller) -> None:
    detected = {t for t in EVERYTHING if detect(alice, t, require_both=True)["detected"]}
    assert detected == {BOTH}


@pytest.mark.requirement("institutional.detect.suggested-type")
def test_the_most_frequent_type_is_suggested(alice: Caller) -> None:
    suggested = {
        SOLVED: "win",
        PATTERN: "gotcha",
        "We solved it. Be careful with the flag, it is easy to miss.": "gotcha",
        "The solution was a retry. I was stuck, and the import failed.": "troubleshooting",
        "The approach uses two queues per tenant": "pattern",
        "The solution was to clear the cache": "solution",
    }
    assert {text: detect(alice, text)["suggested_type"] for text in suggested} == suggested


@pytest.mark.requirement("institutional.detect.suggested-type-fallback")
def test_without_a_pattern_a_solution_is_suggested(alice: Caller) -> None:
    for text in (TURN, CHEERFUL, WORSENED, NOTHING):
        shown = detect(alice, text)
        assert (shown["pattern_matches"], shown["suggested_type"]) == ([], "solution")


@pytest.mark.requirement("institutional.detect.nothing")
def test_a_plain_text_is_nothing(alice: Caller) -> None:
    assert detect(alice, NOTHING) == {
        "detected": False,
        "confidence": 0,
        "pattern_matches": [],
        "sentiment": {"score": 0, "label": "neutral", "shift_detected": False},
        "suggested_type": "solution",
    }
    assert verdict(alice, NOTHING, require_both=True) == (False, 0)


@pytest.mark.requirement(
    "institutional.detect.pattern-only",
    "institutional.detect.pattern-and-turn",
    "institutional.detect.turn-only",
    "institutional.detect.positive-only",
    "institutional.detect.other-shift",
)
def test_the_confidence_when_one_sign_is_enough(alice: Caller) -> None:
    expected = {
        PATTERN: (True, 0.75),
        BOTH: (True, 0.95),
        TURN: (True, 1.0),
        CHEERFUL: (False, 0.24),
        WORSENED: (False, 0.3),
    }
    assert {text: verdict(alice, text) for text in expected} == expected
    assert detect(alice, TURN)["pattern_matches"] == []


@pytest.mark.requirement("institutional.detect.other-shift")
def test_a_small_shift_says_nothing(alice: Caller) -> None:
    """From -0.2 to -0.5, in a text without a pattern or a good word too many."""
    small = "Wrong, hard, sad, good and simple. Wrong, hard, sad and good."
    shown = detect(alice, small)
    assert shown["sentiment"]["shift_detected"] is True
    assert (shown["detected"], shown["confidence"]) == (False, 0)


@pytest.mark.requirement(
    "institutional.detect.both-pattern-and-turn", "institutional.detect.both-one-missing"
)
def test_the_confidence_when_both_are_required(alice: Caller) -> None:
    expected = {
        BOTH: (True, 0.575),
        PATTERN: (False, 0.45),
        TURN: (False, 0.6),
        CHEERFUL: (False, 0),
        WORSENED: (False, 0),
    }
    shown = {text: verdict(alice, text, require_both=True) for text in expected}
    assert shown == expected


@pytest.mark.requirement(
    "institutional.detect.example",
    "institutional.detect.example-values",
    "institutional.detect.require-both-rule",
)
def test_the_documented_call(alice: Caller) -> None:
    shown = detect(alice, WON)
    assert (shown["detected"], shown["suggested_type"], shown["confidence"]) == (True, "win", 1)
    (match,) = shown["pattern_matches"]
    assert match == {"pattern": "finally-working", "confidence": 1, "type": "win"}
    assert shown["sentiment"]["label"] == "positive"
    assert shown["sentiment"]["score"] == pytest.approx(1 / 3)
    assert verdict(alice, WON, require_both=True) == (False, 0.6)
