"""The ports for contributions and for verdicts on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.entry import Entry
from commonplace.model.verdict import Contribution, Judgement, Peer, UnitVerdict


class Contributions(Protocol):
    """Which agents are credited with skills and units."""

    def add(self, entry: Entry, contributor: str, lineage: str | None = None) -> None:
        """Credit an agent of the entry's org; versions of one skill share a lineage."""
        ...

    def versions(self, lineage: str) -> Sequence[int]:
        """Keys of a lineage's entries in the org that nothing supersedes."""
        ...

    def contributor_of(self, entry: Entry) -> str | None:
        """The agent credited with one of the org's entries."""
        ...

    def of(self, contributor: str) -> list[Contribution]:
        """All readable contributions of agents with that name, of any org."""
        ...


class Verdicts(Protocol):
    """Verdicts on units, one per validator.

    They are stored with the unit's org; the change record is kept in the validator's.
    """

    def put(self, entry: Entry, validator: Peer, *, valid: bool, feedback: str) -> None:
        """Give a verdict, replacing an earlier one."""
        ...

    def record(self, entry: Entry, validator: Peer, before: UnitVerdict | None) -> None:
        """Add a verdict to the change record of the transaction's org."""
        ...

    def about(self, keys: Sequence[int]) -> dict[int, list[UnitVerdict]]:
        """The readable verdicts, by entry key."""
        ...

    def readable(self) -> list[Judgement]:
        """All live verdicts on readable contributions."""
        ...
