"""What goes wrong with PostgreSQL: lost connections, no server, no rights; and recovery."""

from __future__ import annotations

import threading

import psycopg
import pytest

from commonplace.errors import Conflict, StorageError, StorageSetupRequired, StorageUnavailable
from commonplace.model.query import Filter
from commonplace.storage.port import Store
from tests.generate import ALICE, entry_draft, put_chunk
from tests.stores import Database, MakeDatabase, PostgresDatabases, SteppingClock, open_store

LONG_ENOUGH = 30.0


@pytest.fixture
def database(make_database: MakeDatabase) -> Database:
    return make_database("postgres")


def cut_all_connections(database: Database) -> None:
    with psycopg.connect(database.address, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )


def write_while_connections_are_cut(store: Store, database: Database) -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("lost"))
        cut_all_connections(database)
        tx.entries.insert(entry_draft("never sent"))


def test_a_connection_lost_in_the_middle_writes_nothing(database: Database) -> None:
    store = database.open()
    with pytest.raises(StorageUnavailable):
        write_while_connections_are_cut(store, database)
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 0
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("kept"))
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 1


def test_connections_lost_between_transactions_are_replaced(database: Database) -> None:
    store = database.open()
    for number in range(3):
        with store.write(ALICE) as tx:
            tx.entries.insert(entry_draft(f"n-{number}"))
        cut_all_connections(database)
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 3


def test_waiting_for_work_survives_a_lost_connection(database: Database) -> None:
    waiting, writing = database.open(), database.open()
    assert waiting.due_work() == []
    waiting.await_work(0.01)
    cut_all_connections(database)
    woken: list[bool] = []

    def wait() -> None:
        woken.append(waiting.await_work(LONG_ENOUGH))

    thread = threading.Thread(target=wait)
    thread.start()
    with writing.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
    thread.join()
    assert woken == [True]


def test_no_server_is_said_clearly() -> None:
    with pytest.raises(StorageUnavailable):
        open_store("postgresql://nobody@127.0.0.1:1/nothing", SteppingClock())


def test_a_user_without_rights_is_told_what_an_administrator_must_do(
    postgres_databases: PostgresDatabases,
) -> None:
    postgres_databases.administer("CREATE ROLE plain LOGIN")
    address = postgres_databases.bare().replace("//postgres:@", "//plain@")
    with pytest.raises(StorageSetupRequired, match="CREATE EXTENSION vector"):
        open_store(address, SteppingClock())


def test_a_failed_statement_fails_the_transaction(database: Database) -> None:
    """Whoever catches the error inside must not believe that the rest was written."""
    store = database.open()
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with pytest.raises(StorageError):
        carry_on_after_an_error(store)
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-2") is None


def carry_on_after_an_error(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-2"))
        with pytest.raises(Conflict):
            tx.entries.insert(entry_draft("n-1"))
