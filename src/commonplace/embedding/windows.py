"""How a text that is longer than a model's window is divided; tokens or characters alike.

Pure. Decides places only; what is cut there is the caller's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil
from typing import TypeVar

Item = TypeVar("Item")


def spans(length: int, window: int, overlap: int) -> list[tuple[int, int]]:
    """The fewest windows that cover everything, about equally long.

    Neighbours share `overlap` places, so what one boundary cuts is whole on its other side.
    """
    if not 0 <= overlap < window:
        raise ValueError("the overlap must be shorter than the window")
    if length <= window:
        return [(0, length)]
    count = ceil((length - overlap) / (window - overlap))
    size = ceil((length + (count - 1) * overlap) / count)
    starts = (number * (size - overlap) for number in range(count))
    return [(start, min(start + size, length)) for start in starts]


def batches(items: Sequence[Item], size: int) -> Iterator[list[Item]]:
    """The items in order, at most `size` at a time."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
