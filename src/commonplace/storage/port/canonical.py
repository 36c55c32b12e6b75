"""The port for canonical rows as plain values, of all orgs; export and import use it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from commonplace.model.canonical import CanonicalTable, Values


class RowReader(Protocol):
    """A consistent view of the whole database at one moment."""

    @property
    def schema_version(self) -> int: ...

    def tables(self) -> Sequence[CanonicalTable]:
        """The tables, each after those that it refers to."""
        ...

    def rows(self, table: CanonicalTable, org: str | None) -> Iterator[dict[str, Any]]:
        """Rows of one org or of all, in insertion order."""
        ...

    def find(self, table: CanonicalTable, where: Values) -> list[dict[str, Any]]:
        """Rows whose plain columns have these values."""
        ...


class RowWriter(RowReader, Protocol):
    """A transaction over the whole database."""

    def insert(self, table: CanonicalTable, values: Values) -> int | None:
        """Insert a row; returns its key if the table numbers rows."""
        ...

    def update(self, table: CanonicalTable, key: int, values: Values) -> None: ...

    def erase(self, org: str) -> int:
        """Delete everything of an org, canonical or derived, and the org itself; returns how many
        rows."""
        ...

    def queue(self, org: str, agent: str, kind: str, subjects: Sequence[Values]) -> None:
        """Queue background work for what was written; it starts after the commit."""
        ...


class CanonicalRows(Protocol):
    def reading(self) -> AbstractContextManager[RowReader]: ...

    def writing(self) -> AbstractContextManager[RowWriter]:
        """A transaction that commits when the block ends and rolls back if it raises."""
        ...
