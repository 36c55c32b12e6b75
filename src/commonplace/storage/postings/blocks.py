"""A block of posting lists as bytes: packs it, unpacks it, and reads one list out of it.

A list is its first place, then distances in as few bytes as they need, then any weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from commonplace.storage.postings.tokens import WEIGHED

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WIDTHS = (np.uint8, np.uint16, np.uint32)
_COUNT = np.dtype("<u8")
_BYTES_OF_HEADER = 8 + 4 + 4 + 1


class PostingList(NamedTuple):
    """Ascending places of chunks in a segment, and the weight of the token in each."""

    places: NDArray[np.uint32]
    weights: NDArray[np.uint16]


@dataclass(frozen=True, slots=True)
class Postings:
    """Single postings, ordered by list number, then by place."""

    numbers: NDArray[np.uint64]
    places: NDArray[np.uint32]
    weights: NDArray[np.uint16]

    def sorted(self) -> Postings:
        order = np.lexsort((self.places, self.numbers))
        return self.taken(order)

    def taken(self, which: NDArray[np.intp] | NDArray[np.bool_]) -> Postings:
        return Postings(self.numbers[which], self.places[which], self.weights[which])


def joined(parts: list[Postings]) -> Postings:
    return Postings(
        np.concatenate([part.numbers for part in parts]),
        np.concatenate([part.places for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def packed(postings: Postings) -> bytes:
    """Sorted postings as the bytes of one block."""
    numbers, places = postings.numbers, postings.places
    opens = np.ones(len(numbers), np.bool_)
    opens[1:] = numbers[1:] != numbers[:-1]
    starts = np.flatnonzero(opens)
    counts = np.diff(np.append(starts, len(numbers)))
    distances = np.zeros(len(places), np.uint32)
    distances[1:] = places[1:] - places[:-1]
    distances[starts] = 0
    widest = np.maximum.reduceat(distances, starts)
    widths = (widest > 0xFF).astype(np.uint8) + (widest > 0xFFFF)
    width_of_each = np.repeat(widths, counts)
    parts: list[NDArray[Any]] = [np.array([len(starts)], _COUNT), numbers[starts], places[starts]]
    parts += [counts.astype(np.uint32), widths]
    parts += [
        distances[~opens & (width_of_each == number)].astype(width)
        for number, width in enumerate(_WIDTHS)
    ]
    parts.append(postings.weights[_weighed(numbers)])
    return b"".join(part.tobytes() for part in parts)


def _weighed(numbers: NDArray[np.uint64]) -> NDArray[np.bool_]:
    weighed: NDArray[np.bool_] = (numbers & np.uint64(WEIGHED)) != 0
    return weighed


class PostingBlock:
    """A block opened for reading."""

    def __init__(self, data: bytes) -> None:
        count = int(np.frombuffer(data, _COUNT, 1)[0])
        start = _COUNT.itemsize
        self._numbers = np.frombuffer(data, "<u8", count, start)
        self._firsts = np.frombuffer(data, "<u4", count, start + 8 * count)
        self._counts = np.frombuffer(data, "<u4", count, start + 12 * count)
        self._widths = np.frombuffer(data, "u1", count, start + 16 * count)
        start += _BYTES_OF_HEADER * count
        self._distances = []
        for number, width in enumerate(_WIDTHS):
            stored = self._steps(self._widths == number)
            self._distances.append(np.frombuffer(data, width, stored, start))
            start += stored * np.dtype(width).itemsize
        self._weights = np.frombuffer(data, "<u2", -1, start)

    def read(self, number: int) -> PostingList | None:
        """One list; None if no chunk of the block has the token."""
        at = int(np.searchsorted(self._numbers, np.uint64(number)))
        if at == len(self._numbers) or int(self._numbers[at]) != number:
            return None
        width, count = int(self._widths[at]), int(self._counts[at])
        before = self._steps(self._widths[:at] == width)
        places = np.empty(count, np.uint32)
        places[0] = self._firsts[at]
        places[1:] = self._distances[width][before : before + count - 1]
        weights = self._weights[:0]
        if number & WEIGHED:
            before = int(self._counts[:at][_weighed(self._numbers[:at])].sum())
            weights = self._weights[before : before + count]
        return PostingList(np.cumsum(places, dtype=np.uint32), weights)

    def postings(self) -> Postings:
        """All postings of the block."""
        counts = self._counts.astype(np.int64)
        starts = np.cumsum(counts) - counts
        opens = np.zeros(int(counts.sum()), np.bool_)
        opens[starts] = True
        width_of_each = np.repeat(self._widths, counts)
        moves = np.zeros(len(opens), np.int64)
        for number, distances in enumerate(self._distances):
            moves[~opens & (width_of_each == number)] = distances
        moves[starts] = self._firsts
        places = np.cumsum(moves)
        # Each list starts anew: subtract the sum of the lists before it.
        places -= np.repeat(places[starts] - self._firsts, counts)
        numbers = np.repeat(self._numbers, counts)
        weights = np.zeros(len(opens), np.uint16)
        weights[_weighed(numbers)] = self._weights
        return Postings(numbers, places.astype(np.uint32), weights)

    def _steps(self, lists: NDArray[np.bool_]) -> int:
        """How many distances these lists have: one fewer than chunks in each."""
        return int(self._counts[: len(lists)][lists].sum()) - int(np.count_nonzero(lists))
