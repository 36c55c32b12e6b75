"""Who is credited with what, and what agents found of each other's units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from commonplace.model.entry import Entry
from commonplace.model.verdict import Contribution, Judgement, Peer, UnitVerdict


class Contributions(Protocol):
    """Who is credited with skills and units."""

    def add(self, entry: Entry, contributor: str, lineage: str | None = None) -> None:
        """Credit an agent of the entry's org; versions of one skill share a lineage."""
        ...

    def versions(self, lineage: str) -> Sequence[int]:
        """Keys of the org's entries of a lineage that nothing supersedes."""
        ...

    def credited(self, entry: Entry) -> str | None:
        """Who is credited with one of the org's entries."""
        ...

    def of(self, contributor: str) -> list[Contribution]:
        """What agents of that name, of whichever org, contributed that can be read."""
        ...


class Verdicts(Protocol):
    """Verdicts lie with the unit, their record with who gave them; each validator has one."""

    def put(self, entry: Entry, validator: Peer, *, valid: bool, feedback: str) -> None:
        """Give a verdict or replace the earlier one."""
        ...

    def record(self, entry: Entry, validator: Peer, before: UnitVerdict | None) -> None:
        """Say in the record of changes of the transaction's org that a verdict was given."""
        ...

    def about(self, keys: Sequence[int]) -> dict[int, list[UnitVerdict]]:
        """Those that can be read, by the key of the entry."""
        ...

    def readable(self) -> list[Judgement]:
        """All live verdicts on what can be read."""
        ...
