"""Canonical rows of a PostgreSQL database as plain values; tables and types from the catalogue."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any
from uuid import uuid4

from psycopg import sql
from psycopg.types.json import Json

from commonplace.model.canonical import CanonicalTable, Values, in_reference_order, is_exported
from commonplace.model.times import Clock, to_micros
from commonplace.storage.postgres.connections import Connection, execute, one_row, owned
from commonplace.storage.postgres.failures import gate
from commonplace.storage.postgres.migrate import migrate, schema_version
from commonplace.storage.postgres.org_rows import erase_rows, partitions_of

_STREAMED = 500


class PostgresRows:
    """Implements port.CanonicalRows."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock

    @contextmanager
    def reading(self) -> Iterator[PostgresRowSession]:
        with self._opened(write=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[PostgresRowSession]:
        with self._opened(write=True) as session:
            yield session

    @contextmanager
    def _opened(self, *, write: bool) -> Iterator[PostgresRowSession]:
        migrate(self._url)
        with owned(self._url, write=write) as connection:
            yield PostgresRowSession(connection, to_micros(self._clock()))


class PostgresRowSession:
    """Implements port.RowWriter."""

    def __init__(self, connection: Connection, now: int) -> None:
        self._connection = connection
        self._now = now

    @cached_property
    def schema_version(self) -> int:
        return schema_version(self._connection)

    def tables(self) -> Sequence[CanonicalTable]:
        known = self._catalogue.values()
        return in_reference_order(
            {one.name: one for one in known if is_exported(one.name, one.columns)}
        )

    @cached_property
    def _types(self) -> dict[str, dict[str, str]]:
        types: dict[str, dict[str, str]] = {}
        for row in execute(self._connection, "column_types", {}).fetchall():
            types.setdefault(row["table_name"], {})[row["column_name"]] = row["type"]
        return types

    @cached_property
    def _catalogue(self) -> dict[str, CanonicalTable]:
        shapes = execute(self._connection, "table_shapes", {}).fetchall()
        tables = [_table(row, self._types[row["table_name"]]) for row in shapes]
        return {table.name: table for table in tables}

    def rows(self, table: CanonicalTable, org: str | None) -> Iterator[dict[str, Any]]:
        order = (table.key,) if table.key else table.unique[0]
        only = sql.SQL("{} IS NOT NULL").format(sql.Identifier(table.required_column or "org"))
        query = sql.SQL("SELECT {} FROM {} WHERE org = coalesce(%(org)s, org) AND {} ORDER BY {}")
        command = query.format(
            _listed(table.columns), sql.Identifier(table.name), only, self._by_bytes(table, order)
        )
        with gate(), self._connection.cursor(name=f"rows_of_{table.name}") as cursor:
            cursor.itersize = _STREAMED
            cursor.execute(command, {"org": org})
            yield from cursor

    def _by_bytes(self, table: CanonicalTable, names: Sequence[str]) -> sql.Composed:
        """Order columns by bytes, so that the order does not depend on the database's locale."""
        types = self._types[table.name]
        plain, text = sql.SQL("{}"), sql.SQL('{} COLLATE "C"')
        return sql.SQL(", ").join(
            (text if types[name] == "text" else plain).format(sql.Identifier(name))
            for name in names
        )

    def find(self, table: CanonicalTable, where: Values) -> list[dict[str, Any]]:
        chosen = sql.SQL(" AND ").join(
            sql.SQL("{} IS NULL" if value is None else "{} = %s").format(sql.Identifier(column))
            for column, value in where.items()
        )
        query = sql.SQL("SELECT {} FROM {} WHERE {}")
        command = query.format(_listed(table.columns), sql.Identifier(table.name), chosen)
        given = [value for value in where.values() if value is not None]
        with gate():
            return self._connection.execute(command, given).fetchall()

    def insert(self, table: CanonicalTable, values: Values) -> int | None:
        given = self._written(table, values)
        marks = sql.SQL(", ").join([sql.Placeholder()] * len(given))
        query = sql.SQL("INSERT INTO {} ({}) VALUES ({}) RETURNING {}")
        returned = sql.Identifier(table.key) if table.key else sql.SQL("NULL AS none")
        command = query.format(sql.Identifier(table.name), _listed(given), marks, returned)
        with gate():
            row = one_row(self._connection.execute(command, list(given.values())))
        return row[table.key] if table.key else None

    def update(self, table: CanonicalTable, key: int, values: Values) -> None:
        given = self._written(table, values)
        changes = sql.SQL(", ").join(
            sql.SQL("{} = %s").format(sql.Identifier(column)) for column in given
        )
        query = sql.SQL("UPDATE {} SET {} WHERE key = %s")
        with gate():
            self._connection.execute(
                query.format(sql.Identifier(table.name), changes), [*given.values(), key]
            )

    def erase(self, org: str) -> int:
        owned = {one.name: one for one in self._catalogue.values() if "org" in one.columns}
        with gate():
            parts = partitions_of(self._connection, org)
            emptied = execute(self._connection, "empty_partition", {"org": org})
            erased = int(one_row(emptied)["rows"])
            for table in reversed(in_reference_order(owned)):
                erased += erase_rows(self._connection, table.name, org, parts)
        return erased

    def queue(self, org: str, agent: str, kind: str, subjects: Sequence[Values]) -> None:
        values = {"org": org, "id": f"{kind}_{uuid4().hex}", "kind": kind, "agent": agent}
        with gate():
            run = one_row(execute(self._connection, "insert_run", {**values, "now": self._now}))
            for subject in subjects:
                target = {"org": org, "run_key": run["key"], "subject": json.dumps(subject)}
                execute(self._connection, "insert_target", {**target, "now": self._now})
            execute(self._connection, "announce_work", {})

    def _written(self, table: CanonicalTable, values: Values) -> dict[str, Any]:
        types = self._types[table.name]
        return {name: _adapted(types.get(name, ""), value) for name, value in values.items()}


def _table(row: Values, types: Values) -> CanonicalTable:
    numbered = row["numbered"]
    return CanonicalTable(
        name=row["table_name"],
        columns=tuple(types),
        key=numbered,
        references=dict(zip(row["referring"], row["referred"], strict=True)),
        after=frozenset(row["refers_to"]) - {row["table_name"]},
        unique=tuple(tuple(u) for u in json.loads(row["uniques"]) if u != [numbered]),
        binary=frozenset(name for name, kind in types.items() if kind == "bytea"),
        plain=frozenset(
            name for name, kind in types.items() if kind in ("text", "bigint", "boolean")
        ),
    )


def _listed(names: Values | Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, names))


def _adapted(kind: str, value: Any) -> Any:
    if value is None:
        return None
    if kind in ("json", "jsonb"):
        return Json(value)
    return bool(value) if kind == "boolean" else value
