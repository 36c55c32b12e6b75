"""Migrates an SQLite file to the newest schema: after a backup, in one transaction.

The schema version is the file's `user_version`, which is committed together with the migrations.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from commonplace.errors import StorageUnavailable
from commonplace.storage.migrations import migrations_of, outstanding
from commonplace.storage.sqlite.connections import (
    SqliteConnection,
    gate,
    open_connection,
    transaction,
)
from commonplace.storage.sqlite.place import make_private

PACKAGE = "commonplace.storage.sqlite"
_COPY = ".before-v"


def schema_version(connection: sqlite3.Connection) -> int:
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    return version


def migrate(file: Path) -> int:
    """Apply missing migrations; returns the schema version."""
    make_private(file)
    connection = open_connection(file)
    try:
        with gate():
            current = schema_version(connection)
        if outstanding(migrations_of(PACKAGE), current):
            current = _apply(connection, file)
        return current
    finally:
        connection.close()


def _apply(connection: SqliteConnection, file: Path) -> int:
    """Apply missing migrations, checked again under the lock: another process may have been
    faster."""
    with transaction(connection, write=True), gate():
        current = schema_version(connection)
        missing = outstanding(migrations_of(PACKAGE), current)
        if missing and current > 0:
            _back_up(file, current)
        # SQLite's own only handles ASCII.
        connection.create_function("lower", 1, str.lower, deterministic=True)
        for migration in missing:
            for statement in statements_of(migration.sql):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {migration.version}")
        return schema_version(connection)


def _back_up(file: Path, version: int) -> None:
    """Copy the file through a second connection: the write lock does not block readers."""
    copy = file.with_name(f"{file.name}{_COPY}{version + 1}")
    try:
        copy.touch(0o600)
    except OSError as error:
        raise StorageUnavailable("The database cannot be copied before it is changed.") from error
    with (
        closing(open_connection(file)) as source,
        closing(sqlite3.connect(copy, isolation_level=None)) as target,
    ):
        source.backup(target)
    remove_copies(file, but=copy)


def remove_copies(file: Path, but: Path | None = None) -> None:
    """Delete the copies that migrations left, which contain the data of their time."""
    try:
        for copy in file.parent.glob(f"{file.name}{_COPY}*"):
            if copy != but:
                copy.unlink(missing_ok=True)
    except OSError as error:
        raise StorageUnavailable("An old copy of the database cannot be removed.") from error


def statements_of(script: str) -> list[str]:
    """The statements of a script, one by one, because `executescript` would commit."""
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
