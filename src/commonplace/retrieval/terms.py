"""Chooses the words of a query that the store should search for."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.retrieval.statistics import TermStatistics

# A store ranks every chunk that has one of the terms; this bounds its work in a large store.
MOST_MATCHES = 2000
ENOUGH_TERMS = 2


def selective_terms(terms: Sequence[str], statistics: TermStatistics) -> tuple[str, ...]:
    """The terms that select candidates: the rarest ones that together match few enough chunks.

    The other terms still count in the score of every candidate.
    """
    chosen: set[str] = set()
    matches = 0.0
    for term in sorted(terms, key=statistics.expected):
        matches += statistics.expected(term)
        if matches > MOST_MATCHES and len(chosen) >= ENOUGH_TERMS:
            break
        chosen.add(term)
    return tuple(term for term in terms if term in chosen)
