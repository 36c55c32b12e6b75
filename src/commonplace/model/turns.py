"""Whose turn it is among those that wait; knows nothing of what they wait for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

# Whoever was served before so many others counts as never served.
_REMEMBERED = 10_000

Who = TypeVar("Who", bound=Hashable)


class Rotation(Generic[Who]):
    """Who was served longest ago is next, whatever its name, and however much it has waiting."""

    def __init__(self) -> None:
        # In the order in which they were served last.
        self._served: dict[Who, int] = {}
        self._last = 0

    def next(self, waiting: Sequence[Who]) -> Who:
        """One of those that wait, which counts as served; of equal ones the first."""
        chosen = min(waiting, key=lambda who: self._served.get(who, 0))
        self._last += 1
        self._served.pop(chosen, None)
        self._served[chosen] = self._last
        if len(self._served) > _REMEMBERED:
            del self._served[next(iter(self._served))]
        return chosen
