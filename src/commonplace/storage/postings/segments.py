"""Builds a segment of posting lists from chunks, and merges segments; pure.

A weight is the BM25 term of a token in a chunk without its rarity, as FTS5 computes it: context
counts twice, and the length is the number of all tokens.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from commonplace.storage.postings.blocks import PostingBlock, Postings, joined, packed
from commonplace.storage.postings.tokens import GRAM, SCOPE, TERM, WORD, list_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

K1, B = 1.2, 0.75
CONTEXT_WEIGHT = 2
# The largest possible weight is k1 + 1.
FULL_WEIGHT = 65_535 / (K1 + 1)
_POSTINGS_OF_BLOCK = 8_192


@dataclass(frozen=True, slots=True)
class ChunkTokens:
    """The tokens of a chunk, as the text index has them."""

    key: int
    terms: str
    context_terms: str
    words: str
    title_grams: str
    scope: str

    @property
    def length(self) -> int:
        fields = (self.terms, self.context_terms, self.words, self.title_grams, self.scope)
        return sum(len(field.split()) for field in fields)


@dataclass(frozen=True, slots=True)
class UnpostedTokens:
    """The tokens by which a chunk in no list is scored, and how many others it has."""

    key: int
    terms: str
    context_terms: str
    words: str
    others: int

    @property
    def length(self) -> int:
        fields = (self.terms, self.context_terms, self.words)
        return sum(field.count(" ") + 1 for field in fields if field) + self.others


@dataclass(frozen=True, slots=True)
class SegmentShape:
    """The key range of a segment, its size, and over how many blocks its lists are spread."""

    first_key: int
    last_key: int
    chunks: int
    tokens: int
    blocks: int


def occurrences(chunk: ChunkTokens) -> Counter[str]:
    """How often each term occurs; in the context it counts twice."""
    counted = Counter(chunk.terms.split())
    for term in chunk.context_terms.split():
        counted[term] += CONTEXT_WEIGHT
    return counted


def weights(
    frequencies: NDArray[np.floating], lengths: NDArray[np.floating], average: float
) -> NDArray[np.floating]:
    """The BM25 term of a token in each chunk, without the token's rarity."""
    norm = K1 * (1 - B + B * lengths / average)
    share: NDArray[np.floating] = frequencies * (K1 + 1) / (frequencies + norm)
    return share


class _Field:
    """The tokens of one kind, numbered in order of appearance."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
        self._known: dict[str, int] = {}
        self.tokens = array("I")
        self.counts = array("I")
        self.frequencies = array("H")

    def add(self, counted: Mapping[str, int]) -> None:
        known = self._known
        self.tokens.extend([known.setdefault(token, len(known)) for token in counted])
        self.counts.append(len(counted))
        self.frequencies.extend([min(often, 65_535) for often in counted.values()])

    def numbers(self) -> NDArray[np.uint64]:
        known = [list_number(self._prefix, token) for token in self._known]
        return np.array(known, np.uint64)[np.frombuffer(self.tokens, np.uint32)]


class SegmentBuilder:
    """A segment being filled chunk by chunk."""

    def __init__(self) -> None:
        self._fields = [_Field(prefix) for prefix in (TERM, WORD, GRAM, SCOPE)]
        self._keys: list[int] = []
        self._lengths: list[int] = []

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, chunks: Iterable[ChunkTokens]) -> None:
        terms, words, grams, scopes = self._fields
        for chunk in chunks:
            terms.add(occurrences(chunk))
            words.add(Counter(chunk.words.split()))
            grams.add(dict.fromkeys(chunk.title_grams.split(), 1))
            scopes.add(dict.fromkeys(chunk.scope.split(), 1))
            self._keys.append(chunk.key)
            self._lengths.append(chunk.length)

    def finished(self, others: Sequence[SegmentShape]) -> tuple[SegmentShape, list[bytes]]:
        """The shape and blocks; the average length takes the other segments into account."""
        keys, lengths = np.array(self._keys, np.int64), np.array(self._lengths, np.float32)
        first, tokens = int(keys.min()), int(lengths.sum())
        average = (tokens + sum(other.tokens for other in others)) / (
            len(keys) + sum(other.chunks for other in others)
        )
        places = (keys - first).astype(np.uint32)
        postings = joined([_postings(field, places, lengths, average) for field in self._fields])
        blocks = _blocks_for(len(postings.numbers))
        shape = SegmentShape(first, int(keys.max()), len(keys), tokens, blocks)
        return shape, [data for _, data in _spread(postings.sorted(), blocks)]


def _postings(
    field: _Field, places: NDArray[np.uint32], lengths: NDArray[np.float32], average: float
) -> Postings:
    counts = np.frombuffer(field.counts, np.uint32)
    frequencies = np.frombuffer(field.frequencies, np.uint16).astype(np.float32)
    shares = weights(frequencies, np.repeat(lengths, counts), max(1.0, average))
    stored = np.rint(shares * FULL_WEIGHT).astype(np.uint16)
    return Postings(field.numbers(), np.repeat(places, counts), stored)


def _blocks_for(postings: int) -> int:
    """A power of two, so that a block of a small segment maps to whole blocks of a larger one."""
    return 1 << max(0, (postings // _POSTINGS_OF_BLOCK).bit_length() - 1)


def block_of(number: int, blocks: int) -> int:
    return number & (blocks - 1)


def _spread(postings: Postings, blocks: int) -> Iterator[tuple[int, bytes]]:
    """Sorted postings divided into blocks, including empty ones."""
    belongs = (postings.numbers & np.uint64(blocks - 1)).astype(np.int64)
    order = np.argsort(belongs, kind="stable")
    bounds = np.searchsorted(belongs[order], np.arange(blocks + 1))
    for block in range(blocks):
        which = order[bounds[block] : bounds[block + 1]]
        yield block, packed(postings.taken(which)) if len(which) else b""


@dataclass(frozen=True, slots=True)
class MergedFrom:
    """A segment to be merged: its shape, and the keys in it that are out of date."""

    shape: SegmentShape
    gone: NDArray[np.int64]


def merged_shape(sources: Sequence[MergedFrom]) -> SegmentShape:
    # Some of these keys may have been in another segment with an overlapping range.
    chunks = max(1, sum(source.shape.chunks - len(source.gone) for source in sources))
    whole = max(1, sum(source.shape.chunks for source in sources))
    tokens = sum(source.shape.tokens for source in sources)
    blocks = sum(source.shape.blocks for source in sources)
    return SegmentShape(
        min(source.shape.first_key for source in sources),
        max(source.shape.last_key for source in sources),
        chunks,
        tokens * chunks // whole,
        1 << max(0, blocks.bit_length() - 1),
    )


def merged(
    sources: Sequence[MergedFrom], shape: SegmentShape, group: int, found: Sequence[Sequence[bytes]]
) -> Iterator[tuple[int, bytes]]:
    """The merged blocks of one group of lists, from each source's blocks of that group."""
    parts = [_moved(source, shape, data) for source, data in zip(sources, found, strict=True)]
    parts = [part for part in parts if len(part.numbers)]
    groups = groups_of(sources)
    if parts:
        postings = joined(parts).sorted()
        per_group = shape.blocks // groups
        inner = Postings(postings.numbers // np.uint64(groups), postings.places, postings.weights)
        belongs = (inner.numbers & np.uint64(per_group - 1)).astype(np.int64)
        for block in np.unique(belongs).tolist():
            yield group + groups * block, packed(postings.taken(belongs == block))


def groups_of(sources: Sequence[MergedFrom]) -> int:
    """How many groups of lists can be merged independently of each other."""
    return min(source.shape.blocks for source in sources)


def _moved(source: MergedFrom, shape: SegmentShape, found: Sequence[bytes]) -> Postings:
    """The remaining postings of a source, at their places in the new segment."""
    parts = [PostingBlock(data).postings() for data in found if data]
    if not parts:
        return Postings(np.zeros(0, np.uint64), np.zeros(0, np.uint32), np.zeros(0, np.uint16))
    postings = joined(parts)
    keys = postings.places.astype(np.int64) + source.shape.first_key
    if len(source.gone):
        kept = ~np.isin(keys, source.gone)
        postings, keys = postings.taken(kept), keys[kept]
    places = (keys - shape.first_key).astype(np.uint32)
    return Postings(postings.numbers, places, postings.weights)
