"""Recognise a knowledge moment by many weak cues, where a text has none of the patterns' phrases.

No single cue says so; many weak ones are weighed. The cues and their weights are data, in
`lexicons/cues.toml` and `lexicons/weights.toml`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import mul
from types import MappingProxyType

from commonplace.analysis.lexicon import NO_MOMENT, Cues, cues
from commonplace.analysis.patterns import PatternMatch
from commonplace.analysis.spelling import plain

_PASSAGE = 600
_MOST_PER_CUE = 2
_MOST_PASSAGES = 20
_PLACES = 3
_BREAKS = ("\n\n", "\n", ". ", " ")
_KINDS: Mapping[str, str] = MappingProxyType(
    {
        "solution": "solution",
        "pattern": "solution",
        "gotcha": "gotcha",
        "win": "success",
        "troubleshooting": "problem",
    }
)


def read_cues(text: str, known: Cues | None = None) -> tuple[PatternMatch, ...]:
    """A match for each passage that reads like a moment, the most confident first.

    Of a long text only the beginning is read: what is not said in it is a document, no moment.
    """
    known = known or cues()
    passages = islice(_passages(text), _MOST_PASSAGES)
    found = (_match(known, text, *passage) for passage in passages)
    return tuple(sorted(filter(None, found), key=lambda match: -match.confidence))


def cue_counts(expressions: Iterable[re.Pattern[str]], passage: str) -> tuple[int, ...]:
    """The number of different phrases of each cue in the passage, at most two of each."""
    spelled = plain(passage)
    found = (set(expression.findall(spelled)) for expression in expressions)
    return tuple(min(_MOST_PER_CUE, len(phrases)) for phrases in found)


def _match(known: Cues, text: str, start: int, end: int) -> PatternMatch | None:
    shares = _shares(known, cue_counts(known.expressions, text[start:end]))
    confidence = round(1 - shares.pop(NO_MOMENT), _PLACES)
    if confidence < known.least_confidence:
        return None
    suggests = max(shares, key=shares.__getitem__)
    return PatternMatch(
        pattern=f"reads-like-{suggests}",
        kind=_KINDS[suggests],
        suggests=suggests,
        confidence=confidence,
        start=start,
        end=end,
    )


def _shares(known: Cues, counts: tuple[int, ...]) -> dict[str, float]:
    """The probability of each type, and of no moment; they sum to 1."""
    powers = {
        label: math.exp(known.bias[label] + math.fsum(map(mul, counts, weights)))
        for label, weights in known.weights.items()
    }
    total = math.fsum(powers.values())
    return {label: power / total for label, power in powers.items()}


def _passages(text: str) -> Iterator[tuple[int, int]]:
    """The start and end of passages that are long enough for one thought."""
    start = 0
    while start < len(text):
        end = _passage_end(text, start)
        yield start, end
        start = end


def _passage_end(text: str, start: int) -> int:
    """The best place to break in the second half of the longest passage."""
    limit = start + _PASSAGE
    if limit >= len(text):
        return len(text)
    ends = ((text.rfind(mark, start + _PASSAGE // 2, limit), mark) for mark in _BREAKS)
    return next((place + len(mark) for place, mark in ends if place >= 0), limit)
