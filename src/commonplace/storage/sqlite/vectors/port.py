"""The interface between the store and its vector indexes, in both directions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.embedding.port import Vector

    Keys = Sequence[int] | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class VectorBatch:
    """Vectors in key order, which is the order of adding: 16-bit floats, concatenated."""

    keys: Sequence[int]
    chunk_keys: Sequence[int]
    data: bytes


@dataclass(frozen=True, slots=True)
class NearestChunks:
    """Keys of chunks with their cosines, nearest first; approximate ones unless `exact`."""

    hits: Sequence[tuple[int, float]]
    exact: bool


class VectorFeed(Protocol):
    """Lets an index follow the vectors of one model that one org may read."""

    def added(self, after: int, limit: int | None = None) -> VectorBatch:
        """The next vectors stored after a key, in key order; empty if there are none."""
        ...

    def stored(self, keys: Sequence[int]) -> VectorBatch:
        """The vectors with these keys that exist."""
        ...

    def count(self, after: int, most: int) -> int:
        """How many vectors were stored after a key, counted up to `most`."""
        ...

    def removed(self, after: int) -> Sequence[tuple[int, int]] | None:
        """Sequence and key of each vector removed since; None if the record begins later."""
        ...

    def last_removal(self) -> int: ...

    def last_key(self) -> int:
        """The key of the newest vector of any org."""
        ...


class VectorIndex(Protocol):
    """Finds the nearest chunks by cosine; a chunk counts by its best window."""

    def search(
        self,
        feed: VectorFeed,
        query: Vector,
        limit: int,
        width: int,
        among: Keys | None = None,
        /,
    ) -> NearestChunks:
        """Catch up with the feed, then search; `among` restricts the search to these chunks."""
        ...


class VectorIndexes(Protocol):
    """The indexes of a process, one per org and model."""

    def of(self, org: str, model: str) -> VectorIndex: ...

    def tend(self, org: str, model: str, feed: VectorFeed, /) -> bool:
        """Do a small step of index maintenance; False if there is none to do.

        Only one process should do this at a time. Searches never wait for it.
        """
        ...

    def ready(self) -> int:
        """How many graph files there are, of any org and model."""
        ...

    def scrub(self, feed: VectorFeed) -> None:
        """Remove every file that holds a vector the store no longer has."""
        ...
