"""What a store without vector search needs of an index, and what the index needs of the store."""

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
    """Vectors in key order, as the store keeps them: 16-bit floats, one vector after another.

    Keys grow in the order of storing.
    """

    keys: Sequence[int]
    chunk_keys: Sequence[int]
    data: bytes


@dataclass(frozen=True, slots=True)
class NearestChunks:
    """(chunk key, cosine), nearest first; unless `exact`, to be checked against the store."""

    hits: Sequence[tuple[int, float]]
    exact: bool


class VectorFeed(Protocol):
    """How an index follows the vectors of one model that one org may read."""

    def added(self, after: int, limit: int | None = None) -> VectorBatch:
        """Some of the vectors stored after a key, in key order; empty when there are no more."""
        ...

    def stored(self, keys: Sequence[int]) -> VectorBatch:
        """Those of these keys that are there."""
        ...

    def count(self, after: int, most: int) -> int:
        """How many vectors were stored after a key, counted up to `most`."""
        ...

    def removed(self, after: int) -> Sequence[tuple[int, int]] | None:
        """(sequence, key) of what has gone since; None when that is not remembered any more."""
        ...

    def last_removal(self) -> int: ...

    def last_key(self) -> int:
        """The newest vector of anybody."""
        ...


class VectorIndex(Protocol):
    """Nearest chunks by cosine, the best window of each chunk counting."""

    def search(
        self,
        feed: VectorFeed,
        query: Vector,
        limit: int,
        width: int,
        among: Keys | None = None,
        /,
    ) -> NearestChunks:
        """Catch up with the feed, then look; `among` restricts the chunks looked at."""
        ...


class VectorIndexes(Protocol):
    """The indexes of a process: one for each org and model."""

    def of(self, org: str, model: str) -> VectorIndex: ...

    def tend(self, org: str, model: str, feed: VectorFeed, /) -> bool:
        """A small piece of what makes later searches fast; False when nothing is to be done.

        For one process at a time; whoever searches never waits for it.
        """
        ...

    def ready(self) -> int:
        """How many graphs stand beside the database, of whichever org and model."""
        ...

    def scrub(self, feed: VectorFeed) -> None:
        """Leave no file behind in which a vector stands that has gone from the store."""
        ...
