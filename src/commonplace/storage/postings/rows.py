"""Converts database rows to segments and tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.storage.postings.segments import (
    ChunkTokens,
    MergedFrom,
    SegmentShape,
    UnpostedTokens,
)
from commonplace.storage.session import Row

if TYPE_CHECKING:
    from numpy.typing import NDArray

_BLOCK_BITS = 32


@dataclass(frozen=True, slots=True)
class PostingSegment:
    """A complete segment, and the keys in it that are out of date."""

    id: int
    shape: SegmentShape
    gone: NDArray[np.int64]

    @property
    def source(self) -> MergedFrom:
        return MergedFrom(self.shape, self.gone)


@dataclass(frozen=True, slots=True)
class PostingContents:
    """What a search may use in one transaction.

    `unposted` are the chunks that no segment describes as they are now; `shared` says that the org
    also reads chunks of others, which are in none of its segments.
    """

    segments: Sequence[PostingSegment]
    unposted: Sequence[int]
    shared: bool


def place_of(segment: int, block: int) -> int:
    """The primary key of a block: the blocks of a segment are adjacent."""
    return segment << _BLOCK_BITS | block


def segment_of(row: Row) -> PostingSegment:
    shape = SegmentShape(
        row["first_key"], row["last_key"], row["chunks"], row["tokens"], row["blocks"]
    )
    return PostingSegment(row["segment"], shape, np.frombuffer(row["gone"], "<i8"))


def tokens_of(row: Row) -> ChunkTokens:
    return ChunkTokens(
        row["key"],
        row["terms"],
        row["context_terms"],
        row["words"],
        row["title_grams"],
        row["scope"],
    )


def unposted_of(row: Row) -> UnpostedTokens:
    return UnpostedTokens(
        row["key"], row["terms"], row["context_terms"], row["words"], row["others"]
    )
