"""Divides a text longer than a model's window into overlapping spans. Pure.

Computes positions only, so it works for tokens and for characters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from math import ceil
from typing import TypeVar

Item = TypeVar("Item")


def spans(length: int, window: int, overlap: int) -> list[tuple[int, int]]:
    """The fewest windows of about equal length that cover everything.

    Neighbours overlap by `overlap` positions, so that whatever one boundary cuts is whole in the
    next window.
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
