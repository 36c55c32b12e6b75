"""The port for chunks: storing them, and finding them by words."""

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
    """Chunks of entries and documents."""

    def replace(self, owner: Owner, metadata: ChunkMetadata, drafts: Sequence[ChunkDraft]) -> int:
        """Replace the owner's chunks; unchanged text keeps its row and its vectors.

        Returns how many chunks newly wait for an embedding.
        """
        ...

    def remove(self, owner: Owner) -> int: ...

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Keys of matching chunks, in the store's own ranking."""
        ...

    def expect(self, wanted: Filter, *, terms: bool) -> None:
        """Announce a search that will read chunks which pass this filter, with or without terms.

        What is read of a chunk to find out whether it passes is kept until the transaction ends, so
        it must not write.
        """
        ...

    def terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        """The same chunks as `fetch`, but only what scoring reads."""
        ...

    def without_terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        """The result of `terms` for scoring without words: no terms, and no text is read."""
        ...

    def words(self, keys: Sequence[int]) -> dict[int, str]:
        """The exact words of chunks; for an entry, its first chunk has all of them."""
        ...

    def fetch(self, keys: Sequence[int], wanted: Filter) -> list[Chunk]:
        """The chunks with these keys that pass the filter, in key order."""
        ...

    def around(self, keys: Sequence[int], asked: NearInTime) -> list[InSequence]:
        """Neighbours in time: chunks of short entries written right before or after.

        Neighbours have the same author, kind, place and visibility, so that who may see one may see
        the other.
        """
        ...

    def page(self, owner: Owner, limit: int, offset: int) -> list[Chunk]:
        """Chunks of an owner, in text order."""
        ...

    def state(self, owner: Owner) -> EmbeddingState | None:
        """The least finished embedding state among the owner's chunks."""
        ...

    def counts(self) -> ChunkCounts:
        """Counts of the org's own chunks."""
        ...

    def unembedded(self, most: int, wanted: Filter = ANYTHING) -> Unembedded:
        """How many of the org's chunks lack vectors of their own, counting each state up to
        `most`."""
        ...

    def sample(self, limit: int) -> list[str]:
        """The terms of an even sample of the org's chunks; the same sample on every store."""
        ...

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        """Owners of chunks whose embedding was given up, with the reason."""
        ...
