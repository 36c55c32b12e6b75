"""Which texts are copies of each other, wholly or for a good part: they belong in one half."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from zlib import crc32

_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")
_RUN = 5
# Of a long text every so many runs of words are compared.
_LONG, _KEPT = 400, 8
# A run that so many texts share is a phrase of the trade and ties nothing.
_COMMON = 60
_SHARED = 0.5


class Ties:
    """Sets of numbers that are joined pair by pair."""

    def __init__(self, size: int) -> None:
        self._above = list(range(size))

    def join(self, one: int, other: int) -> None:
        first, last = sorted((self.first(one), self.first(other)))
        self._above[last] = first

    def first(self, number: int) -> int:
        """The smallest number of the set that this one is in."""
        while self._above[number] != number:
            self._above[number] = number = self._above[self._above[number]]
        return number


def join_copies(texts: Sequence[str], ties: Ties) -> None:
    """Joins texts where half of the runs of five words of the shorter one stand in the other."""
    runs = [_runs(text) for text in texts]
    holders: dict[int, list[int]] = defaultdict(list)
    for number, found in enumerate(runs):
        for run in found:
            holders[run].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    for holding in holders.values():
        if 1 < len(holding) <= _COMMON:
            shared.update(_pairs(holding))
    for (one, other), count in shared.items():
        if count >= _SHARED * min(len(runs[one]), len(runs[other])):
            ties.join(one, other)


def _runs(text: str) -> set[int]:
    words = _WORD.findall(text.casefold())
    width = min(_RUN, len(words))
    found = {
        crc32(" ".join(words[at : at + width]).encode()) for at in range(len(words) - width + 1)
    }
    return {run for run in found if run % _KEPT == 0} if len(found) > _LONG else found


def _pairs(holding: Sequence[int]) -> Iterable[tuple[int, int]]:
    return ((one, other) for at, one in enumerate(holding) for other in holding[at + 1 :])
