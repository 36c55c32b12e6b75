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
    """Verdicts belong to the unit's org; each validator has one on a unit."""

    def put(self, entry: Entry, validator: Peer, *, valid: bool, feedback: str) -> None:
        """Give a verdict or replace the earlier one, which the record of changes keeps."""
        ...

    def on(self, entry: Entry) -> list[UnitVerdict]: ...

    def readable(self) -> list[Judgement]:
        """All live verdicts on what can be read."""
        ...
