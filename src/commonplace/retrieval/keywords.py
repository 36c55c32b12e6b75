"""Scoring for exact search, which requires every word of the query, or a title that contains it.

A body is scored by how densely the words occur. Rarity is ignored: every match has all words. A
title that contains the whole query adds half a point.
"""

from __future__ import annotations

from collections.abc import Sequence

SATURATION = 1.2
LENGTH_INFLUENCE = 0.75
USUAL_LENGTH = 200.0
TITLE_BONUS = 0.5
# A label that contains the whole query, even inside a word, is a complete match.
LABEL_COVERAGE = 1.0
# Looking up every gram of a long query costs several times as much and rarely narrows further.
_MOST_GRAMS = 8


def keyword_score(words: Sequence[str], wanted: Sequence[str], *, titled: bool) -> float:
    """The score of a text with these words; 0 if neither the words nor the title match."""
    return density(words, wanted) + (TITLE_BONUS if titled else 0.0)


def density(words: Sequence[str], wanted: Sequence[str]) -> float:
    """How densely the wanted words occur, from 0 to 1; 0 unless all occur."""
    counts = [words.count(word) for word in wanted]
    if not counts or not all(counts):
        return 0.0
    damping = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * len(words) / USUAL_LENGTH)
    return sum(count / (count + damping) for count in counts) / len(counts)


def sample_grams(grams: Sequence[str]) -> Sequence[str]:
    """Evenly spaced grams of the query; a text that lacks one of them does not contain it."""
    if len(grams) <= _MOST_GRAMS:
        return grams
    last = len(grams) - 1
    return [grams[number * last // (_MOST_GRAMS - 1)] for number in range(_MOST_GRAMS)]


def contains(title: str, query: str) -> bool:
    """Whether a title contains the whole query literally, ignoring case."""
    return query.casefold() in title.casefold()
