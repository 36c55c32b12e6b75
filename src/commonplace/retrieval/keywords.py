"""The keyword leg of exact search: every word of the query, as it is written, or a title with it.

How well a body matches is how densely it holds the words; all of them are there anyway, so how
rare they are makes no difference. A title that contains the whole query counts half a point.
"""

from __future__ import annotations

from collections.abc import Sequence

SATURATION = 1.2
LENGTH_INFLUENCE = 0.75
USUAL_LENGTH = 200.0
TITLE_BONUS = 0.5
# A label that contains the whole query, be it inside a word, covers it as well as can be.
LABEL_COVERAGE = 1.0
# Asking for every gram of a long query costs several times as much, and rarely narrows further.
_TELLING = 8


def keyword_score(words: Sequence[str], wanted: Sequence[str], *, titled: bool) -> float:
    """0 when neither the words nor the title match."""
    return density(words, wanted) + (TITLE_BONUS if titled else 0.0)


def density(words: Sequence[str], wanted: Sequence[str]) -> float:
    """How densely the wanted words stand, from 0 to 1; 0 unless every one is there."""
    counts = [words.count(word) for word in wanted]
    if not counts or not all(counts):
        return 0.0
    damping = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * len(words) / USUAL_LENGTH)
    return sum(count / (count + damping) for count in counts) / len(counts)


def telling(grams: Sequence[str]) -> Sequence[str]:
    """A few grams from all over the query: what lacks one of them does not contain it."""
    if len(grams) <= _TELLING:
        return grams
    last = len(grams) - 1
    return [grams[number * last // (_TELLING - 1)] for number in range(_TELLING)]


def contains(title: str, query: str) -> bool:
    """Whether a title holds the whole query, ignoring case; every character is literal."""
    return query.casefold() in title.casefold()
