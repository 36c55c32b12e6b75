"""Detection from patterns and tone: whether a text is a moment, its confidence and its type."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.analysis.cues import read_cues
from commonplace.analysis.patterns import (
    PatternMatch,
    find_patterns,
    pattern_confidence,
    suggested_type,
)
from commonplace.analysis.scale import unit
from commonplace.analysis.sentiment import Sentiment, analyse_sentiment

FALLBACK_TYPE = "solution"

_CHEERFUL = 0.3
_MARKED_SHIFT = 0.4


@dataclass(frozen=True, slots=True)
class Detection:
    detected: bool
    confidence: float
    matches: tuple[PatternMatch, ...]
    sentiment: Sentiment
    suggested_type: str


def detect(text: str, *, require_both: bool = False) -> Detection:
    """Detected by a pattern or a turn from problem to solution; by both where both are required.

    Cues are read only where no pattern is found, so they never change what the patterns say.
    """
    matches = find_patterns(text) or read_cues(text)
    return detection_of(matches, analyse_sentiment(text), require_both=require_both)


def detection_of(
    matches: tuple[PatternMatch, ...], sentiment: Sentiment, *, require_both: bool = False
) -> Detection:
    has_pattern, has_turn = bool(matches), sentiment.has_problem_to_solution
    confidence = _strict(matches, sentiment) if require_both else _lenient(matches, sentiment)
    return Detection(
        detected=(has_pattern and has_turn) if require_both else (has_pattern or has_turn),
        confidence=unit(confidence),
        matches=matches,
        sentiment=sentiment,
        suggested_type=suggested_type(matches) or FALLBACK_TYPE,
    )


def _lenient(matches: tuple[PatternMatch, ...], sentiment: Sentiment) -> float:
    by_pattern, by_tone = pattern_confidence(matches), sentiment.overall.confidence
    if sentiment.has_problem_to_solution:
        return by_pattern + 0.5 * by_tone if matches else by_tone
    return by_pattern if matches else _hint(sentiment)


def _strict(matches: tuple[PatternMatch, ...], sentiment: Sentiment) -> float:
    by_pattern, by_tone = pattern_confidence(matches), sentiment.overall.confidence
    if sentiment.has_problem_to_solution:
        return (by_pattern + by_tone) / 2 if matches else 0.6 * by_tone
    return 0.6 * by_pattern


def _hint(sentiment: Sentiment) -> float:
    """The confidence from the tone alone, if there is neither a pattern nor a turn."""
    if sentiment.overall.score > _CHEERFUL:
        return 0.4 * sentiment.overall.confidence
    return 0.3 if any(abs(shift.delta) >= _MARKED_SHIFT for shift in sentiment.shifts) else 0.0
