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
    """The terms of a query, each with what it says about a chunk that has it, and their sum."""

    weights: Mapping[str, float]
    average_length: float
    total: float

    @property
    def ideal(self) -> float:
        return self.total * (SATURATION + 1)


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How often a chunk has terms of a query, in the query's order, and how long it is."""

    counts: Mapping[str, float]
    length: int


def weighed(terms: Sequence[str], statistics: TermStatistics) -> WeighedTerms:
    weights = {term: statistics.weight(term) for term in terms}
    return WeighedTerms(weights, statistics.average_length, sum(weights.values()))


def coverage(chunk: ChunkTerms, query: WeighedTerms) -> float:
    """BM25 of the chunk as a share of what an ideal chunk would score."""
    return coverage_of(counted(chunk, query), query)


def coverage_of(found: CountedTerms, query: WeighedTerms) -> float:
    return bm25(found, query) / query.ideal if query.weights else 0.0


def counted(chunk: ChunkTerms, query: WeighedTerms) -> CountedTerms:
    """Occurrences of the query's terms; those in the context count double."""
    weights, counts = query.weights, dict.fromkeys(query.weights, 0.0)
    body, context = chunk.terms.split(), chunk.context_terms.split()
    for word in [word for word in body if word in weights]:
        counts[word] += 1.0
    for word in [word for word in context if word in weights]:
        counts[word] += CONTEXT_WEIGHT
    return CountedTerms(counts, len(body) + len(context))


def bm25(found: CountedTerms, query: WeighedTerms) -> float:
    length = found.length / query.average_length
    damping = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * length)
    return sum(
        query.weights[term] * count * (SATURATION + 1) / (count + damping)
        for term, count in found.counts.items()
        if count
    )
