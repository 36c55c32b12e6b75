"""Everything goes through pgbouncer in transaction mode: no session is anybody's own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from psycopg.rows import dict_row

from commonplace.model.query import Filter
from commonplace.storage.port.leases import hold_lease
from commonplace.storage.postgres.backups import PostgresBackups
from commonplace.storage.postgres.canonical import PostgresRows
from commonplace.storage.postgres.connections import commit, connect, is_pooled, keep_no_session
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, entry_draft, put_chunk
from tests.pgbouncer import Pooler, pooler
from tests.stores import PostgresDatabases, SteppingClock

# More often than the driver waits for before it would prepare a statement.
OFTEN = 12
LEFT_BEHIND = """
    SELECT current_setting('role') AS role, current_setting('search_path') AS path,
           coalesce(current_setting('commonplace.org', true), '') AS org,
           current_setting('statement_timeout') AS patience,
           (SELECT count(*) FROM pg_prepared_statements) AS prepared,
           (SELECT count(*) FROM pg_listening_channels()) AS channels,
           (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS locks
"""
CLEAN = ("none", '"$user", public', "", "0", 0, 0, 0)


@pytest.fixture(scope="module")
def pooled(postgres_databases: PostgresDatabases) -> Iterator[Pooler]:
    with pooler(postgres_databases.migrated()) as running:
        yield running


@pytest.fixture
def through(pooled: Pooler, postgres_databases: PostgresDatabases) -> str:
    """A database that nobody has migrated, through the pooler."""
    return pooled.address(postgres_databases.bare())


def test_a_pooler_is_noticed(through: str, address: str) -> None:
    with connect(through) as pooled, connect(address) as direct:
        assert is_pooled(pooled)
        assert not is_pooled(direct)


def test_stores_share_sessions_and_leave_nothing_in_them(through: str) -> None:
    """Two stores with four connections each, on two sessions of the server."""
    stores = [PostgresStore(through, SteppingClock(), 4) for _ in range(2)]
    for number in range(OFTEN):
        for name, store in zip("ab", stores, strict=True):
            with store.write(ALICE) as tx, hold_lease(store, f"lease-{name}", 60.0) as lease:
                assert lease
                tx.entries.insert(entry_draft(f"{name}-{number}"))
                put_chunk(tx, number + 100 * ord(name), f"text {number}")
            with store.search(ALICE) as tx:
                assert tx.entries.get(f"{name}-{number}") is not None
    with stores[1].read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 2 * OFTEN
    stores[0].scrub()
    assert _left_in(through) == {CLEAN}
    for store in stores:
        store.close()


def test_nothing_is_sent_after_a_commit(through: str, tmp_path: Path) -> None:
    """It could arrive when the session is lent on, and would take another one from everybody."""
    file = tmp_path / "messages"
    with (
        psycopg.connect(through, row_factory=dict_row) as connection,
        file.open("w", encoding="utf-8") as messages,
    ):
        keep_no_session(connection)
        connection.pgconn.trace(messages.fileno())
        commit(connection, [lambda: connection.execute("SELECT 1")])
        connection.pgconn.untrace()
    lines = file.read_text(encoding="utf-8").splitlines()
    sent = [line.split("\t")[3:] for line in lines if "\tF\t" in line]
    assert sent[-1] == ["Query", ' "COMMIT"']


def _left_in(through: str) -> set[tuple[object, ...]]:
    """Of both sessions: two transactions at once need both."""
    with psycopg.connect(through) as one, psycopg.connect(through) as other:
        found = [c.execute(LEFT_BEHIND).fetchone() for c in (one, other)]
    return {row for row in found if row is not None}


def test_whoever_waits_for_work_finds_it_unheard(through: str) -> None:
    waiting, writing = (PostgresStore(through, SteppingClock(), 2) for _ in range(2))
    assert waiting.due_work() == []
    assert not waiting.await_work(0.01)
    with writing.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
    assert waiting.await_work(0.01)
    assert [one.org for one in waiting.due_work()] == [ALICE.org]
    waiting.close()
    writing.close()


def test_what_an_operator_does_goes_through_it_too(
    through: str, pooled: Pooler, postgres_databases: PostgresDatabases, tmp_path: Path
) -> None:
    store, now = PostgresStore(through, SteppingClock(), 2), datetime(2030, 1, 1, tzinfo=UTC)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    file = tmp_path / "all.backup"
    assert PostgresBackups(through, lambda: now).back_up(file, "test").counts["entries"] == 1
    with PostgresRows(through, lambda: now).reading() as records:
        (entries,) = [table for table in records.tables() if table.name == "entries"]
        assert [row["id"] for row in records.rows(entries, ALICE.org)] == ["n-1"]
    other = pooled.address(postgres_databases.bare())
    PostgresBackups(other, lambda: now).restore(file, replace=False)
    restored = PostgresStore(other, SteppingClock(), 2)
    with restored.read(ALICE) as tx:
        assert tx.entries.get("n-1") is not None
    assert _left_in(through) == _left_in(other) == {CLEAN}
    store.close()
    restored.close()
