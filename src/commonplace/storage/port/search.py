"""What search reads: chunks, their vectors, and what is known of an org as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from commonplace.model.chunk import (
    Chunk,
    ChunkCounts,
    ChunkDraft,
    ChunkTerms,
    EmbeddingState,
    Owner,
    PendingChunk,
    Standing,
    Unembedded,
    Urgency,
)
from commonplace.model.query import ANYTHING, Filter
from commonplace.storage.port.values import CorpusStatistics, LexicalQuery, Nearest

if TYPE_CHECKING:
    from commonplace.embedding.port import Made, Vector


class Chunks(Protocol):
    """What search finds."""

    def replace(self, owner: Owner, standing: Standing, drafts: Sequence[ChunkDraft]) -> int:
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

    def words(self, keys: Sequence[int]) -> dict[int, str]:
        """The exact words of chunks; of an entry, the first chunk has them all."""
        ...

    def fetch(self, keys: Sequence[int], wanted: Filter) -> list[Chunk]:
        """Those of the keys that pass the filter, in key order."""
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
        """How many of the org's chunks have no vectors, counted up to `most` each."""
        ...

    def sample(self, limit: int) -> list[str]:
        """Terms of an even sample of the org's chunks, the same on every store."""
        ...

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        """Owners of chunks whose embedding was given up, with the reason."""
        ...


class Vectors(Protocol):
    """Embeddings: the queue of what lacks them, and search among them."""

    def claim(self, urgency: Urgency, limit: int, lease_until: datetime) -> list[PendingChunk]:
        """Due chunks; nobody else gets them before the lease runs out. The attempt is counted now.

        Those tried before come one by one, because one of them may have ended its worker.
        Those of files that say what another one says already take its vectors, and are left out.
        """
        ...

    def put(self, model: str, chunk: PendingChunk, windows: Sequence[Vector]) -> bool:
        """False when the chunk has changed or gone, or another model serves: nothing is stored."""
        ...

    def keep(self, made: Made, chunks: Sequence[PendingChunk]) -> list[PendingChunk]:
        """Store what was made of some chunks; answers those that `put` would not take."""
        ...

    def of_owner(self, owner: Owner, model: str | None) -> list[PendingChunk]:
        """The owner's chunks, all of them or those that lack vectors of the model."""
        ...

    def embedded_texts(self, owner: Owner, model: str) -> set[str]:
        """The hashes of the owner's texts that have vectors of the model."""
        ...

    def postpone(self, keys: Sequence[int], due: datetime) -> None:
        """Give claimed chunks back, not to be claimed before `due`, as if never claimed."""
        ...

    def record_failure(self, chunk: PendingChunk, due: datetime | None, error: str) -> None:
        """Say why an attempt failed; without `due` the chunk is given up, visibly."""
        ...

    def nearest(
        self, model: str, query: Vector, wanted: Filter, limit: int, width: int
    ) -> Nearest: ...

    def cosines(self, model: str, query: Vector, keys: Sequence[int]) -> dict[int, float]:
        """Best window of each of these chunks; chunks without vectors are left out."""
        ...

    def means(
        self, model: str, query: Vector, documents: Sequence[int], most: int
    ) -> dict[int, float]:
        """The mean cosine of each of the org's documents, by up to `most` vectors all over it.

        What has no vectors is left out.
        """
        ...

    def reopen(self, model: str, limit: int) -> int:
        """Look at some chunks that are not the model's: how many.

        Where it has made vectors already, they count from now on; the others wait for them.
        """
        ...

    def retry_failed(self) -> int: ...

    def bring_forward(self, latest: datetime) -> None:
        """Make due what would wait longer than until then."""
        ...


class Statistics(Protocol):
    """What scoring needs to know about an org as a whole."""

    def load(self) -> CorpusStatistics | None: ...

    def save(self, statistics: CorpusStatistics) -> None: ...
