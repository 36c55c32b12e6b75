"""Which tables hold canonical data, and the table description that export and import work from.

Every table of an org is canonical unless it is listed here, so a new table is exported from its
first day.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from graphlib import TopologicalSorter
from typing import Any

from commonplace.model.workspace import KnowledgeType

Values = Mapping[str, Any]

# Tables that can be rebuilt, and what from.
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
# Tables in which only rows with a value in this column are canonical: files that were uploaded.
PARTLY_CANONICAL = {"documents": "digest"}
# Tables that belong to one server and its accounts, not to the knowledge in it.
SERVER_TABLES = {
    "usage": "what an org used of its quotas here",
    "org_partitions": "where an org's rows lie on this server",
    "tokens": "who may call this server",
    "org_plans": "what an org may use of this server",
    "quota_overrides": "what an org may use of this server",
    "questions": "what agents asked of this server lately",
    "call_counts": "how often this server was called lately",
}
# Derived columns of canonical tables (how far reading has come), with their initial values.
INITIAL_VALUES: Mapping[str, Values] = {
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
# Columns that hold another table's key without a foreign key in the schema; they may be NULL.
UNDECLARED_REFERENCES: Mapping[str, Mapping[str, str]] = {"entries": {"resource_key": "resources"}}
# Keys inside a JSON column: the column, the member, and the table whose key it is.
KEYS_IN_JSON: Mapping[str, tuple[str, str, str]] = {"changes": ("before", "resource", "resources")}


@dataclass(frozen=True, slots=True)
class CanonicalTable:
    """A table of canonical rows. `key` is the column that the database numbers.

    `references` maps columns to the tables whose keys they hold; `after` has all tables referred
    to.
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
    def required_column(self) -> str | None:
        """The column that must have a value in canonical rows; None if all rows are canonical."""
        return PARTLY_CANONICAL.get(self.name)

    @property
    def exported_columns(self) -> tuple[str, ...]:
        """The columns to export: all but those that say how far reading has come."""
        return tuple(c for c in self.columns if c not in INITIAL_VALUES.get(self.name, {}))


def in_reference_order(tables: Mapping[str, CanonicalTable]) -> list[CanonicalTable]:
    """The tables sorted so that each follows those it refers to, declared or not."""
    whole = {name: _with_undeclared(table) for name, table in tables.items()}
    order: TopologicalSorter[str] = TopologicalSorter()
    for name, table in whole.items():
        order.add(name, *sorted(table.after))
    return [whole[name] for name in order.static_order() if name in whole]


def _with_undeclared(table: CanonicalTable) -> CanonicalTable:
    more = UNDECLARED_REFERENCES.get(table.name, {})
    inside = KEYS_IN_JSON[table.name][2:] if table.name in KEYS_IN_JSON else ()
    return replace(
        table,
        references={**table.references, **more},
        after=table.after | {*more.values(), *inside},
    )


def is_derived_row(table: str, row: Values) -> bool:
    """Whether a row of a canonical table is derived nonetheless: a folder's commit history."""
    return table == "resources" and row.get("knowledge_type") == KnowledgeType.HISTORY


def is_exported(table: str, columns: Sequence[str]) -> bool:
    return "org" in columns and table not in DERIVED and table not in SERVER_TABLES
