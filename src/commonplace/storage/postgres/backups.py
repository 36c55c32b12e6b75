"""Backups of a PostgreSQL database: COPY of all tables in one snapshot, restored atomically.

Tables, order and columns come from the catalogue. A restore creates the schema at the backup's
version, fills it, then migrates it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from psycopg import sql

from commonplace.errors import BackupUnusable, InvalidArgument, StorageNotEmpty
from commonplace.model.times import Clock
from commonplace.storage.archive import BLOCK, Archive, ArchiveWriter, new_archive, opened_archive
from commonplace.storage.migrations import migrations_of
from commonplace.storage.port.archive import BackupManifest
from commonplace.storage.postgres.catalogue import copied_columns, tables_in_order
from commonplace.storage.postgres.connections import (
    APPLICATION_NAME,
    PACKAGE,
    Connection,
    connect,
    execute,
    one_row,
    owned,
)
from commonplace.storage.postgres.failures import gate
from commonplace.storage.postgres.migrate import apply_migration, migrate, schema_version

_STORE = "postgresql"
_FOLDER = "tables/"
_SAYS_WHICH_PARTITIONS = "org_partitions"


class PostgresBackups:
    """Implements port.Backups."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock

    def is_used(self) -> bool:
        with connect(self._url) as connection, gate():
            others = execute(connection, "others_connected", {"application": APPLICATION_NAME})
            return bool(one_row(others)["others"])

    def damage(self, *, deep: bool) -> list[str]:
        """Nothing: PostgreSQL checks its own pages and reports bad ones when it reads them."""
        del deep
        return []

    def salvage(self, target: Path) -> Mapping[str, int]:
        del target
        raise InvalidArgument("Use PostgreSQL's own tools: pg_dump, pg_amcheck, its backups.")

    def back_up(self, file: Path, product: str) -> BackupManifest:
        migrate(self._url)
        with new_archive(file) as archive, owned(self._url, write=False) as connection:
            version = schema_version(connection)
            counts = {
                table: _copy_out(connection, archive, table)
                for table in tables_in_order(connection)
            }
            manifest = BackupManifest(product, _STORE, version, self._clock().isoformat(), counts)
            archive.finish(manifest)
        return manifest

    def restore(self, file: Path, *, replace: bool) -> BackupManifest:
        archive = opened_archive(file, _STORE, migrations_of(PACKAGE)[-1].version)
        migrate(self._url)
        with owned(self._url) as connection:
            execute(connection, "wait_for_nobody_long", {})
            execute(connection, "lock_migrations", {})
            if not replace and _has_content(connection):
                raise StorageNotEmpty
            gone = execute(connection, "orgs_gone", {}).fetchall()
            for command in execute(connection, "schema_removal", {}).fetchall():
                connection.execute(command["command"].encode())
            self._fill(connection, archive)
            # An org that moved away after the backup is served elsewhere, and must not exist twice.
            for org in gone:
                execute(connection, "stay_gone", org)
        return archive.manifest

    def _fill(self, connection: Connection, archive: Archive) -> None:
        """Create the old schema, insert the rows, then apply the newer migrations."""
        migrations = migrations_of(PACKAGE)
        before = [m for m in migrations if m.version <= archive.manifest.schema_version]
        for migration in before:
            apply_migration(connection, migration)
        tables = tables_in_order(connection)
        if {f"{_FOLDER}{table}" for table in tables} != set(archive.members):
            raise BackupUnusable("The backup is damaged: its tables do not match its schema.")
        for table in reversed(tables):
            connection.execute(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)))
        for table in tables:
            # The backup already contains what triggers would add.
            _set_triggers(connection, table, "DISABLE")
            _copy_in(connection, archive, table)
            _set_triggers(connection, table, "ENABLE")
            if table == _SAYS_WHICH_PARTITIONS:
                execute(connection, "make_partitions", {})
        for row in execute(connection, "sequence_resets", {}).fetchall():
            connection.execute(row["command"].encode())
        for migration in migrations[len(before) :]:
            apply_migration(connection, migration)
        for row in execute(connection, "vector_models", {}).fetchall():
            execute(connection, "ensure_vector_index", row)


def _set_triggers(connection: Connection, table: str, action: Literal["DISABLE", "ENABLE"]) -> None:
    name, chosen = sql.Identifier(table), sql.SQL(action)
    connection.execute(sql.SQL("ALTER TABLE {} {} TRIGGER USER").format(name, chosen))


def _has_content(connection: Connection) -> bool:
    """Whether any org has content; rows that migrations insert do not count."""
    return any(
        connection.execute(
            sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table))
        ).fetchone()
        for table in tables_in_order(connection)
        if "org" in copied_columns(connection, table)
    )


def _copy_out(connection: Connection, archive: ArchiveWriter, table: str) -> int:
    columns = copied_columns(connection, table)
    name, listed = sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    counted = connection.execute(sql.SQL("SELECT count(*) AS rows FROM {}").format(name))
    command = sql.SQL("COPY (SELECT {} FROM {}) TO STDOUT").format(listed, name)
    with (
        archive.member(_FOLDER + table, columns) as out,
        connection.cursor() as cursor,
        cursor.copy(command) as copy,
    ):
        for block in copy:
            out.write(bytes(block))
    return int(one_row(counted)["rows"])


def _copy_in(connection: Connection, archive: Archive, table: str) -> None:
    member = _FOLDER + table
    columns = archive.members[member].columns
    if set(columns) != set(copied_columns(connection, table)):
        raise BackupUnusable(f"The backup is damaged: {table} has other columns.")
    listed = sql.SQL(", ").join(map(sql.Identifier, columns))
    command = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(table), listed)
    with (
        archive.open(member) as stream,
        connection.cursor() as cursor,
        cursor.copy(command) as copy,
    ):
        while block := stream.read(BLOCK):
            copy.write(block)
