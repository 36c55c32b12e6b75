"""Recovers readable rows from a damaged SQLite file into a new database.

Works on a copy, so that nothing gets worse. Skips derived data, and rows that the new database
rejects: damage may look like a row.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from commonplace.errors import StorageDamaged, StorageError, StorageUnavailable
from commonplace.model.canonical import DERIVED, CanonicalTable
from commonplace.storage.sqlite.canonical import SqliteRowSession
from commonplace.storage.sqlite.connections import gate, open_connection, transaction
from commonplace.storage.sqlite.migrate import migrate
from commonplace.storage.sqlite.place import files_of, is_regular

_LAST = "SELECT seq FROM sqlite_sequence WHERE name = ?"
_FARTHEST = 10_000_000
_ADD_ORG = "INSERT OR IGNORE INTO orgs (org, created_at) VALUES (?, 0)"
# Rows that refer to lost blobs or projects.
_LOOSE_ENDS = (
    """UPDATE resources SET digest = NULL WHERE digest IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM blobs b WHERE b.org = resources.org AND b.digest = resources.digest)""",
    """DELETE FROM documents WHERE digest IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM blobs b WHERE b.org = documents.org AND b.digest = documents.digest)""",
    """DELETE FROM attachments WHERE project_id IS NOT NULL AND NOT EXISTS
       (SELECT 1 FROM projects p
        WHERE p.org = attachments.org AND p.id = attachments.project_id)""",
    """UPDATE entries SET attributes = json_set(attributes, '$.files',
           (SELECT json_group_array(json(f.value)) FROM json_each(attributes, '$.files') AS f
            WHERE EXISTS (SELECT 1 FROM blobs b WHERE b.org = entries.org
                          AND b.digest = json_extract(f.value, '$.digest'))))
       WHERE kind = 'skill' AND json_type(attributes, '$.files') = 'array'""",
)


def salvage(file: Path, target: Path) -> Counter[str]:
    """Copy all readable canonical rows to a new file; returns how many rows of each table are
    lost."""
    if not is_regular(file):
        raise StorageUnavailable("There is no database file to read.")
    migrate(target)
    with TemporaryDirectory(prefix="commonplace-") as folder:
        copy = _copied(file, Path(folder))
        with (
            closing(_opened(copy)) as damaged,
            closing(open_connection(target)) as fresh,
            transaction(fresh, write=True),
        ):
            return _Salvage(damaged, fresh).run()


def _copied(file: Path, folder: Path) -> Path:
    copy = folder / "copy.db"
    try:
        for old, new in zip(files_of(file)[:2], files_of(copy)[:2], strict=True):
            with suppress(FileNotFoundError):
                shutil.copyfile(old, new)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise StorageUnavailable(f"The database file cannot be copied: {reason}.") from error
    return copy


def _opened(copy: Path) -> sqlite3.Connection:
    with gate():
        connection = sqlite3.connect(copy, isolation_level=None)
        connection.row_factory = sqlite3.Row
        # Continue reading even if the catalogue entry of another table is damaged.
        connection.execute("PRAGMA writable_schema = ON")
    return connection


class _Salvage:
    """One pass over all tables, each after those that it refers to."""

    def __init__(self, damaged: sqlite3.Connection, fresh: sqlite3.Connection) -> None:
        self._damaged = damaged
        self._fresh = fresh
        self._lost: Counter[str] = Counter()
        self._saved = 0

    def run(self) -> Counter[str]:
        for table in SqliteRowSession(self._fresh, 0).tables():
            if table.name not in DERIVED:
                self._move(table)
        with gate():
            for command in _LOOSE_ENDS:
                self._fresh.execute(command)
        if not self._saved:
            raise StorageDamaged("Nothing in the database file can be read.")
        return self._lost

    def _move(self, table: CanonicalTable) -> None:
        columns = self._columns(table)
        if not columns:
            self._lost[table.name] += 1
            return
        listed, marks = ", ".join(f'"{c}"' for c in columns), ", ".join("?" * len(columns))
        insert = f'INSERT OR IGNORE INTO "{table.name}" ({listed}) VALUES ({marks})'  # noqa: S608 - names from the catalogue
        select = f'SELECT {listed} FROM "{table.name}"'  # noqa: S608 - names from the catalogue
        by_number = self._has_numbers(table.name)
        rows = self._by_number(table.name, select) if by_number else self._scans(table, select)
        for row in rows:
            try:
                with gate():
                    if "org" in columns and isinstance(row["org"], str):
                        self._fresh.execute(_ADD_ORG, (row["org"],))
                    self._saved += self._fresh.execute(insert, tuple(row)).rowcount
            except StorageError:
                self._lost[table.name] += 1

    def _columns(self, table: CanonicalTable) -> list[str]:
        """The columns of both: the damaged database may have an older schema."""
        try:
            with gate():
                there = self._damaged.execute(f'PRAGMA table_info("{table.name}")').fetchall()
        except StorageError:
            return []
        names = {row["name"] for row in there}
        return [column for column in table.columns if column in names]

    def _has_numbers(self, table: str) -> bool:
        try:
            self._fresh.execute(f'SELECT rowid FROM "{table}" LIMIT 0')  # noqa: S608 - a name from the catalogue
        except sqlite3.OperationalError:
            return False
        return True

    def _by_number(self, table: str, select: str) -> Iterator[sqlite3.Row]:
        """Look each row up by its number, so that a damaged page only costs its own rows."""
        for number in self._numbers(table):
            try:
                with gate():
                    row = self._damaged.execute(f"{select} WHERE rowid = ?", (number,)).fetchone()
            except StorageError:
                self._lost[table] += 1
                continue
            if row is not None:
                yield row

    def _numbers(self, table: str) -> Iterable[int]:
        """The row numbers, from the table or an index that can be read completely; else all numbers
        that were ever assigned."""
        known: set[int] = set()
        for source in ("NOT INDEXED", *self._indexes(table)):
            for order in ("", "ORDER BY rowid DESC") if source == "NOT INDEXED" else ("",):
                query = f'SELECT rowid FROM "{table}" {source} {order}'  # noqa: S608 - names from the catalogue
                try:
                    with gate():
                        for row in self._damaged.execute(query):
                            known.add(row[0])
                except StorageError:
                    continue
                return sorted(known)
        return sorted(known | set(range(1, self._last(table, known) + 1)))

    def _indexes(self, table: str) -> list[str]:
        """The indexes that contain every row."""
        rows = self._fresh.execute(f'PRAGMA index_list("{table}")').fetchall()
        return [f'INDEXED BY "{row["name"]}"' for row in rows if not row["partial"]]

    def _last(self, table: str, known: set[int]) -> int:
        with suppress(StorageError), gate():
            if row := self._damaged.execute(_LAST, (table,)).fetchone():
                return min(int(row["seq"]), _FARTHEST)
        return max(known, default=0)

    def _scans(self, table: CanonicalTable, select: str) -> Iterator[sqlite3.Row]:
        """Read from both ends up to the damage."""
        for order in ("ASC", "DESC"):
            by = ", ".join(f'"{column}" {order}' for column in table.unique[0])
            try:
                with gate():
                    yield from self._damaged.execute(f"{select} ORDER BY {by}")
            except StorageError:
                self._lost[table.name] += 1
                continue
            return
