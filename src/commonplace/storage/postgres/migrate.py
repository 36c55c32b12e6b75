"""Migrates a database to the newest schema: roles and extension first, then migrations.

A migration is committed together with its record, by one process at a time.
"""

from __future__ import annotations

from psycopg import errors

from commonplace.errors import StorageSetupRequired
from commonplace.storage.migrations import Migration, migrations_of, outstanding
from commonplace.storage.postgres.connections import (
    PACKAGE,
    Connection,
    connect,
    execute,
    one_row,
    owned,
)
from commonplace.storage.postgres.failures import gate

_MADE_BY_ANOTHER = (errors.DuplicateObject, errors.DuplicateSchema, errors.UniqueViolation)
_NOT_ALLOWED = (errors.InsufficientPrivilege, errors.FeatureNotSupported, errors.UndefinedFile)


def migrate(url: str) -> int:
    """Create and apply whatever is missing; returns the schema version."""
    with connect(url) as connection:
        prepare(connection)
    migrations = migrations_of(PACKAGE)
    with owned(url, write=False) as connection:
        current = schema_version(connection)
    while missing := outstanding(migrations, current):
        current = _apply(url, missing[0])
    return current


def prepare(connection: Connection) -> None:
    """Create roles, extension and schema, as far as the user is permitted to."""
    with gate():
        for command in _missing(connection):
            _make(connection, command)
        if missing := _missing(connection):
            raise StorageSetupRequired(_request(missing))


def _make(connection: Connection, command: str) -> None:
    try:
        connection.execute(command.encode())
    except _MADE_BY_ANOTHER:
        return
    except _NOT_ALLOWED as error:
        raise StorageSetupRequired(_request(_missing(connection))) from error


def schema_version(connection: Connection) -> int:
    with gate():
        if not one_row(execute(connection, "has_schema", {}))["found"]:
            return 0
        version: int = one_row(execute(connection, "schema_version", {}))["version"]
    return version


def _missing(connection: Connection) -> list[str]:
    return [row["command"] for row in execute(connection, "missing_setup", {})]


def _request(commands: list[str]) -> str:
    lines = "".join(f"\n    {command};" for command in commands)
    return (
        "The database lacks something that this user may not create. An administrator has to run "
        f"this once, in this database:{lines}"
    )


def _apply(url: str, migration: Migration) -> int:
    """Apply a migration unless another process did so before this one got the lock."""
    with owned(url) as connection:
        execute(connection, "lock_migrations", {})
        current = schema_version(connection)
        if current >= migration.version:
            return current
        apply_migration(connection, migration)
    return migration.version


def apply_migration(connection: Connection, migration: Migration) -> None:
    """Apply and record a migration in the current transaction."""
    connection.execute(migration.sql.encode())
    values = {"version": migration.version, "name": migration.name}
    execute(connection, "record_migration", values)
