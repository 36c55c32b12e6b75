"""Vectors of chunks: claimed, stored, compared."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from commonplace.model.chunk import (
    Owner,
    PendingChunk,
    Urgency,
)
from commonplace.model.query import Filter
from commonplace.storage.port.values import Nearest

if TYPE_CHECKING:
    from commonplace.embedding.port import ComputedVectors, Vector


class Vectors(Protocol):
    """Embeddings: the queue of what lacks them, and search among them."""

    def claim(
        self,
        urgency: Urgency,
        limit: int,
        lease_until: datetime,
        last: Urgency | None = None,
    ) -> list[PendingChunk]:
        """Due chunks; nobody else gets them before the lease runs out. The attempt is counted now.

        Those of `urgency`, or from it to the `last` that is wanted, the most urgent first.
        Those tried before come one by one, because one of them may have ended its worker.
        Those of files that say what another one says already take its vectors, and are left out.
        """
        ...

    def put(
        self, model: str, chunk: PendingChunk, windows: Sequence[Vector], *, preview: bool = False
    ) -> bool:
        """False when the chunk has changed or gone, or another model serves: nothing is stored.

        With a preview the chunk is found, and goes on waiting.
        """
        ...

    def keep(self, made: ComputedVectors, chunks: Sequence[PendingChunk]) -> list[PendingChunk]:
        """Store what was made of some chunks; answers those that `put` would not take."""
        ...

    def of_owner(self, owner: Owner, model: str | None) -> list[PendingChunk]:
        """The owner's chunks, all of them or those that lack vectors of the model."""
        ...

    def embedded_texts(self, owner: Owner, model: str) -> set[str]:
        """The hashes of the owner's texts that have vectors of the model."""
        ...

    def seek(self, keys: Sequence[int]) -> None:
        """Let those of the org's chunks that wait go first: somebody looks for them."""
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

    def likeness(
        self, model: str, pairs: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], float]:
        """The cosine of the first windows of two chunks; pairs without vectors are left out."""
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
