"""Canonical rows as plain values, across tenants: what moves between servers of any store.

Which tables there are comes from the schema. Everything of an org is canonical unless it is named
here, so that a new table is moved from its first day.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

Values = Mapping[str, Any]

# What can be made again from the rest, and where from.
DERIVED = {
    "chunks": "entries and documents",
    "passages": "entries and documents",
    "vectors": "chunks",
    "statistics": "chunks",
    "documents": "resources",
    "runs": "work in progress",
    "targets": "work in progress",
    "replays": "repetitions of calls within a minute",
}
# What belongs to one server and its accounts, not to the knowledge in it.
OF_THE_SERVER = {
    "usage": "what an org used of its quotas here",
    "tokens": "who may call this server",
}
# How far reading has come, beside what is canonical; what it is before anything was read.
UNREAD: Mapping[str, Values] = {
    "resources": {
        "status": "pending",
        "error": None,
        "generation": 1,
        "etag": "",
        "last_modified": "",
        "synced_at": None,
    },
}


@dataclass(frozen=True, slots=True)
class Table:
    """A table of canonical rows. `key` is the column that the database numbers by itself.

    `references` are the columns that hold another table's key, `after` all tables referred to.
    """

    name: str
    columns: tuple[str, ...]
    key: str | None
    references: Mapping[str, str]
    after: frozenset[str]
    unique: tuple[tuple[str, ...], ...]
    binary: frozenset[str]
    plain: frozenset[str]

    @property
    def moved(self) -> tuple[str, ...]:
        """The columns without those that say how far reading has come."""
        return tuple(c for c in self.columns if c not in UNREAD.get(self.name, {}))


def is_moved(table: str, columns: Sequence[str]) -> bool:
    return "org" in columns and table not in DERIVED and table not in OF_THE_SERVER


class RecordReader(Protocol):
    """One moment of the whole database."""

    @property
    def schema_version(self) -> int: ...

    def tables(self) -> Sequence[Table]:
        """What is referred to comes first."""
        ...

    def rows(self, table: Table, org: str | None) -> Iterator[dict[str, Any]]:
        """In the order they were added, of one org or of all."""
        ...

    def find(self, table: Table, where: Values) -> list[dict[str, Any]]:
        """Rows whose plain columns have these values."""
        ...


class RecordWriter(RecordReader, Protocol):
    """One transaction over the whole database."""

    def insert(self, table: Table, values: Values) -> int | None:
        """The number that the row was given, where its table numbers rows."""
        ...

    def update(self, table: Table, key: int, values: Values) -> None: ...

    def queue(self, org: str, agent: str, kind: str, subjects: Sequence[Values]) -> None:
        """Let workers do something with what was written, once it is."""
        ...


class Records(Protocol):
    def reading(self) -> AbstractContextManager[RecordReader]: ...

    def writing(self) -> AbstractContextManager[RecordWriter]:
        """Commits when the block ends, and writes nothing when it raises."""
        ...
