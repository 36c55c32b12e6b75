"""Whose turn it is among the orgs that wait; knows nothing of what they wait for."""

from __future__ import annotations

from collections.abc import Sequence


class OrgTurns:
    """Who was served longest ago is next, whatever its name, and however much it has waiting."""

    def __init__(self) -> None:
        self._served: dict[str, int] = {}
        self._last = 0

    def next(self, waiting: Sequence[str]) -> str:
        """One of those that wait, which counts as served; of equal ones the first."""
        chosen = min(waiting, key=lambda org: self._served.get(org, 0))
        self._last += 1
        self._served[chosen] = self._last
        return chosen
