"""The port for vectors: the queue of chunks to embed, and search among vectors."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from commonplace.model.chunk import Owner, PendingChunk, Urgency
from commonplace.model.query import Filter
from commonplace.storage.port.values import Nearest

if TYPE_CHECKING:
    from commonplace.embedding.port import ComputedVectors, Vector


class Vectors(Protocol):
    """The queue of chunks to embed, and search among their vectors."""

    def claim(
        self,
        urgency: Urgency,
        limit: int,
        lease_until: datetime,
        last: Urgency | None = None,
    ) -> list[PendingChunk]:
        """Claim due chunks until the lease runs out; the attempts are counted now.

        Chunks of `urgency`, or of all urgencies up to `last`, most urgent first. Chunks that were
        tried before are claimed one at a time, because one of them may have crashed its worker.
        Chunks whose text has vectors already, in a copy of the file, get those and are left out.
        """
        ...

    def put(
        self, model: str, chunk: PendingChunk, windows: Sequence[Vector], *, preview: bool = False
    ) -> bool:
        """Store a chunk's vectors.

        False, and nothing is stored, if the chunk has changed or is gone, or another model serves.
        With a preview, the chunk is found but still waits.
        """
        ...

    def keep(self, made: ComputedVectors, chunks: Sequence[PendingChunk]) -> list[PendingChunk]:
        """Store computed vectors; returns the chunks that `put` would refuse."""
        ...

    def of_owner(self, owner: Owner, model: str | None) -> list[PendingChunk]:
        """The owner's chunks: all of them, or those that lack vectors of the model."""
        ...

    def embedded_texts(self, owner: Owner, model: str) -> set[str]:
        """Hashes of the owner's texts that have vectors of the model."""
        ...

    def prioritise(self, keys: Sequence[int]) -> None:
        """Move waiting chunks of the org to the front of the queue, because a search wants them."""
        ...

    def postpone(self, keys: Sequence[int], due: datetime) -> None:
        """Return claimed chunks to the queue until `due`, without counting the attempt."""
        ...

    def record_failure(self, chunk: PendingChunk, due: datetime | None, error: str) -> None:
        """Record why an attempt failed; without `due`, the chunk is given up and listed as
        failed."""
        ...

    def nearest(
        self, model: str, query: Vector, wanted: Filter, limit: int, width: int
    ) -> Nearest: ...

    def cosines(self, model: str, query: Vector, keys: Sequence[int]) -> dict[int, float]:
        """The best cosine of each chunk's windows; chunks without vectors are left out."""
        ...

    def pair_cosines(
        self, model: str, pairs: Sequence[tuple[int, int]]
    ) -> dict[tuple[int, int], float]:
        """The cosine of the first windows of two chunks; pairs without vectors are left out."""
        ...

    def mean_cosines(
        self, model: str, query: Vector, documents: Sequence[int], most: int
    ) -> dict[int, float]:
        """The mean cosine of each document of the org, over up to `most` vectors spread across it.

        Documents without vectors are left out.
        """
        ...

    def reopen(self, model: str, limit: int) -> int:
        """Check some chunks that lack the model's vectors; returns how many.

        If vectors of the model exist already, they become valid; the other chunks wait for them.
        """
        ...

    def retry_failed(self) -> int: ...

    def bring_forward(self, latest: datetime) -> None:
        """Make chunks due at `latest`, if they would wait longer."""
        ...
