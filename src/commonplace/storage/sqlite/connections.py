"""SQLite connections: opening, pooling, transactions, and translating errors.

The only module that opens transactions. Writers take the write lock first, so that no transaction
can fail halfway because another process wrote.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from urllib.parse import quote

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    StorageBusy,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageReadOnly,
    StorageUnavailable,
)
from commonplace.storage.sqlite.packing import add_functions
from commonplace.storage.sqlite.place import SameFile, files_of, is_writable

BUSY_SECONDS = 30.0
_PRAGMAS = (
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -32768",
    # No memory mapping: if another process truncates a mapped file, every reader crashes.
    "PRAGMA mmap_size = 0",
    # The schema calls functions of `packing`.
    "PRAGMA trusted_schema = ON",
)
_BY_CODE: dict[int, type[StorageError]] = {
    sqlite3.SQLITE_BUSY: StorageBusy,
    sqlite3.SQLITE_LOCKED: StorageBusy,
    sqlite3.SQLITE_FULL: StorageFull,
    sqlite3.SQLITE_CORRUPT: StorageDamaged,
    sqlite3.SQLITE_NOTADB: StorageDamaged,
    sqlite3.SQLITE_CANTOPEN: StorageUnavailable,
    sqlite3.SQLITE_IOERR: StorageUnavailable,
    sqlite3.SQLITE_READONLY: StorageReadOnly,
    sqlite3.SQLITE_PERM: StorageUnavailable,
}


class SqliteConnection(sqlite3.Connection):
    """Remembers whether it is read-only, because setting that again would discard its plans, and
    whether its commits wait for the disk."""

    reads_only = False
    waits_for_disk = True


@contextmanager
def gate() -> Iterator[None]:
    """Translate SQLite's errors into ours."""
    try:
        yield
    except sqlite3.IntegrityError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_CONSTRAINT_UNIQUE:
            raise Conflict("Something with that id already exists.") from error
        raise StorageError from error
    except sqlite3.Error as error:
        raise _BY_CODE.get(_primary_code(error), StorageError) from error
    except UnicodeDecodeError as error:
        # SQLite's message about damage quotes undecodable bytes.
        raise StorageDamaged from error


def _primary_code(error: sqlite3.Error) -> int:
    """The primary error code; undecodable text has none but counts as damage."""
    undecodable = isinstance(error, sqlite3.OperationalError)
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT if undecodable else 0)
    return code & 0xFF


def open_connection(file: Path) -> SqliteConnection:
    """A connection in autocommit mode; only `transaction` opens transactions."""
    try:
        return _opened(str(file))
    except StorageUnavailable:
        if not file.is_file() or is_writable(file):
            raise
        return _opened(_read_only_uri(file), read_only=True)


def _read_only_uri(file: Path) -> str:
    """A URI for a file that cannot be written; immutable, unless there is a log to read."""
    _, log, _ = files_of(file)
    logged = log.exists() and log.stat().st_size > 0
    return f"file:{quote(str(file))}?mode=ro" + ("" if logged else "&immutable=1")


def _opened(address: str, *, read_only: bool = False) -> SqliteConnection:
    with gate():
        connection = sqlite3.connect(
            address,
            timeout=BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            uri=read_only,
            factory=SqliteConnection,
        )
        try:
            connection.row_factory = sqlite3.Row
            add_functions(connection)
            if not read_only:
                _use_write_ahead_log(connection)
            for pragma in _PRAGMAS:
                connection.execute(pragma)
        except BaseException:
            connection.close()
            raise
    return connection


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Switching a new file to WAL does not honour the busy timeout, so retry here."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            busy = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            if not busy or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


@contextmanager
def damage_named(connection: sqlite3.Connection) -> Iterator[None]:
    """Report an internal error as damage, if the file is damaged."""
    try:
        yield
    except CommonplaceError:
        raise
    except Exception as error:
        if not is_whole(connection):
            raise StorageDamaged from error
        raise


def is_whole(connection: sqlite3.Connection) -> bool:
    """Whether every page is readable and consistent; reads the whole file."""
    try:
        with gate():
            found: str = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except StorageError:
        return False
    return found == "ok"


@contextmanager
def transaction(
    connection: SqliteConnection, *, write: bool, derived: bool = False
) -> Iterator[None]:
    """Commit when the block ends, roll back if it raises; a reader cannot become a writer."""
    with gate():
        if write and connection.waits_for_disk is derived:
            connection.execute(f"PRAGMA synchronous = {'NORMAL' if derived else 'FULL'}")
            connection.waits_for_disk = not derived
        if connection.reads_only is write:
            connection.execute(f"PRAGMA query_only = {not write}")
            connection.reads_only = not write
        connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
    try:
        yield
        with gate():
            connection.execute("COMMIT")
    except BaseException:
        # A connection that cannot roll back is closed when it is returned.
        with suppress(sqlite3.Error):
            if connection.in_transaction:
                connection.execute("ROLLBACK")
        raise


class ConnectionPool:
    """Idle connections; as many as were ever in use at once.

    Readers get connections that have read, writers those that have written.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._same = SameFile(file)
        self._lock = threading.Lock()
        self._free: dict[bool, list[SqliteConnection]] = {False: [], True: []}
        self._used = 0
        self._closed = False

    @property
    def used(self) -> int:
        """How many connections are in use."""
        return self._used

    def check(self) -> None:
        """Raise StorageGone if the file was replaced, as nobody would ever find what is written."""
        self._same.check()

    @contextmanager
    def connection(self, *, write: bool) -> Iterator[SqliteConnection]:
        # Checked first: closing the last connection removes the log.
        self._check_open()
        self.check()
        connection = self._take(reads_only=not write)
        try:
            yield connection
        finally:
            self._give_back(connection)

    def close(self) -> None:
        with self._lock:
            self._closed = True
            free = [connection for some in self._free.values() for connection in some]
            self._free = {False: [], True: []}
        for connection in free:
            connection.close()

    def _take(self, *, reads_only: bool) -> SqliteConnection:
        with self._lock:
            self._check_open()
            some = self._free[reads_only] or self._free[not reads_only]
            free = some.pop() if some else None
        connection = free or open_connection(self._file)
        with self._lock:
            self._used += 1
        return connection

    def _check_open(self) -> None:
        if self._closed:
            raise StorageUnavailable("The store is closed.")

    def _give_back(self, connection: SqliteConnection) -> None:
        with self._lock:
            self._used -= 1
            if not self._closed and not connection.in_transaction:
                self._free[connection.reads_only].append(connection)
                return
        connection.close()


class ChangeWatch:
    """Notices commits of other connections; SQLite reports them only per connection."""

    def __init__(self, file: Path) -> None:
        self._lock = threading.Lock()
        self._connection = open_connection(file)
        self._seen = self._version()

    def changed(self) -> bool:
        """Whether anything was committed since the last call."""
        with self._lock:
            before, self._seen = self._seen, self._version()
            return self._seen != before

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _version(self) -> int:
        with gate():
            version: int = self._connection.execute("PRAGMA data_version").fetchone()[0]
        return version
