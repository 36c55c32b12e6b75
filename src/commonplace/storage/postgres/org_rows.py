"""Conditions for an org's rows, written so that an index finds them."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from commonplace.storage.postgres.connections import Connection, execute, one_row

_PARTITIONED = frozenset({"chunks", "passages", "vectors", "reembedding_attempts"})
# Tables without an index on the org; they are reached through the rows they belong to.
_BELONG_TO = {
    "passages": ("chunk_key", "chunks"),
    "documents": ("resource_key", "resources"),
    "touched_files": ("document_key", "documents"),
    "code_files": ("document_key", "documents"),
    "compiled_files": ("document_key", "documents"),
    "symbols": ("document_key", "documents"),
    "edges": ("document_key", "documents"),
}


def partitions_of(connection: Connection, org: str) -> list[int]:
    """The partitions that may contain rows of an org."""
    parts: list[int] = one_row(execute(connection, "partitions_held", {"org": org}))["parts"]
    return parts


def erase_rows(connection: Connection, table: str, org: str, parts: Sequence[int]) -> int:
    """Delete an org's rows from a table; returns how many."""
    command = sql.SQL("DELETE FROM {} WHERE {}")
    rows = rows_of_org(table, org, parts)
    return connection.execute(command.format(sql.Identifier(table), rows)).rowcount


def rows_of_org(
    table: str, org: str, parts: Sequence[int], named: sql.Identifier | None = None
) -> sql.Composed:
    """The condition for an org's rows; `parts` are the partitions that may contain them."""
    name = named or sql.Identifier(table)
    rows = sql.SQL("{}.org = {}").format(name, sql.Literal(org))
    if table in _PARTITIONED:
        numbers = sql.SQL(", ").join(map(sql.Literal, parts))
        rows += sql.SQL(" AND {}.part IN ({})").format(name, numbers)
    if table in _BELONG_TO:
        column, owner = _BELONG_TO[table]
        rows += sql.SQL(" AND {}.{} IN (SELECT {}.key FROM {} WHERE {})").format(
            name,
            sql.Identifier(column),
            sql.Identifier(owner),
            sql.Identifier(owner),
            rows_of_org(owner, org, parts),
        )
    return rows
