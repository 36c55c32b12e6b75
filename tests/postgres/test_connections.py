"""Connections: pooled, bound, listening, failing; and what is said when they do."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread
from typing import Any, Protocol

import psycopg
import pytest

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    StorageBusy,
    StorageError,
    StorageFull,
    StorageUnavailable,
    TenantMissing,
)
from commonplace.model.query import Filter
from commonplace.storage.port import Transaction
from commonplace.storage.postgres import connections
from commonplace.storage.postgres.connections import Connections, connect
from commonplace.storage.postgres.failures import gate
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, entry_draft, put_chunk
from tests.stores import SteppingClock, _start_server

LONG_ENOUGH = 60.0


class StoppableServer(Protocol):
    """What these tests use of the server in the wheel."""

    def get_uri(self, database: str | None = None) -> str: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...

    def cleanup(self) -> None: ...


@pytest.fixture
def server() -> Iterator[StoppableServer]:
    """A server of one's own, to be stopped at will."""
    server: Any = _start_server(Path(tempfile.mkdtemp(prefix="cp-pg-")))
    yield server
    server.cleanup()


def test_a_pooled_connection_is_bound_to_nobody_after_use(address: str) -> None:
    store = PostgresStore(address, SteppingClock(), 1)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with store._connections.transaction(write=False) as connection:
        bound = connection.execute(b"SELECT current_setting('commonplace.org', true) AS org")
        assert bound.fetchone() == {"org": ""}
        with pytest.raises(TenantMissing), gate():
            connection.execute(b"SELECT id FROM entries")
        connection.rollback()
    store.close()


def test_reading_transactions_cannot_write(postgres: PostgresStore) -> None:
    with pytest.raises(StorageError), postgres.read(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))


def test_a_swallowed_failure_does_not_pass_for_a_commit(postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with (
        pytest.raises(StorageError, match="nothing was written"),
        postgres.write(ALICE) as tx,
        suppress(Conflict),
    ):
        tx.entries.insert(entry_draft("n-1"))


def put_chunk_and_fail(tx: Transaction) -> None:
    put_chunk(tx, 1, "text")
    raise Conflict


def test_work_is_announced_by_the_commit_and_not_before(postgres: PostgresStore) -> None:
    assert postgres.due_work() == []
    with pytest.raises(Conflict), postgres.write(ALICE) as tx:
        put_chunk_and_fail(tx)
    assert not postgres.await_work(0.05)
    with postgres.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
        assert not postgres.await_work(0.05)
    assert postgres.await_work(LONG_ENOUGH)
    assert not postgres.await_work(0.05)


def test_closing_ends_a_wait(address: str) -> None:
    store = PostgresStore(address, SteppingClock(), 1)
    store.due_work()
    heard: list[bool] = []
    waiting = Thread(target=lambda: heard.append(store.await_work(LONG_ENOUGH)))
    waiting.start()
    store.close()
    waiting.join(LONG_ENOUGH)
    assert heard == [False]


def test_a_restarted_server_is_survived(server: StoppableServer) -> None:
    store = PostgresStore(server.get_uri(), SteppingClock(), 2)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    store.due_work()
    server.stop()
    server.start()
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 1
    assert store.await_work(LONG_ENOUGH), "what was announced meanwhile must be looked for"
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
    assert store.await_work(LONG_ENOUGH)
    store.close()


def _insert_after_stopping(server: StoppableServer, tx: Transaction) -> None:
    server.stop()
    tx.entries.insert(entry_draft("n-2"))


def test_a_stopped_server_is_named_without_saying_where_it_is(
    server: StoppableServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.get_uri()
    store = PostgresStore(address, SteppingClock(), 2)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with pytest.raises(StorageUnavailable) as caught, store.write(ALICE) as tx:
        _insert_after_stopping(server, tx)
    _says_nothing_of(address, caught.value)
    with monkeypatch.context() as impatient:
        impatient.setattr(connections, "CONNECT_SECONDS", 1)
        for attempt in (store.health, lambda: PostgresStore(address, SteppingClock(), 2)):
            with pytest.raises(StorageUnavailable) as caught:
                attempt()
            _says_nothing_of(address, caught.value)
    server.start()
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") is not None
        assert tx.entries.get("n-2") is None
    store.close()


def test_a_wrong_password_is_not_repeated(address: str) -> None:
    wrong = "postgresql://nobody:hunter2@127.0.0.1:1/commonplace"
    with pytest.raises(StorageUnavailable) as caught:
        PostgresStore(wrong, SteppingClock(), 1)
    assert "hunter2" not in str(caught.value)
    assert "127.0.0.1" not in str(caught.value)


def _says_nothing_of(address: str, error: CommonplaceError) -> None:
    assert error.__cause__ is not None
    assert "/" not in error.message, error.message
    assert address not in error.message


def test_all_connections_in_use_is_busy_and_not_unavailable(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.1)
    only_one = Connections(address, 1)
    with (
        only_one.transaction(write=False),
        pytest.raises(StorageBusy),
        only_one.transaction(write=False),
    ):
        pytest.fail("a second connection was given")
    only_one.close()
    with pytest.raises(StorageUnavailable), only_one.transaction(write=False):
        pytest.fail("a closed pool gave a connection")


def test_only_derived_state_is_not_flushed_before_it_is_acknowledged(address: str) -> None:
    pool = Connections(f"{address}&options=-csynchronous_commit%3Don", 1)
    for derived in (False, True, False):
        with pool.bound(write=True, org=ALICE.org, derived=derived) as (connection, _):
            told = connection.execute("SHOW synchronous_commit").fetchone()
        assert told == {"synchronous_commit": "off" if derived else "on"}
    pool.close()


@contextmanager
def _hurried(store: PostgresStore, timeout: str) -> Iterator[PostgresSession]:
    with store._session(ALICE, write=True) as session:
        session._connection.execute(f"SET LOCAL {timeout} = '20ms'".encode())
        yield session


def test_waiting_too_long_for_a_lock_is_busy(postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        entry = tx.entries.insert(entry_draft("n-1"))
    locked, done = Event(), Event()

    def hold() -> None:
        with postgres.write(ALICE) as tx:
            tx.entries.lock([entry.key])
            locked.set()
            done.wait(LONG_ENOUGH)

    holder = Thread(target=hold)
    holder.start()
    locked.wait(LONG_ENOUGH)
    with pytest.raises(StorageBusy), _hurried(postgres, "lock_timeout") as session:
        session.rows("lock_entries", keys=[entry.key])
    done.set()
    holder.join()


def test_nobody_waits_for_what_is_spent_last(postgres: PostgresStore) -> None:
    _spend(postgres)
    with postgres.write(ALICE) as tx:
        tx.usage.spend_last("m", "2026-01")
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_spend, postgres).result(LONG_ENOUGH)
    with postgres.read(ALICE) as tx:
        assert tx.usage.used("m", "2026-01") == 3


def test_nobody_waits_for_who_deletes_expired_answers(
    postgres: PostgresStore, clock: SteppingClock
) -> None:
    _claim(postgres, "old")
    clock.advance(60)
    with postgres.write(ALICE) as tx:
        assert tx.replays.claim("store", "a", tx.now + timedelta(minutes=1)) is None
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_claim, postgres, "b").result(LONG_ENOUGH)
    _claim(postgres, "old")


def _claim(store: PostgresStore, token: str) -> None:
    with store.write(ALICE) as tx:
        assert tx.replays.claim("store", token, tx.now + timedelta(minutes=1)) is None
        tx.replays.settle("store", token, {"id": token})


def _spend(store: PostgresStore) -> None:
    with store.write(ALICE) as tx:
        assert tx.usage.spend("m", "2026-01", limit=None)


def test_a_query_that_takes_too_long_is_busy(postgres: PostgresStore) -> None:
    with (
        pytest.raises(StorageBusy),
        _hurried(postgres, "statement_timeout") as session,
        gate(),
    ):
        session._connection.execute(b"SELECT pg_sleep(60)")


@pytest.mark.parametrize(
    ("state", "named"),
    [
        ("CP001", TenantMissing),
        ("23505", Conflict),
        ("53100", StorageFull),
        ("40001", StorageBusy),
        ("40P01", StorageBusy),
        ("57P01", StorageUnavailable),
        ("XX001", StorageError),
        ("23514", StorageError),
    ],
)
def test_every_failure_has_a_name(address: str, state: str, named: type[CommonplaceError]) -> None:
    raising = f"DO $$ BEGIN RAISE EXCEPTION 'secret' USING ERRCODE = '{state}'; END $$"
    with pytest.raises(named) as caught, connect(address) as connection, gate():
        connection.execute(raising.encode())
    assert "secret" not in str(caught.value)
    assert isinstance(caught.value.__cause__, psycopg.Error)
