"""Canonical rows of an SQLite file as plain values; tables and types are read from its
catalogue."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

from commonplace.model.canonical import CanonicalTable, Values, in_reference_order, is_exported
from commonplace.model.times import Clock, to_micros
from commonplace.storage.sqlite.connections import damage_named, gate, open_connection, transaction
from commonplace.storage.sqlite.migrate import migrate, schema_version

_TABLES = """
    SELECT t.name, m.sql FROM pragma_table_list AS t JOIN sqlite_master AS m ON m.name = t.name
    WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name"""
_JSON = re.compile(r"json_valid\s*\(\s*(\w+)\s*\)")
_BOOLEAN = re.compile(r"\b(\w+)\s+IN\s*\(\s*0\s*,\s*1\s*\)")


class SqliteRows:
    """Implements port.CanonicalRows."""

    def __init__(self, file: Path, clock: Clock) -> None:
        self._file = file
        self._clock = clock

    @contextmanager
    def reading(self) -> Iterator[SqliteRowSession]:
        with self._opened(write=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[SqliteRowSession]:
        with self._opened(write=True) as session:
            yield session

    @contextmanager
    def _opened(self, *, write: bool) -> Iterator[SqliteRowSession]:
        migrate(self._file)
        with (
            closing(open_connection(self._file)) as connection,
            damage_named(connection),
            transaction(connection, write=write),
        ):
            yield SqliteRowSession(connection, to_micros(self._clock()))


class SqliteRowSession:
    """Implements port.RowWriter."""

    def __init__(self, connection: sqlite3.Connection, now: int) -> None:
        self._connection = connection
        self._now = now

    @cached_property
    def schema_version(self) -> int:
        with gate():
            return schema_version(self._connection)

    def tables(self) -> Sequence[CanonicalTable]:
        known = self._catalogue.values()
        return in_reference_order(
            {one.name: one for one in known if is_exported(one.name, one.columns)}
        )

    @cached_property
    def _catalogue(self) -> dict[str, CanonicalTable]:
        with gate():
            rows = self._connection.execute(_TABLES).fetchall()
            read = [self._table(row["name"], row["sql"] or "") for row in rows]
        return {table.name: table for table in read}

    @cached_property
    def _shapes(self) -> dict[str, tuple[frozenset[str], frozenset[str]]]:
        """The JSON and boolean columns of each table, according to its CHECK constraints."""
        with gate():
            rows = self._connection.execute(_TABLES).fetchall()
        return {
            row["name"]: (
                frozenset(_JSON.findall(row["sql"] or "")),
                frozenset(_BOOLEAN.findall(row["sql"] or "")),
            )
            for row in rows
        }

    def _table(self, name: str, sql: str) -> CanonicalTable:
        columns = self._pragma("table_info", name)
        keys = [c["name"] for c in columns if c["pk"]]
        referring = self._pragma("foreign_key_list", name)
        numbered = len(keys) == 1 and "AUTOINCREMENT" in sql
        names = tuple(c["name"] for c in columns)
        binary = frozenset(c["name"] for c in columns if c["type"] == "BLOB")
        return CanonicalTable(
            name=name,
            columns=names,
            key=keys[0] if numbered else None,
            references={f["from"]: f["table"] for f in referring if f["to"] == "key"},
            after=frozenset(f["table"] for f in referring) - {name},
            unique=self._unique(name, keys if not numbered else []),
            binary=binary,
            plain=frozenset(names) - binary - self._shapes[name][0],
        )

    def _unique(self, name: str, primary: list[str]) -> tuple[tuple[str, ...], ...]:
        by_index = [
            tuple(row["name"] for row in self._pragma("index_info", index["name"]))
            for index in self._pragma("index_list", name)
            if index["unique"] and not index["partial"]
        ]
        named = [tuple(primary)] if primary else []
        return tuple(dict.fromkeys(named + sorted(by_index)))

    def _pragma(self, pragma: str, name: str) -> list[sqlite3.Row]:
        return self._connection.execute(f'PRAGMA {pragma}("{name}")').fetchall()

    def rows(self, table: CanonicalTable, org: str | None) -> Iterator[dict[str, Any]]:
        order = ", ".join(_quoted((table.key,) if table.key else table.unique[0]))
        where = "WHERE org = coalesce(?, org)"
        if table.required_column:
            where += f' AND "{table.required_column}" IS NOT NULL'
        query = f'SELECT * FROM "{table.name}" {where} ORDER BY {order}'  # noqa: S608 - names from the catalogue
        with gate():
            for row in self._connection.execute(query, (org,)):
                yield self._read(table, row)

    def find(self, table: CanonicalTable, where: Values) -> list[dict[str, Any]]:
        chosen = " AND ".join(f"{column} IS ?" for column in _quoted(where))
        query = f'SELECT * FROM "{table.name}" WHERE {chosen}'  # noqa: S608 - names from the catalogue
        with gate():
            rows = self._connection.execute(query, tuple(where.values())).fetchall()
        return [self._read(table, row) for row in rows]

    def insert(self, table: CanonicalTable, values: Values) -> int | None:
        given = self._written(table, values)
        marks = ", ".join("?" * len(given))
        query = f'INSERT INTO "{table.name}" ({", ".join(_quoted(given))}) VALUES ({marks})'  # noqa: S608 - names from the catalogue
        with gate():
            cursor = self._connection.execute(query, tuple(given.values()))
        return cursor.lastrowid if table.key else None

    def update(self, table: CanonicalTable, key: int, values: Values) -> None:
        given = self._written(table, values)
        changes = ", ".join(f"{column} = ?" for column in _quoted(given))
        query = f'UPDATE "{table.name}" SET {changes} WHERE key = ?'  # noqa: S608 - names from the catalogue
        with gate():
            self._connection.execute(query, (*given.values(), key))

    def erase(self, org: str) -> int:
        owned = {one.name: one for one in self._catalogue.values() if "org" in one.columns}
        erased = 0
        for table in reversed(in_reference_order(owned)):
            query = f'DELETE FROM "{table.name}" WHERE org = ?'  # noqa: S608 - names from the catalogue
            with gate():
                erased += self._connection.execute(query, (org,)).rowcount
        return erased

    def queue(self, org: str, agent: str, kind: str, subjects: Sequence[Values]) -> None:
        with gate():
            run = self._connection.execute(
                "INSERT INTO runs (org, id, kind, agent, created_at) VALUES (?, ?, ?, ?, ?)",
                (org, f"{kind}_{uuid4().hex}", kind, agent, self._now),
            ).lastrowid
            self._connection.executemany(
                "INSERT INTO targets (org, run_key, subject, status, due)"
                " VALUES (?, ?, ?, 'queued', ?)",
                [(org, run, json.dumps(subject), self._now) for subject in subjects],
            )

    def _read(self, table: CanonicalTable, row: sqlite3.Row) -> dict[str, Any]:
        documents, truths = self._shapes[table.name]
        return {
            name: _plain(row[name], document=name in documents, truth=name in truths)
            for name in row.keys()  # noqa: SIM118 - a row iterates over its values
        }

    def _written(self, table: CanonicalTable, values: Values) -> dict[str, Any]:
        documents, _truths = self._shapes[table.name]
        return {
            name: json.dumps(value, ensure_ascii=False)
            if value is not None and (name in documents or isinstance(value, (dict, list)))
            else value
            for name, value in values.items()
        }


def _quoted(names: Values | Sequence[str]) -> list[str]:
    return [f'"{name}"' for name in names]


def _plain(value: Any, *, document: bool, truth: bool) -> Any:
    if value is None:
        return None
    if document:
        return json.loads(value)
    return bool(value) if truth else value
