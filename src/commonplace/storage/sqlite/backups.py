"""Backups of an SQLite file: a consistent copy, and restoring one under the write lock.

The file may be open elsewhere meanwhile: a restore overwrites it in one transaction and does not
replace the file.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from commonplace.errors import BackupUnusable, StorageError, StorageNotEmpty, StorageUnavailable
from commonplace.model.times import Clock
from commonplace.storage.archive import BLOCK, new_archive, opened_archive
from commonplace.storage.migrations import migrations_of
from commonplace.storage.port.archive import BackupManifest
from commonplace.storage.sqlite.connections import gate, is_whole, open_connection, transaction
from commonplace.storage.sqlite.damage import found_damage
from commonplace.storage.sqlite.migrate import PACKAGE, migrate, remove_copies, schema_version
from commonplace.storage.sqlite.place import (
    files_of,
    is_regular,
    is_used,
    make_private,
    moved_aside,
)
from commonplace.storage.sqlite.salvage import salvage

_STORE = "sqlite"
_MEMBER = "database.sqlite"
_TABLES = "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'"
_OF_SQLITE = frozenset({"sqlite_schema", "sqlite_sequence"})
_TENANT_TABLES = """
    SELECT t.name FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
    WHERE t.schema = 'main' AND t.type = 'table' AND c.name = 'org' ORDER BY t.name"""


class SqliteBackups:
    """Implements port.Backups."""

    def __init__(self, file: Path, clock: Clock) -> None:
        self._file = file
        self._clock = clock

    def back_up(self, file: Path, product: str) -> BackupManifest:
        if not self._file.exists():
            raise StorageUnavailable("There is no database yet, so there is nothing to back up.")
        with new_archive(file) as archive, _beside(file, "copy") as copy:
            with closing(open_connection(self._file)) as source:
                _copy(source, copy)
            with closing(open_connection(copy)) as connection:
                manifest = self._described(connection, product)
            with archive.member(_MEMBER) as out, copy.open("rb") as stream:
                while block := stream.read(BLOCK):
                    out.write(block)
            archive.finish(manifest)
        return manifest

    def is_used(self) -> bool:
        return is_used(self._file)

    def damage(self, *, deep: bool) -> list[str]:
        return found_damage(self._file, deep=deep)

    def salvage(self, target: Path) -> Mapping[str, int]:
        return salvage(self._file, target)

    def restore(self, file: Path, *, replace: bool) -> BackupManifest:
        archive = opened_archive(file, _STORE, migrations_of(PACKAGE)[-1].version)
        if not replace:
            self._refuse_content()
        with _beside(self._file, "restoring") as copy:
            self._make_room(copy)
            archive.extract(_MEMBER, copy)
            _make_current(copy)
            if not _is_ours(self._file):
                self._set_aside()
            make_private(self._file)
            with closing(open_connection(self._file)) as target:
                _outdate_indexes(copy, target)
                with closing(open_connection(copy)) as source, gate():
                    source.backup(target)
        return archive.manifest

    def _described(self, connection: sqlite3.Connection, product: str) -> BackupManifest:
        with gate():
            names = [row["name"] for row in connection.execute(_TABLES)]
            counts = {
                name: int(connection.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0])  # noqa: S608 - a name from the catalogue
                for name in sorted(names)
                if not name.startswith("sqlite_")
            }
            version = schema_version(connection)
        return BackupManifest(product, _STORE, version, self._clock().isoformat(), counts)

    def _refuse_content(self) -> None:
        if not is_regular(self._file):
            if os.path.lexists(self._file):
                raise StorageNotEmpty
            return
        with closing(open_connection(self._file)) as connection, gate():
            for row in connection.execute(_TENANT_TABLES).fetchall():
                if connection.execute(f'SELECT 1 FROM "{row["name"]}" LIMIT 1').fetchone():  # noqa: S608 - a name from the catalogue
                    raise StorageNotEmpty

    def _make_room(self, copy: Path) -> None:
        """Create the folder, and remove what an interrupted restore left behind."""
        try:
            self._file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            for leftover in files_of(copy):
                leftover.unlink(missing_ok=True)
        except OSError as error:
            reason = (error.strerror or "unknown reason").lower()
            message = f"The data folder cannot be created or used: {reason}."
            raise StorageUnavailable(message) from error

    def _set_aside(self) -> None:
        """Keep a file that is not a usable database next to the new one, for inspection."""
        try:
            moved_aside(self._file, f"damaged-{self._clock():%Y%m%dT%H%M%S}")
        except OSError as error:
            raise StorageUnavailable("The damaged file cannot be renamed.") from error


def _is_ours(file: Path) -> bool:
    """Whether it is an intact database of this product, or a new one."""
    if not file.exists() and not file.is_symlink():
        return not any(os.path.lexists(path) for path in files_of(file))
    if not is_regular(file):
        return False
    try:
        with closing(open_connection(file)) as connection, gate():
            tables = {row["name"] for row in connection.execute(_TABLES)}
            return is_whole(connection) and ("orgs" in tables or not tables - _OF_SQLITE)
    except StorageError:
        return False


@contextmanager
def _beside(file: Path, purpose: str) -> Iterator[Path]:
    """A temporary path on the same disk, deleted afterwards."""
    place = file.with_name(f".{file.name}.{purpose}")
    try:
        yield place
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                place.with_name(place.name + suffix).unlink(missing_ok=True)


def _copy(source: sqlite3.Connection, place: Path) -> None:
    """Copy in one step, which sees one moment; writers continue meanwhile."""
    place.unlink(missing_ok=True)
    place.touch(0o600)
    with gate(), closing(sqlite3.connect(place, isolation_level=None)) as target:
        source.backup(target)


def _make_current(copy: Path) -> None:
    """Verify the copy and migrate it to the newest schema, before it overwrites anything."""
    try:
        with closing(open_connection(copy)) as connection, gate():
            if not is_whole(connection):
                raise BackupUnusable("The backup is damaged: its database is corrupt.")
        migrate(copy)
        with closing(open_connection(copy)) as connection, transaction(connection, write=True):
            connection.execute("DELETE FROM leases")
    except StorageError as error:
        if isinstance(error, BackupUnusable):
            raise
        raise BackupUnusable("The backup is damaged: its database cannot be opened.") from error
    finally:
        remove_copies(copy)


def _outdate_indexes(copy: Path, target: sqlite3.Connection) -> None:
    """Leave a gap in the numbers of removals, so that in-memory indexes reload everything."""
    latest = "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'vector_removals'"
    with gate():
        has_sequences = target.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'sqlite_sequence'"
        ).fetchone()
        known = target.execute(latest).fetchone()[0] if has_sequences else 0
    with closing(open_connection(copy)) as connection, transaction(connection, write=True), gate():
        ours = connection.execute(latest).fetchone()[0]
        connection.execute("DELETE FROM vector_removals")
        connection.execute(
            "INSERT INTO vector_removals (sequence, vector_key) VALUES (?, 0)",
            (max(known, ours) + 2,),
        )
