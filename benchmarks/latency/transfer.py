"""Copies a loaded SQLite collection into PostgreSQL in bulk: the same rows, to be read only."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import psycopg

from benchmarks.databases import lift_indexes, run_as_administrator
from commonplace.storage.postgres.codec import PostgresCodec
from commonplace.storage.postgres.tokens import search_vector
from commonplace.storage.sqlite.codec import SqliteCodec

_TABLES = ("orgs", "entries", "chunks", "passages", "vectors")
# Every org begins in the shared partition; a worker moves what belongs elsewhere.
_SAME_IN_ALL = {"shared": False, "part": 0}
_COLUMNS = """
SELECT column_name, udt_name FROM information_schema.columns
WHERE table_schema = 'commonplace' AND table_name = %s
ORDER BY ordinal_position"""

Value = Callable[[Mapping[str, Any]], object]


def transfer(file: Path, url: str, model: str, dimension: int) -> None:
    """Indexes that are slow to keep up are made when everything is there."""
    indexes = lift_indexes(url)
    source = sqlite3.connect(file)
    source.row_factory = sqlite3.Row
    with psycopg.connect(url) as target:
        for table in _TABLES:
            _copy(source, target, table)
    source.close()
    made = f"SELECT commonplace.ensure_vector_index('{model}', {dimension})"
    run_as_administrator(url, *indexes, "SET search_path = commonplace, public", made)


def _copy(source: sqlite3.Connection, target: psycopg.Connection, table: str) -> None:
    columns = target.execute(_COLUMNS, (table,)).fetchall()
    values = [_value(name, kind) for name, kind in columns]
    names = ", ".join(f'"{name}"' for name, _ in columns)
    with target.cursor().copy(f"COPY commonplace.{table} ({names}) FROM STDIN".encode()) as copy:
        for row in source.execute(f"SELECT * FROM {table}"):
            copy.write_row([value(row) for value in values])


def _value(name: str, kind: str) -> Value:
    """What PostgreSQL keeps in a column, of a row as SQLite keeps it."""
    if name == "search":
        return lambda row: search_vector(dict(row))
    if name in _SAME_IN_ALL:
        return lambda _row: _SAME_IN_ALL[name]
    if name == "vector":
        return lambda row: PostgresCodec().vector(SqliteCodec().read_vector(row[name]))
    if kind == "bool":
        return lambda row: bool(row[name])
    if kind.startswith("_"):
        return lambda row: json.loads(row[name])
    return lambda row: row[name]
