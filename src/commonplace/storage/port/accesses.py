"""How often entries were handed out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.capture import (
    Access,
)


class Accesses(Protocol):
    """How often entries are handed out."""

    def count(self, keys: Sequence[int]) -> None:
        """One more for each of the org's own entries with these keys."""
        ...

    def of(self, keys: Sequence[int]) -> dict[int, Access]:
        """Entries that were never handed out are left out."""
        ...
