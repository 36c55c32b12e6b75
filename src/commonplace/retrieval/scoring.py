"""How well a chunk's words answer a query, on a scale that queries share.

BM25 over two fields (the text, and its context counting double), divided by the score that an
ideal chunk would get: 0 is no word, 1 would be every word as dense as can be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.model.chunk import ChunkTerms
from commonplace.retrieval.statistics import TermStatistics

SATURATION = 1.2
LENGTH_INFLUENCE = 0.75
CONTEXT_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class WeighedTerms:
    """The terms of a query, each with what it says about a chunk that has it."""

    weights: Mapping[str, float]
    average_length: float

    @property
    def ideal(self) -> float:
        return sum(self.weights.values()) * (SATURATION + 1)


def weighed(terms: Sequence[str], statistics: TermStatistics) -> WeighedTerms:
    weights = {term: statistics.weight(term) for term in terms}
    return WeighedTerms(weights, statistics.average_length)


def coverage(chunk: ChunkTerms, query: WeighedTerms) -> float:
    """BM25 of the chunk as a share of what an ideal chunk would score."""
    return bm25(chunk, query) / query.ideal if query.weights else 0.0


def bm25(chunk: ChunkTerms, query: WeighedTerms) -> float:
    body, context = chunk.terms.split(), chunk.context_terms.split()
    counts = dict.fromkeys(query.weights, 0.0)
    _count(body, 1.0, counts)
    _count(context, CONTEXT_WEIGHT, counts)
    length = (len(body) + len(context)) / query.average_length
    damping = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * length)
    return sum(
        query.weights[term] * count * (SATURATION + 1) / (count + damping)
        for term, count in counts.items()
        if count
    )


def _count(words: Sequence[str], weight: float, counts: dict[str, float]) -> None:
    for word in words:
        if word in counts:
            counts[word] += weight
