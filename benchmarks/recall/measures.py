"""What is said of some answers: found at the top, rightly refused, how well probabilities fit."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from benchmarks.recall.asking import Given
from benchmarks.recall.plan import Asked, Sort
from commonplace.recall.values import Verdict

_BINS = 10
Answered = Sequence[tuple[Asked, Given]]


@dataclass(frozen=True, slots=True)
class Found:
    """Of answerable questions: shares, and the characters spent per question that was answered."""

    three: float
    five: float
    gain: float
    characters: float


def found(answered: Answered) -> Found:
    every = [(asked, given) for asked, given in answered if asked.sort is Sort.ANSWERABLE]
    ranks = [given.rank(asked) for asked, given in every]
    right = sum(0 < rank <= 10 for rank in ranks)
    spent = sum(given.characters for _, given in every)
    return Found(
        fmean(0 < rank <= 3 for rank in ranks),
        fmean(0 < rank <= 5 for rank in ranks),
        fmean(_gain(asked, given) for asked, given in every),
        spent / right if right else math.inf,
    )


def share(answered: Answered, sort: Sort, verdict: Verdict) -> float:
    some = [given.verdict is verdict for asked, given in answered if asked.sort is sort]
    return fmean(some) if some else 0.0


def calibration_error(pairs: Sequence[tuple[float, bool]]) -> float:
    """Expected calibration error: by how much probabilities miss in the mean, over ten bins."""
    bins: list[list[tuple[float, bool]]] = [[] for _ in range(_BINS)]
    for probability, is_right in pairs:
        bins[min(_BINS - 1, int(probability * _BINS))].append((probability, is_right))
    misses = [
        len(one) * abs(fmean(p for p, _ in one) - fmean(r for _, r in one)) for one in bins if one
    ]
    return sum(misses) / len(pairs) if pairs else 0.0


def of_hits(answered: Answered) -> list[tuple[float, bool]]:
    return [
        (probability, bool(names & asked.right))
        for asked, given in answered
        for probability, names in zip(given.likely, given.names, strict=True)
    ]


def of_questions(answered: Answered) -> list[tuple[float, bool]]:
    return [(given.probability, given.rank(asked) > 0) for asked, given in answered]


def _gain(asked: Asked, given: Given) -> float:
    """nDCG at ten; each right thing counts once."""
    seen: set[str] = set()
    total = 0.0
    for place, names in enumerate(given.names[:10]):
        fresh = (names & asked.right) - seen
        seen |= fresh
        total += 1 / math.log2(place + 2) if fresh else 0.0
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, _things(asked))))
    return total / ideal


def _things(asked: Asked) -> int:
    """A copy is shown once with its original: both are one thing."""
    return len({right.removesuffix("-again") for right in asked.right})
