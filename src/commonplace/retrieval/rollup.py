"""Groups chunks by owner: an entry or a file ranks by its best chunk."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.chunk import Owner
from commonplace.retrieval.fusion import Candidate


def best_per_owner(candidates: Sequence[Candidate]) -> list[Candidate]:
    """One candidate per owner, with the best score of its chunks in each leg.

    It represents the owner by the chunk with the highest sum of both scores.
    """
    groups: dict[Owner, list[Candidate]] = {}
    for candidate in candidates:
        groups.setdefault(candidate.chunk.owner, []).append(candidate)
    return [group[0] if len(group) == 1 else _merged(group) for group in groups.values()]


def _merged(group: Sequence[Candidate]) -> Candidate:
    best = max(group, key=lambda c: ((c.coverage or 0) + (c.similarity or 0), -c.chunk.key))
    coverages = [c.coverage for c in group if c.coverage is not None]
    similarities = [c.similarity for c in group if c.similarity is not None]
    return Candidate(
        chunk=best.chunk,
        coverage=max(coverages, default=None),
        similarity=max(similarities, default=None),
        counts=best.counts,
    )
