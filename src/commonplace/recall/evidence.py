"""The evidence that a hit answers, in numbers comparable across questions and stores. Pure.

Similarity and coverage are on absolute scales. How far a hit is ahead of the tenth also counts: a
question that nothing answers finds ten hits that are about equally good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import CountedTerms, WeighedTerms, coverage_of

_COMPARED_WITH = 10

# Counts of the question's terms in each chunk, by chunk key.
Counts = Mapping[int, CountedTerms]


@dataclass(frozen=True, slots=True)
class Evidence:
    """Evidence for one hit.

    `share` is the share of the question's term weight that the hit has; `named` is the same for
    the names in the question. `alone` marks a hit without a similarity, because the hit or the
    question is not embedded.
    """

    similarity: float = 0.0
    coverage: float = 0.0
    share: float = 0.0
    named: float = 1.0
    ahead_in_meaning: float = 0.0
    ahead_in_words: float = 0.0
    relative_score: float = 0.0
    alone: bool = False
    terms: int = 0


def evidence_of(
    found: Sequence[Scored],
    counts: Counts,
    query: WeighedTerms,
    names: frozenset[str],
) -> Iterator[Evidence]:
    """Evidence for each hit, in order, computed lazily."""
    worded = {key: coverage_of(has, query) for key, has in counts.items()}
    near = {one.chunk.key: one.similarity or 0.0 for one in found}
    usual_words, usual_meaning = _tenth(worded), _tenth(near)
    best = found[0].score if found else 0.0
    for one in found:
        key = one.chunk.key
        yield Evidence(
            similarity=near[key],
            coverage=worded[key],
            share=share_of(counts[key], query),
            named=named_share_of(counts[key], query, names),
            ahead_in_meaning=near[key] - usual_meaning,
            ahead_in_words=worded[key] - usual_words,
            relative_score=one.score / best if best > 0 else 0.0,
            alone=one.similarity is None,
            terms=len(query.weights),
        )


def share_of(has: CountedTerms, query: WeighedTerms) -> float:
    """The share of the question's term weight that a chunk has."""
    if not query.total:
        return 0.0
    return sum(query.weights[term] for term, count in has.counts.items() if count) / query.total


def named_share_of(has: CountedTerms, query: WeighedTerms, names: frozenset[str]) -> float:
    """The share of the weight of the question's names that a chunk has; 1 if it names nothing."""
    total = sum(query.weights[name] for name in names)
    if not total:
        return 1.0
    return sum(query.weights[name] for name in names if has.counts[name]) / total


def _tenth(scores: Mapping[int, float]) -> float:
    ordered = nlargest(_COMPARED_WITH, scores.values())
    return ordered[min(_COMPARED_WITH, len(ordered)) - 1] if len(ordered) > 1 else 0.0
