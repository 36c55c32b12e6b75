"""The port for access counts: how often entries were handed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.capture import Access


class Accesses(Protocol):
    """Access counts of entries."""

    def count(self, keys: Sequence[int]) -> None:
        """Add one access for each of the org's own entries with these keys."""
        ...

    def of(self, keys: Sequence[int]) -> dict[int, Access]:
        """The access counts by entry key, without entries that were never handed out."""
        ...
