"""Stage 1: what a query looks for, and which of its words are worth asking the store for."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.retrieval.statistics import TermStatistics

# A word in more than this share of the chunks brings many candidates and little meaning.
FREQUENT_SHARE = 0.1
ENOUGH_RARE_TERMS = 2


def selective_terms(terms: Sequence[str], statistics: TermStatistics) -> tuple[str, ...]:
    """The terms that choose candidates: without frequent ones when rarer ones are there.

    Frequent terms still count in the score of every candidate.
    """
    rare = [term for term in terms if statistics.share(term) <= FREQUENT_SHARE]
    return tuple(rare) if len(rare) >= ENOUGH_RARE_TERMS else tuple(terms)
