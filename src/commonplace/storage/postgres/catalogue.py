"""Order and columns of the tables to copy, from the catalogue."""

from __future__ import annotations

from graphlib import TopologicalSorter

from commonplace.storage.postgres.connections import Connection, execute

_OF_THE_SERVER = frozenset({"migrations", "leases"})


def tables_in_order(connection: Connection) -> list[str]:
    """The tables in an order in which rows can be inserted: referenced tables first."""
    order: TopologicalSorter[str] = TopologicalSorter()
    for row in execute(connection, "table_references", {}).fetchall():
        order.add(row["table_name"], *(r for r in row["refers_to"] if r != row["table_name"]))
    return [table for table in order.static_order() if table not in _OF_THE_SERVER]


def copied_columns(connection: Connection, table: str) -> tuple[str, ...]:
    rows = execute(connection, "copied_columns", {"table": table}).fetchall()
    return tuple(row["column_name"] for row in rows)
