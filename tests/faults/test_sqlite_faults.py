"""What goes wrong with an SQLite file: a clear error, nothing written by halves, and recovery."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from commonplace.errors import StorageBusy, StorageDamaged, StorageFull, StorageUnavailable
from commonplace.model.query import Filter
from commonplace.storage.sqlite import connections
from commonplace.storage.sqlite.store import SqliteStore
from tests.generate import ALICE, entry_draft
from tests.stores import ExactIndexes, SteppingClock

NORMAL, FULL = 1, 2


def opened(file: Path) -> SqliteStore:
    return SqliteStore(file, SteppingClock(), indexes=ExactIndexes)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


@pytest.fixture
def store(file: Path) -> Iterator[SqliteStore]:
    store = opened(file)
    yield store
    store.close()


def insert(store: SqliteStore, id: str, body: str = "body") -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft(id, body=body))


def count(store: SqliteStore) -> int:
    with store.read(ALICE) as tx:
        return tx.entries.count(Filter())


def test_a_file_that_is_no_database(file: Path) -> None:
    file.write_bytes(b"These are notes, not a database. " * 100)
    with pytest.raises(StorageDamaged):
        opened(file)
    assert file.read_bytes().startswith(b"These are notes")


def test_a_folder_in_place_of_the_file(file: Path) -> None:
    file.mkdir()
    with pytest.raises(StorageUnavailable):
        opened(file)


def test_a_damaged_file(file: Path) -> None:
    store = opened(file)
    for number in range(200):
        insert(store, f"n-{number}", "text " * 50)
    store.close()
    content = bytearray(file.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    file.write_bytes(content)
    with pytest.raises(StorageDamaged):
        count(opened(file))


def test_a_lock_that_is_held_too_long(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    store = opened(file)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageBusy):
            insert(store, "n-1")
        assert count(store) == 0
        other.execute("ROLLBACK")
    insert(store, "n-1")
    assert count(store) == 1
    store.close()


def test_a_purge_beside_a_reader_says_what_is_left(
    file: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connections, "BUSY_SECONDS", 0.05)
    store = opened(file)
    insert(store, "n-1")
    with closing(sqlite3.connect(file, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM entries").fetchone()
        store.scrub()
        reader.execute("ROLLBACK")
    told = ["erased text stays in the file while others read an older state of it"]
    assert [record.getMessage() for record in caplog.records] == told
    store.scrub()
    assert len(caplog.records) == 1
    store.close()


def test_a_full_disk(store: SqliteStore) -> None:
    """The limit is of the connection that the store keeps for its writes."""
    insert(store, "n-1")
    with store._pool.connection(write=True) as connection:
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages + 10}")
    with pytest.raises(StorageFull):
        insert(store, "n-2", "x" * 1_000_000)
    assert count(store) == 1
    with store.read(ALICE) as tx:
        assert len(tx.changes.since(0, 10)) == 1
    with store._pool.connection(write=True) as connection:
        connection.execute("PRAGMA max_page_count = 1000000")
    insert(store, "n-2", "x" * 1_000_000)
    assert count(store) == 2


def test_only_derived_state_is_not_flushed_before_it_is_acknowledged(store: SqliteStore) -> None:
    for derived in (False, True, False):
        with store.write(ALICE, derived=derived) as tx:
            tx.usage.spend_last("m", "2030-01", 1)
        with store._pool.connection(write=True) as connection:
            (level,) = connection.execute("PRAGMA synchronous").fetchone()
        assert level == (NORMAL if derived else FULL)
    with store.read(ALICE) as tx:
        assert tx.usage.used("m", "2030-01") == 3


def test_an_error_keeps_its_cause(file: Path) -> None:
    file.write_bytes(b"not a database" * 100)
    with pytest.raises(StorageDamaged) as caught:
        opened(file)
    assert isinstance(caught.value.__cause__, sqlite3.DatabaseError)
