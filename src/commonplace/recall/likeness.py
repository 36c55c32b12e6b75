"""Which of the passages found say the same: one in two clones, a note and its copy. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from commonplace.model.chunk import ChunkTerms

# So many words in a row make a phrase; of two passages that share nearly all phrases of the
# shorter one, the second tells nothing new.
_PHRASE = 4
_SAME = 0.85
_Said = tuple[ChunkTerms, frozenset[tuple[str, ...]]]


def phrases(chunk: ChunkTerms) -> frozenset[tuple[str, ...]]:
    """Runs of words in the order of the text; of a shorter text, all of it."""
    words = chunk.terms.split()
    if len(words) < _PHRASE:
        return frozenset((tuple(words),))
    return frozenset(zip(*(words[start:] for start in range(_PHRASE)), strict=False))


def asked_words(chunk: ChunkTerms, asked: Sequence[str]) -> frozenset[str]:
    """The question's words that a passage has: two that differ in them are not alike."""
    return frozenset(asked) & {*chunk.terms.split(), *chunk.context_terms.split()}


class Unlike:
    """Remembers passages and tells whether another one says the same as one of them."""

    def __init__(self, asked: Sequence[str]) -> None:
        self._asked = asked
        self._seen: defaultdict[frozenset[str], list[_Said]] = defaultdict(list)

    def twin_of(self, chunk: ChunkTerms) -> ChunkTerms | None:
        """The passage that said the same before; where there is none, this one is remembered."""
        own, alike = phrases(chunk), self._seen[asked_words(chunk, self._asked)]
        for other, said in alike:
            if len(own & said) >= _SAME * min(len(own), len(said)):
                return other
        alike.append((chunk, own))
        return None
