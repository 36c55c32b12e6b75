"""Copies a loaded SQLite collection into PostgreSQL in bulk: the same rows and posting lists, in a
partition of their own."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.databases import lift_indexes, run_as_administrator
from commonplace.model.actor import SYSTEM_ORG
from commonplace.storage.postgres.codec import PostgresCodec
from commonplace.storage.postgres.tokens import search_vector
from commonplace.storage.sqlite.codec import SqliteCodec
from commonplace.storage.sqlite.connections import open_connection

# Tables with the column that numbers their rows, where they have one.
_TABLES = {
    "entries": "key",
    "chunks": "key",
    "passages": None,
    "vectors": "key",
    "posting_indexes": None,
    "posting_segments": "segment",
    "postings": None,
    "unposted": "sequence",
}
# Where a file has all columns of a table.
_SHOWN = {"passages": "passages JOIN passage_tokens USING (chunk_key)"}
_COLUMNS = """
SELECT column_name, udt_name FROM information_schema.columns
WHERE table_schema = 'commonplace' AND table_name = %s
ORDER BY ordinal_position"""

Value = Callable[[Mapping[str, Any]], object]


def transfer(file: Path, url: str, org: str, model: str, dimension: int) -> None:
    """Indexes that are slow to keep up are made when everything is there."""
    indexes = lift_indexes(url)
    source = open_connection(file)
    with psycopg.connect(url) as target:
        target.execute(b"SET search_path = commonplace, public")
        _copy(source, target, "orgs", {})
        # The system has a partition of its own as soon as the first large org has one.
        parts = [_partition(target, owner) for owner in (SYSTEM_ORG, org)]
        for table, numbering in _TABLES.items():
            if table == "unposted":
                # A trigger has queued every passage; the lists know most of them.
                target.execute(b"TRUNCATE unposted")
            _copy(source, target, table, {"shared": False, "part": parts[-1]})
            if numbering:
                last = f"SELECT max({numbering}) FROM {table}"
                sequence = f"pg_get_serial_sequence('commonplace.{table}', '{numbering}')"
                target.execute(f"SELECT setval({sequence}, coalesce(({last}), 1))".encode())
    source.close()
    made = f"SELECT commonplace.ensure_vector_index('{model}', {dimension})"
    run_as_administrator(url, *indexes, "SET search_path = commonplace, public", made)


def _partition(target: psycopg.Connection, org: str) -> int:
    """The number of a new partition; a worker would move the rows there, batch by batch."""
    give = b"INSERT INTO org_partitions (org, settled) VALUES (%s, true) RETURNING part"
    row = target.execute(give, (org,)).fetchone()
    assert row is not None, "an insert returns its row"
    target.execute(b"SELECT make_partition(%s)", row)
    return int(row[0])


def _copy(
    source: sqlite3.Connection,
    target: psycopg.Connection,
    table: str,
    same_in_all: Mapping[str, object],
) -> None:
    columns = target.execute(_COLUMNS, (table,)).fetchall()
    values = [_value(name, kind, same_in_all) for name, kind in columns]
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with target.cursor().copy(f"COPY commonplace.{table} ({names}) FROM STDIN".encode()) as copy:
        for row in source.execute(f"SELECT * FROM {_SHOWN.get(table, table)}"):
            copy.write_row([value(row) for value in values])


def _value(name: str, kind: str, same_in_all: Mapping[str, object]) -> Value:
    """How PostgreSQL's value of a column is made from a row of SQLite."""
    if name == "search":
        return lambda row: search_vector(dict(row))
    if name in same_in_all:
        return lambda _row: same_in_all[name]
    if name == "vector":
        return lambda row: PostgresCodec().vector(SqliteCodec().read_vector(row[name]))
    if kind == "bool":
        return lambda row: bool(row[name])
    if kind.startswith("_"):
        return lambda row: json.loads(row[name])
    return lambda row: row[name]
