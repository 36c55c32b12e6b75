"""The PostgreSQL statements on a real server, as the application's role sees them."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from commonplace.storage.sqlite.connections import open_connection
from commonplace.storage.sqlite.migrate import migrate
from commonplace.storage.statements import Statement
from tests.sql.folders import load, shared
from tests.stores import PostgresDatabases

APPLICATION, OWNER = "commonplace_app", "commonplace_owner"
# Runs before the schema is there, or makes it: not the application's to prepare.
OF_THE_OWNER = {"record_migration"}
NUMBERED = re.compile(r"%\((\w+)\)s")


@pytest.fixture(scope="module")
def address(postgres_databases: PostgresDatabases) -> str:
    return postgres_databases.migrated()


@pytest.fixture(scope="module")
def application(address: str) -> Iterator[psycopg.Connection]:
    with psycopg.connect(address, autocommit=True) as connection:
        _become(connection, APPLICATION)
        yield connection


def _become(connection: psycopg.Connection, role: str) -> None:
    connection.execute(sql.SQL("SET ROLE {}").format(sql.Identifier(role)))
    connection.execute("SET search_path = commonplace, public, pg_temp")


def _numbered(statement: Statement) -> str:
    """`$1` in place of `%(name)s`, as the server itself wants parameters."""
    order = {name: number for number, name in enumerate(statement.parameters, start=1)}
    replaced = NUMBERED.sub(lambda found: f"${order[found[1]]}", statement.percent_style())
    return replaced.replace("%%", "%").rstrip().rstrip(";")


def _columns(connection: psycopg.Connection, statement: Statement) -> list[str]:
    """Prepare on the server, and what it says that it will return."""
    prepared = connection.pgconn.prepare(b"checked", _numbered(statement).encode())
    assert not prepared.error_message, f"{statement.name}: {prepared.error_message.decode()}"
    described = connection.pgconn.describe_prepared(b"checked")
    names = [described.fname(place) or b"" for place in range(described.nfields)]
    connection.execute("DEALLOCATE checked")
    return [name.decode() for name in names]


def test_every_statement_prepares_for_the_application(
    address: str, application: psycopg.Connection
) -> None:
    with psycopg.connect(address, autocommit=True) as owner:
        _become(owner, OWNER)
        for name, statement in load("postgres").items():
            _columns(owner if name in OF_THE_OWNER else application, statement)


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[sqlite3.Connection]:
    file: Path = tmp_path_factory.mktemp("sql") / "columns.db"
    migrate(file)
    connection = open_connection(file)
    yield connection
    connection.close()


def test_both_dialects_return_the_same_columns(
    application: psycopg.Connection, embedded: sqlite3.Connection
) -> None:
    for name in shared():
        theirs = _columns(application, load("postgres")[name])
        # Where a row lies is told with it, where it may lie in several partitions.
        assert sorted(set(theirs) - {"part"}) == sorted(_sqlite_columns(embedded, name)), name


def _sqlite_columns(connection: sqlite3.Connection, name: str) -> list[str]:
    statement = load("sqlite")[name]
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute("BEGIN")
    try:
        cursor = connection.execute(statement.sql, _harmless_values(statement))
        return [column[0] for column in cursor.description or ()]
    finally:
        connection.execute("ROLLBACK")


def _harmless_values(statement: Statement) -> dict[str, object]:
    """1 is a number, a text and JSON; the row is rolled back anyway."""
    special: dict[str, object] = {
        "visibility": "org",
        "owner_type": "entry",
        "status": "queued",
        "state": "retired",
        "verdict": "confirm",
        "outcome": "found",
        "type": "file",
        "scope": "workspace",
        "vector": b"",
        "data": b"",
        "facts": b"",
    }
    return {name: special.get(name, 1) for name in statement.parameters}
