"""Scores how well a chunk's words match a query, on a scale that is the same for all queries.

BM25 over two fields (the text, and its context counting double), divided by the score of an ideal
chunk: 0 means no word matches, 1 that every word occurs at the highest density.
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
    """The terms of a query with their weights (IDF), and the sum of the weights."""

    weights: Mapping[str, float]
    average_length: float
    total: float

    @property
    def ideal(self) -> float:
        return self.total * (SATURATION + 1)


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How often each term of a query occurs in a chunk, in the query's order, and its length."""

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
    """Count the query's terms in a chunk; occurrences in the context count double.

    A chunk has few of the terms, so searching for each is faster than splitting the text.
    """
    body, context = f" {chunk.terms} ", f" {chunk.context_terms} "
    counts = {}
    for term in query.weights:
        found, word = 0.0, f" {term} "
        if word in body:
            found += _occurrences(body, word)
        if word in context:
            found += CONTEXT_WEIGHT * _occurrences(context, word)
        counts[term] = found
    return CountedTerms(counts, _length(chunk.terms) + _length(chunk.context_terms))


def _occurrences(text: str, word: str) -> int:
    """Count a word with its surrounding spaces; unlike in `str.count`, neighbours share a space."""
    count, at = 0, text.find(word)
    while at >= 0:
        count, at = count + 1, text.find(word, at + len(word) - 1)
    return count


def _length(terms: str) -> int:
    return terms.count(" ") + 1 if terms else 0


def bm25(found: CountedTerms, query: WeighedTerms) -> float:
    length = found.length / query.average_length
    damping = SATURATION * (1 - LENGTH_INFLUENCE + LENGTH_INFLUENCE * length)
    return sum(
        query.weights[term] * count * (SATURATION + 1) / (count + damping)
        for term, count in found.counts.items()
        if count
    )
