"""The novelty of a trace: 1 if nothing similar is known, 0 if it was all said before."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from commonplace.text.analyse import analyse


def novelty(text: str, earlier: Iterable[str]) -> float:
    """One minus the highest similarity to any earlier text."""
    words = Counter(analyse(text))
    return 1.0 - max((_resemblance(words, Counter(analyse(other))) for other in earlier), default=0)


def _resemblance(one: Counter[str], other: Counter[str]) -> float:
    """The cosine of two texts' word counts."""
    lengths = math.sqrt(_length(one) * _length(other))
    shared = sum(count * other[word] for word, count in one.items())
    return min(1.0, shared / lengths) if lengths else 0.0


def _length(words: Counter[str]) -> float:
    return float(sum(count * count for count in words.values()))
