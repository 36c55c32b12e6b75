"""What speaks for a hit, in numbers that mean the same for every question and store. Pure.

Similarity and coverage are absolute scales of retrieval; beside them counts how far a hit stands
out from the tenth, because a question that nothing answers finds ten alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.model.chunk import ChunkTerms
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, coverage

_COMPARED_WITH = 10


@dataclass(frozen=True, slots=True)
class Evidence:
    """`share` is how much of the question's rarity the hit's words have; `alone` marks a hit that
    only one leg could judge: it is not embedded yet, or the question was not."""

    similarity: float = 0.0
    coverage: float = 0.0
    share: float = 0.0
    ahead_in_meaning: float = 0.0
    ahead_in_words: float = 0.0
    relative_score: float = 0.0
    alone: bool = False
    terms: int = 0


def evidence_of(found: Sequence[Scored], query: WeighedTerms) -> dict[int, Evidence]:
    """Evidence by key of the chunk, for what was found, best first."""
    worded = {one.chunk.key: coverage(one.chunk, query) for one in found}
    near = {one.chunk.key: one.similarity or 0.0 for one in found}
    usual_words, usual_meaning = _tenth(worded), _tenth(near)
    best = found[0].score if found else 0.0
    return {
        (key := one.chunk.key): Evidence(
            similarity=near[key],
            coverage=worded[key],
            share=share_of(one.chunk, query.weights),
            ahead_in_meaning=near[key] - usual_meaning,
            ahead_in_words=worded[key] - usual_words,
            relative_score=one.score / best if best > 0 else 0.0,
            alone=one.similarity is None,
            terms=len(query.weights),
        )
        for one in found
    }


def share_of(chunk: ChunkTerms, weights: Mapping[str, float]) -> float:
    """The weight of the question's words that the chunk has, as a share of all of them."""
    total = sum(weights.values())
    if not total:
        return 0.0
    has = {*chunk.terms.split(), *chunk.context_terms.split()}
    return sum(weight for term, weight in weights.items() if term in has) / total


def _tenth(scores: Mapping[int, float]) -> float:
    ordered = sorted(scores.values(), reverse=True)
    return ordered[min(_COMPARED_WITH, len(ordered)) - 1] if len(ordered) > 1 else 0.0
