"""Canonical rows as plain values, across tenants: what moves between servers of any store."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from commonplace.model.records import CanonicalTable, Values


class RecordReader(Protocol):
    """One moment of the whole database."""

    @property
    def schema_version(self) -> int: ...

    def tables(self) -> Sequence[CanonicalTable]:
        """What is referred to comes first."""
        ...

    def rows(self, table: CanonicalTable, org: str | None) -> Iterator[dict[str, Any]]:
        """Rows in the order they were added, of one org or of all."""
        ...

    def find(self, table: CanonicalTable, where: Values) -> list[dict[str, Any]]:
        """Rows whose plain columns have these values."""
        ...


class RecordWriter(RecordReader, Protocol):
    """One transaction over the whole database."""

    def insert(self, table: CanonicalTable, values: Values) -> int | None:
        """The number that the row was given, where its table numbers rows."""
        ...

    def update(self, table: CanonicalTable, key: int, values: Values) -> None: ...

    def erase(self, org: str) -> int:
        """Everything of an org, canonical or not, and the org itself; how many rows."""
        ...

    def queue(self, org: str, agent: str, kind: str, subjects: Sequence[Values]) -> None:
        """Let workers do something with what was written, once it is."""
        ...


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What was moved: rows of each table, and for how long whoever writes had to wait."""

    counts: Mapping[str, int]
    waited_seconds: float


class OrgMoves(Protocol):
    """Moves orgs to other databases of the same kind."""

    def move(self, org: str, to: str) -> MoveReport:
        """Everything of an org to another database, which serves it from then on.

        Interrupted, it is simply done again. InvalidArgument, NotFound or Conflict where it
        cannot be done: the same database, another schema, an org of that name over there.
        """
        ...


class Records(Protocol):
    def reading(self) -> AbstractContextManager[RecordReader]: ...

    def writing(self) -> AbstractContextManager[RecordWriter]:
        """Commits when the block ends, and writes nothing when it raises."""
        ...
