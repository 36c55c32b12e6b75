"""Detects passages that say the same, such as a file in two clones, or a copied note. Pure."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from commonplace.model.chunk import ChunkTerms
from commonplace.retrieval.scoring import CountedTerms

# The length of a phrase in words. Two passages that share nearly all phrases of the shorter one
# say the same.
_PHRASE = 4
_SAME = 0.85
_Phrase = tuple[str, ...]


def phrases(words: Sequence[str]) -> frozenset[_Phrase]:
    """All runs of `_PHRASE` words; the whole text if it is shorter."""
    if len(words) < _PHRASE:
        return frozenset((tuple(words),))
    return frozenset(zip(*(words[start:] for start in range(_PHRASE)), strict=False))


class TwinFinder:
    """Remembers passages, and finds the one that says the same as another."""

    def __init__(self) -> None:
        self._seen: defaultdict[tuple[bool, ...], _Passages] = defaultdict(_Passages)

    def twin_of(self, chunk: ChunkTerms, has: CountedTerms) -> ChunkTerms | None:
        """The remembered passage that says the same; if there is none, remember this one."""
        return self._seen[matched_terms(has)].twin_or_new(chunk)

    def known_twin_of(self, chunk: ChunkTerms, has: CountedTerms) -> ChunkTerms | None:
        """The remembered passage that says the same, without remembering this one."""
        seen = self._seen.get(matched_terms(has))
        return seen.twin_of(chunk) if seen else None


def matched_terms(has: CountedTerms) -> tuple[bool, ...]:
    """Which of the question's words a passage has; passages that differ here are not twins."""
    return tuple(map(bool, has.counts.values()))


class _Passages:
    """Passages with the union of their phrases, which rules out most twins with one comparison."""

    def __init__(self) -> None:
        # Most passages stay alone, and phrases are expensive: compute them only for the second.
        self._alone: ChunkTerms | None = None
        self._known: list[tuple[ChunkTerms, frozenset[_Phrase]]] = []
        self._phrases: set[_Phrase] = set()
        self._fewest = sys.maxsize

    def twin_or_new(self, chunk: ChunkTerms) -> ChunkTerms | None:
        if self._alone is None and not self._known:
            self._alone = chunk
            return None
        own = phrases(chunk.terms.split())
        twin = self._twin(own)
        if twin is None:
            self._remember(chunk, own)
        return twin

    def twin_of(self, chunk: ChunkTerms) -> ChunkTerms | None:
        return self._twin(phrases(chunk.terms.split()))

    def _twin(self, own: frozenset[_Phrase]) -> ChunkTerms | None:
        if self._alone is not None:
            self._remember(self._alone, phrases(self._alone.terms.split()))
            self._alone = None
        if len(own & self._phrases) >= _SAME * min(len(own), self._fewest):
            for other, known in self._known:
                if len(own & known) >= _SAME * min(len(own), len(known)):
                    return other
        return None

    def _remember(self, chunk: ChunkTerms, own: frozenset[_Phrase]) -> None:
        self._known.append((chunk, own))
        self._phrases |= own
        self._fewest = min(self._fewest, len(own))
