"""Patterns: what each one matches, and what moves the confidence of a match."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.analysis.lexicon import Pattern, phrases
from commonplace.analysis.patterns import (
    PatternMatch,
    _confidence,
    _Scene,
    find_patterns,
    pattern_confidence,
    suggested_type,
)

FIXTURES = tomllib.loads(
    (Path(__file__).parent / "fixtures" / "patterns.toml").read_text(encoding="utf-8")
)
ANY_TEXT = st.text(st.characters(), max_size=80)
PHRASED_TEXT = st.lists(
    st.sampled_from(
        ["finally working", "NOT", "don’t", "after hours", "solved", "error", "broken", "weird",
         "root cause", "10x faster", " ", "\n", "!", "?", ".", "İ", "ß", "漢", "the solution was"]
    ),
    max_size=30,
).map(" ".join)  # fmt: skip


def found(text: str) -> dict[str, float]:
    return {match.pattern: match.confidence for match in find_patterns(text)}


def match(suggests: str, confidence: float = 0.8) -> PatternMatch:
    return PatternMatch("any", "any", suggests, confidence, 0, 1)


@pytest.mark.parametrize(
    ("id", "text"), [(id, text) for id, sides in FIXTURES.items() for text in sides["match"]]
)
def test_a_pattern_matches_its_own_examples(id: str, text: str) -> None:
    assert id in found(text)


@pytest.mark.parametrize(
    ("id", "text"), [(id, text) for id, sides in FIXTURES.items() for text in sides["miss"]]
)
def test_a_pattern_misses_its_counterexamples(id: str, text: str) -> None:
    assert id not in found(text)


@pytest.mark.parametrize(
    ("id", "suggests", "confidence", "text"),
    [
        ("finally-working", "win", 0.85, "The login page is working now"),
        ("breakthrough", "win", 0.80, "We solved the slow login"),
        ("performance-win", "win", 0.75, "The query is 10x faster than before"),
        ("success-indicator", "win", 0.70, "The deploy was successful on Monday"),
        ("bug-found", "troubleshooting", 0.85, "The root cause sits in the parser"),
        ("frustration", "troubleshooting", 0.70, "I am stuck on the login page"),
        ("error-pattern", "troubleshooting", 0.50, "The build shows a failure in parser tests"),
        ("edge-case", "gotcha", 0.75, "There is a race condition in the cache"),
        ("solution-statement", "solution", 0.80, "The solution was to clear the cache"),
        ("implementation", "solution", 0.65, "We implemented a new feature for exports"),
        ("approach", "pattern", 0.60, "The approach uses two queues per tenant"),
        ("warning", "gotcha", 0.75, "Be careful with the cache headers"),
        ("counter-intuitive", "gotcha", 0.80, "The flag order is not obvious here"),
        ("lesson-learned", "gotcha", 0.85, "In hindsight the schema was too wide"),
        ("documentation-gap", "gotcha", 0.70, "That option is poorly documented today"),
    ],
)
def test_plain_matches_have_the_confidence_of_their_pattern(
    id: str, suggests: str, confidence: float, text: str
) -> None:
    (only,) = find_patterns(text)
    assert (only.pattern, only.suggests, only.confidence) == (id, suggests, confidence)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A weird crash in the parser module", {"error-pattern": 0.55}),
        (
            "We fixed it but the rest is broken",
            {"finally-working": 0.75, "error-pattern": 0.5},
        ),
        ("We SOLVED the slow login", {"breakthrough": 0.85}),
        ("Finally got it working after hours of debugging!", {"finally-working": 1.0}),
        ("Another note: the export works now", {"finally-working": 0.85}),
        ("It can’t export. The import works now", {"finally-working": 0.75}),
    ],
)
def test_surroundings_move_confidence(text: str, expected: dict[str, float]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(("gap", "confidence"), [(199, 0.85), (200, 0.80)])
def test_only_what_is_wholly_nearby_counts(gap: int, confidence: float) -> None:
    distance = gap - len("finally") + 1
    assert found("solved" + " " * distance + "finally") == {"breakthrough": confidence}
    assert found("finally" + " " * distance + "solved") == {"breakthrough": confidence}


def test_a_match_that_falls_below_half_is_left_out() -> None:
    text = "Not sure it works, it doesn't start, it is slow; broken, and the rest failed"
    assert "finally-working" not in found(text)


@pytest.mark.parametrize(
    ("phrase", "confidence"),
    [("yes", 0.45), ("solved", 0.6), ("solved!", 0.65), ("SOLVED", 0.65), ("it. is. so", 0.65)],
)
def test_the_look_of_a_phrase_counts(phrase: str, confidence: float) -> None:
    pattern = Pattern("any", "any", 0.6, "win", phrases([phrase]))
    assert _confidence(pattern, _Scene(phrase), 0, len(phrase)) == confidence


def test_the_most_confident_comes_first_and_positions_point_into_the_text() -> None:
    text = "İ Finally working! The solution was to use async/await properly."
    matches = find_patterns(text)
    assert [(text[each.start : each.end], each.confidence) for each in matches] == [
        ("Finally working", 0.9),
        ("The solution was", 0.8),
    ]
    assert pattern_confidence(matches) == 0.85


def test_a_pattern_is_reported_each_time_it_occurs() -> None:
    assert len(find_patterns("An edge case here and an edge case there")) == 2


def test_without_matches_there_is_neither_confidence_nor_type() -> None:
    assert find_patterns("The harbour lies east of town.") == ()
    assert pattern_confidence(()) == 0
    assert suggested_type(()) is None


def test_the_most_frequent_type_wins_and_the_first_of_equals() -> None:
    assert suggested_type([match("win"), match("gotcha"), match("gotcha")]) == "gotcha"
    assert suggested_type([match("win"), match("gotcha")]) == "win"


@given(ANY_TEXT | PHRASED_TEXT)
def test_matches_are_in_order_in_range_and_in_the_text(text: str) -> None:
    matches = find_patterns(text)
    confidences = [each.confidence for each in matches]
    assert confidences == sorted(confidences, reverse=True)
    assert all(0.5 <= confidence <= 1 for confidence in confidences)
    assert all(0 <= each.start < each.end <= len(text) for each in matches)
    assert 0 <= pattern_confidence(matches) <= 1


@given(PHRASED_TEXT)
def test_curly_apostrophes_and_more_blanks_change_nothing(text: str) -> None:
    straight = [each.pattern for each in find_patterns(text.replace("’", "'"))]
    assert [each.pattern for each in find_patterns(text)] == straight
