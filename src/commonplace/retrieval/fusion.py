"""Combines the scores of the keyword leg and the meaning leg into one, with a reason per part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model.chunk import ChunkTerms
from commonplace.model.entry import Place
from commonplace.model.query import Fusion, ScorePart
from commonplace.retrieval.scoring import CountedTerms
from commonplace.retrieval.wording import USUAL, WordWeight

# For unscaled coverage: chosen on the tuning half of benchmarks/quality/workspace.
UNSCALED = WordWeight(0.15, "words match")
# The weight of the whole file's similarity, where it is known: see docs/decisions/0031.
WHOLE_WEIGHT = 0.3
# If the best coverage is below this, words do not get their full weight.
MEANINGFUL_COVERAGE = 0.15
RANK_CONSTANT = 60
SIMILARITY_DIGITS = 4
_BEST_RANK_SUM = 2 / (RANK_CONSTANT + 1)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A chunk with its score in each leg; None if a leg has no score for it.

    `whole` is the similarity of its whole file, if the search uses it. `counts` are the term
    counts from which the coverage was computed.
    """

    chunk: ChunkTerms
    coverage: float | None
    similarity: float | None
    whole: float | None = None
    counts: CountedTerms | None = None

    @property
    def nearness(self) -> float | None:
        """The chunk's similarity, averaged with that of its file."""
        if self.similarity is None or self.whole is None:
            return self.similarity
        return (1 - WHOLE_WEIGHT) * self.similarity + WHOLE_WEIGHT * self.whole


@dataclass(frozen=True, slots=True)
class Scored:
    chunk: ChunkTerms
    score: float
    parts: tuple[ScorePart, ...]
    similarity: float | None = None
    counts: CountedTerms | None = None


def fuse(
    candidates: Sequence[Candidate],
    fusion: Fusion,
    fan_out: int | None = None,
    words: WordWeight = USUAL,
) -> list[Scored]:
    """Score the candidates, best first. Ties are broken by the more specific place, then by key.

    `words` is the weight of words on the absolute scale. Ranks beyond `fan_out` do not count. When
    fusing ranks, ties prefer the chunk that matches by words: its word is certainly there, whereas
    some chunk is always the nearest by meaning.
    """
    if fusion is Fusion.RECIPROCAL_RANK:
        scored = _by_rank(candidates, fan_out)
    elif fusion is Fusion.SIMILARITY:
        scored = _by_similarity(candidates, words)
    elif fusion is Fusion.UNSCALED:
        scored = _weighed(candidates, UNSCALED)
    else:
        scored = _absolute(candidates, words)
    by_rank = fusion is Fusion.RECIPROCAL_RANK
    return sorted(
        scored,
        key=lambda s: (
            -s.score,
            -_specificity(s.chunk.place),
            by_rank and not _matches_words(s),
            s.chunk.key,
        ),
    )


def _matches_words(scored: Scored) -> bool:
    return any(part.name == "lexical" for part in scored.parts)


def best_by_words(candidates: Sequence[Candidate], limit: int) -> list[Candidate]:
    """The `limit` candidates with the best coverage; ties are broken by similarity."""
    by_words = sorted(
        candidates, key=lambda c: (-(c.coverage or 0.0), -(c.similarity or 0.0), c.chunk.key)
    )
    return by_words[:limit]


def _specificity(place: Place) -> int:
    """How narrow a place is: a chunk in a space is more specific than one that everybody shares."""
    return (place.workspace is not None) + (place.space is not None)


def _by_similarity(candidates: Sequence[Candidate], words: WordWeight) -> list[Scored]:
    """Score by similarity alone, rounded so that equal texts tie however their cosines were
    computed."""
    if all(candidate.similarity is None for candidate in candidates):
        return _absolute(candidates, words)
    scored = []
    for candidate in candidates:
        score = round(candidate.similarity or 0.0, SIMILARITY_DIGITS)
        parts = (ScorePart("semantic", score, "meaning is near"),) if score else ()
        scored.append(Scored(candidate.chunk, score, parts, score, candidate.counts))
    return scored


def _absolute(candidates: Sequence[Candidate], words: WordWeight) -> list[Scored]:
    """Scale coverage by the best one found, so that small differences still count when no chunk
    has all words of the query."""
    best = max((c.coverage or 0.0 for c in candidates), default=0.0)
    return _weighed(candidates, words, max(best, MEANINGFUL_COVERAGE))


def _weighed(candidates: Sequence[Candidate], words: WordWeight, best: float = 1.0) -> list[Scored]:
    """Sum both legs by weight; if one has no score for a chunk, the other counts in full."""
    share, meaning = words.weight / best, 1 - words.weight
    scored = []
    for candidate in candidates:
        lexical = 1.0 if candidate.similarity is None else share
        semantic = 1.0 if candidate.coverage is None else meaning
        parts = []
        if candidate.coverage:
            parts.append(ScorePart("lexical", lexical * candidate.coverage, words.reason))
        if near := candidate.nearness:
            parts.append(ScorePart("semantic", semantic * near, "meaning is near"))
        scored.append(_summed(candidate, tuple(parts)))
    return scored


def _by_rank(candidates: Sequence[Candidate], fan_out: int | None) -> list[Scored]:
    """Sum reciprocal ranks, scaled so that being first in both legs gives 1."""
    lexical = _ranks({c.chunk.key: c.coverage for c in candidates}, fan_out)
    semantic = _ranks({c.chunk.key: c.similarity for c in candidates}, fan_out)
    scored = []
    for candidate in candidates:
        legs = (("lexical", lexical), ("semantic", semantic))
        parts = tuple(
            ScorePart(name, 1 / (RANK_CONSTANT + rank) / _BEST_RANK_SUM, f"rank {rank}")
            for name, ranks in legs
            if (rank := ranks.get(candidate.chunk.key))
        )
        scored.append(_summed(candidate, parts))
    return scored


def _summed(candidate: Candidate, parts: tuple[ScorePart, ...]) -> Scored:
    total = sum(part.value for part in parts)
    return Scored(candidate.chunk, total, parts, candidate.similarity, candidate.counts)


def _ranks(scores: dict[int, float | None], most: int | None) -> dict[int, int]:
    """Ranks from 1, best first; a score of zero gets no rank."""
    found = sorted((-score, key) for key, score in scores.items() if score)
    return {key: rank for rank, (_, key) in enumerate(found[:most], start=1)}
