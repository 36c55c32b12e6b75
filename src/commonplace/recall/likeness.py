"""Which of the passages found say the same: one in two clones, a note and its copy. Pure."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Sequence

from commonplace.model.chunk import ChunkTerms
from commonplace.retrieval.scoring import CountedTerms

# So many words in a row make a phrase; of two passages that share nearly all phrases of the
# shorter one, the second tells nothing new.
_PHRASE = 4
_SAME = 0.85
_Phrase = tuple[str, ...]


def phrases(words: Sequence[str]) -> frozenset[_Phrase]:
    """Runs of words in the order of the text; of a shorter text, all of it."""
    if len(words) < _PHRASE:
        return frozenset((tuple(words),))
    return frozenset(zip(*(words[start:] for start in range(_PHRASE)), strict=False))


class Unlike:
    """Remembers passages and tells whether another one says the same as one of them."""

    def __init__(self) -> None:
        self._seen: defaultdict[tuple[bool, ...], _Seen] = defaultdict(_Seen)

    def twin_of(self, chunk: ChunkTerms, has: CountedTerms) -> ChunkTerms | None:
        """The passage that said the same before; where there is none, this one is remembered."""
        return self._seen[asked_terms(has)].twin_or_new(chunk)

    def known_twin_of(self, chunk: ChunkTerms, has: CountedTerms) -> ChunkTerms | None:
        """The passage that said the same before; this one is not remembered."""
        seen = self._seen.get(asked_terms(has))
        return seen.twin_of(chunk) if seen else None


def asked_terms(has: CountedTerms) -> tuple[bool, ...]:
    """Which of the question's words a passage has: two that differ in them are not alike."""
    return tuple(map(bool, has.counts.values()))


class _Seen:
    """Passages and all phrases of theirs: one that shares few of these has no twin among them."""

    def __init__(self) -> None:
        # Most passages stay alone, and phrases are dear: they are made when another one comes.
        self._alone: ChunkTerms | None = None
        self._said: list[tuple[ChunkTerms, frozenset[_Phrase]]] = []
        self._phrases: set[_Phrase] = set()
        self._fewest = sys.maxsize

    def twin_or_new(self, chunk: ChunkTerms) -> ChunkTerms | None:
        if self._alone is None and not self._said:
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
            for other, said in self._said:
                if len(own & said) >= _SAME * min(len(own), len(said)):
                    return other
        return None

    def _remember(self, chunk: ChunkTerms, own: frozenset[_Phrase]) -> None:
        self._said.append((chunk, own))
        self._phrases |= own
        self._fewest = min(self._fewest, len(own))
