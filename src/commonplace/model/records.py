"""Which tables hold what is canonical, and how a table is described to those who move its rows.

Everything of an org is canonical unless it is named here, so that a new table is moved from its
first day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Any

from commonplace.model.workspace import KnowledgeType

Values = Mapping[str, Any]

# What can be made again from the rest, and where from.
DERIVED = {
    "chunks": "entries and documents",
    "passages": "entries and documents",
    "vectors": "chunks",
    "statistics": "chunks",
    "touched_files": "documents",
    "code_files": "documents",
    "symbols": "documents",
    "edges": "documents",
    "compiled_files": "documents",
    "skill_files": "entries",
    "runs": "work in progress",
    "targets": "work in progress",
    "posting_indexes": "passages",
    "posting_segments": "passages",
    "postings": "passages",
    "unposted": "work in progress",
    "reembedding_attempts": "work in progress",
    "replays": "repetitions of calls within a minute",
}
# Where only rows with something in this column are canonical: files whose bytes were given to us.
PARTLY = {"documents": "digest"}
# What belongs to one server and its accounts, not to the knowledge in it.
OF_THE_SERVER = {
    "usage": "what an org used of its quotas here",
    "org_partitions": "where an org's rows lie on this server",
    "tokens": "who may call this server",
    "org_plans": "what an org may use of this server",
    "quota_overrides": "what an org may use of this server",
    "questions": "what agents asked of this server lately",
    "call_counts": "how often this server was called lately",
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
        "run_id": None,
        "watched_until": None,
    },
    "documents": {"content_hash": "", "chunk_count": 0, "modified_ns": 0, "language": None},
}
# Columns that hold another table's key although the schema does not say so, and may be empty.
UNDECLARED: Mapping[str, Mapping[str, str]] = {"entries": {"resource_key": "resources"}}
# A key that stands inside the JSON of a column: the column, the name in it, whose key it is.
INSIDE: Mapping[str, tuple[str, str, str]] = {"changes": ("before", "resource", "resources")}


@dataclass(frozen=True, slots=True)
class CanonicalTable:
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
    def only_with(self) -> str | None:
        """The column that canonical rows have something in, where not all rows are canonical."""
        return PARTLY.get(self.name)

    @property
    def moved(self) -> tuple[str, ...]:
        """The columns without those that say how far reading has come."""
        return tuple(c for c in self.columns if c not in UNREAD.get(self.name, {}))


def in_order(tables: Mapping[str, CanonicalTable]) -> list[CanonicalTable]:
    """Each behind those that it refers to, whether the schema says so or not."""
    whole = {name: _with_undeclared(table) for name, table in tables.items()}
    order: TopologicalSorter[str] = TopologicalSorter()
    for name, table in whole.items():
        order.add(name, *sorted(table.after))
    return [whole[name] for name in order.static_order() if name in whole]


def _with_undeclared(table: CanonicalTable) -> CanonicalTable:
    more = UNDECLARED.get(table.name, {})
    inside = INSIDE[table.name][2:] if table.name in INSIDE else ()
    return replace(
        table,
        references={**table.references, **more},
        after=table.after | {*more.values(), *inside},
    )


def is_remade(table: str, row: Values) -> bool:
    """Whether a row is derived although its table is canonical: the history of a folder."""
    return table == "resources" and row.get("knowledge_type") == KnowledgeType.HISTORY


def is_moved(table: str, columns: Sequence[str]) -> bool:
    return "org" in columns and table not in DERIVED and table not in OF_THE_SERVER
