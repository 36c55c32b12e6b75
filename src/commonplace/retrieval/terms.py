"""What a query looks for, and which of its words are worth asking the store for."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.retrieval.statistics import TermStatistics

# A store ranks every chunk that has one of the terms: this bounds its work, however much it holds.
MOST_MATCHES = 2000
ENOUGH_TERMS = 2


def selective_terms(terms: Sequence[str], statistics: TermStatistics) -> tuple[str, ...]:
    """The terms that choose candidates: the rarest, as long as they match few chunks together.

    The others still count in the score of every candidate.
    """
    chosen: set[str] = set()
    matches = 0.0
    for term in sorted(terms, key=statistics.expected):
        matches += statistics.expected(term)
        if matches > MOST_MATCHES and len(chosen) >= ENOUGH_TERMS:
            break
        chosen.add(term)
    return tuple(term for term in terms if term in chosen)
