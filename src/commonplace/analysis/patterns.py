"""Phrases that mark a knowledge moment, each with a confidence from itself and its surroundings.

Which phrases, and what speaks for or against them, is data: `lexicons/patterns.toml`.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from commonplace.analysis.lexicon import Pattern, negation_just_before, patterns, phrases
from commonplace.analysis.scale import unit
from commonplace.analysis.spelling import plain

_LEAST_CONFIDENCE = 0.5
_NEARBY = 200
_BOOST = 0.05
_DAMPING = 0.10
_TOO_SHORT = 0.15

_SENTENCE_END = re.compile(r"[.!?]")
_NEGATION_REACH = 40


@dataclass(frozen=True, slots=True)
class PatternMatch:
    """A phrase that a pattern found: `text[start:end]`; `pattern` is the pattern's id."""

    pattern: str
    kind: str
    suggests: str
    confidence: float
    start: int
    end: int


def find_patterns(text: str) -> tuple[PatternMatch, ...]:
    """The matches with enough confidence, the highest first, then in the order of the lexicon."""
    scene = _Scene(text)
    found = (match for pattern in patterns() for match in _matches(pattern, scene))
    kept = (match for match in found if match.confidence >= _LEAST_CONFIDENCE)
    return tuple(sorted(kept, key=lambda match: -match.confidence))


def pattern_confidence(matches: Sequence[PatternMatch]) -> float:
    """The mean confidence of the matches; 0 if there are none."""
    return unit(math.fsum(each.confidence for each in matches) / len(matches)) if matches else 0.0


def suggested_type(matches: Sequence[PatternMatch]) -> str | None:
    """The type that most matches suggest; in a tie, that of the first match."""
    counts = Counter(match.suggests for match in matches)
    return max(counts, key=counts.__getitem__, default=None)


class _Scene:
    """A text with the positions of the words that change confidence, each searched for once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.plain = plain(text)
        self._spans: dict[str, list[tuple[int, int]]] = {}

    def count(self, cues: Iterable[str], start: int, end: int) -> int:
        """The number of cues that lie between two positions."""
        return sum(self._has(cue, start, end) for cue in cues)

    def _has(self, cue: str, start: int, end: int) -> bool:
        if cue not in self._spans:
            self._spans[cue] = [found.span() for found in _cue(cue).finditer(self.plain)]
        spans = self._spans[cue]
        first = bisect_left(spans, (start, start))
        return first < len(spans) and spans[first][1] <= end


@cache
def _cue(cue: str) -> re.Pattern[str]:
    return phrases([cue])


def _matches(pattern: Pattern, scene: _Scene) -> Iterator[PatternMatch]:
    for found in pattern.expression.finditer(scene.plain):
        start, end = found.span()
        if pattern.negatable and _is_negated(scene.plain, start):
            continue
        yield PatternMatch(
            pattern=pattern.id,
            kind=pattern.kind,
            suggests=pattern.suggests,
            confidence=_confidence(pattern, scene, start, end),
            start=start,
            end=end,
        )


def _is_negated(text: str, start: int) -> bool:
    before = text[max(0, start - _NEGATION_REACH) : start]
    return negation_just_before().search(before) is not None


def _confidence(pattern: Pattern, scene: _Scene, start: int, end: int) -> float:
    near = max(0, start - _NEARBY), end + _NEARBY
    confidence = unit(pattern.confidence + _BOOST * scene.count(pattern.boosters, *near))
    confidence = unit(confidence - _DAMPING * scene.count(pattern.dampers, *near))
    return unit(confidence + _emphasis(scene.text[start:end]))


def _emphasis(phrase: str) -> float:
    """The effect of a phrase's form: exclamation, capitals, several sentences, very short."""
    loud = ("!" in phrase) + (phrase.isupper() and len(phrase) > 2)
    several = len(_SENTENCE_END.findall(phrase)) >= 2
    return _BOOST * (loud + several) - _TOO_SHORT * (len(phrase) < 5)
