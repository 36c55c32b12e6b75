"""Fair order among waiting parties; does not know what they wait for."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Generic, TypeVar

# A party that was last served this many turns ago counts as never served.
_REMEMBERED = 10_000

Who = TypeVar("Who", bound=Hashable)


class Rotation(Generic[Who]):
    """Picks whoever was served longest ago, however much work each has waiting."""

    def __init__(self) -> None:
        # Turn numbers, in the order in which the parties were last served.
        self._served: dict[Who, int] = {}
        self._last = 0

    def next(self, waiting: Sequence[Who]) -> Who:
        """Choose one of those that wait and count it as served; ties go to the first."""
        chosen = min(waiting, key=lambda who: self._served.get(who, 0))
        self._last += 1
        self._served.pop(chosen, None)
        self._served[chosen] = self._last
        if len(self._served) > _REMEMBERED:
            del self._served[next(iter(self._served))]
        return chosen
