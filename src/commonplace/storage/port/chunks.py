"""What search finds: chunks, by their words and by what they are part of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.chunk import (
    Chunk,
    ChunkCounts,
    ChunkDraft,
    ChunkMetadata,
    ChunkTerms,
    EmbeddingState,
    InSequence,
    NearInTime,
    Owner,
    Unembedded,
)
from commonplace.model.query import ANYTHING, Filter
from commonplace.storage.port.values import LexicalQuery


class Chunks(Protocol):
    """What search finds."""

    def replace(self, owner: Owner, metadata: ChunkMetadata, drafts: Sequence[ChunkDraft]) -> int:
        """Make these the owner's chunks; unchanged text keeps its row and vectors.

        Returns how many chunks now wait for an embedding that did not before.
        """
        ...

    def remove(self, owner: Owner) -> int: ...

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Keys of matching chunks, by the store's own ranking."""
        ...

    def terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        """Chunks as `fetch` has them, with what scoring reads only."""
        ...

    def without_terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        """The same for who scores by no words: its terms are empty, and no text is read."""
        ...

    def words(self, keys: Sequence[int]) -> dict[int, str]:
        """The exact words of chunks; of an entry, the first chunk has them all."""
        ...

    def fetch(self, keys: Sequence[int], wanted: Filter) -> list[Chunk]:
        """Those of the keys that pass the filter, in key order."""
        ...

    def around(self, keys: Sequence[int], asked: NearInTime) -> list[InSequence]:
        """Chunks of short entries with those of others that came right before or after them.

        By the same author, of the same kind, place and visibility: who sees one sees the other.
        """
        ...

    def page(self, owner: Owner, limit: int, offset: int) -> list[Chunk]:
        """Chunks of an owner, in the order of its text."""
        ...

    def state(self, owner: Owner) -> EmbeddingState | None:
        """The least finished state of the owner's chunks."""
        ...

    def counts(self) -> ChunkCounts:
        """Counts of the org's own chunks."""
        ...

    def unembedded(self, most: int, wanted: Filter = ANYTHING) -> Unembedded:
        """How many of the org's chunks have no vectors of their own, counted up to `most` each."""
        ...

    def sample(self, limit: int) -> list[str]:
        """Terms of an even sample of the org's chunks, the same on every store."""
        ...

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        """Owners of chunks whose embedding was given up, with the reason."""
        ...
