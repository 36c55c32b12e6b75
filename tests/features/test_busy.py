"""A database that others keep busy for too long: a clear error, nothing half-written."""

from __future__ import annotations

import pytest

from commonplace.errors import StorageBusy
from commonplace.storage.port import Store
from tests.features.embedders import GramEmbedder
from tests.features.house import House
from tests.generate import ALICE
from tests.stores import MakeDatabase, SteppingClock

BUSY_SECONDS = 0.1


def test_a_writer_that_waits_too_long_for_the_file(
    make_database: MakeDatabase, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = make_database("sqlite")
    holder = database.open()
    monkeypatch.setattr("commonplace.storage.sqlite.connections.BUSY_SECONDS", BUSY_SECONDS)
    _busy_while_held(holder, House(database.open(), GramEmbedder(), clock))


def test_a_call_that_waits_too_long_for_a_connection(
    make_database: MakeDatabase, clock: SteppingClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    from commonplace.storage.postgres.store import PostgresStore

    monkeypatch.setattr("commonplace.storage.postgres.connections.CONNECT_SECONDS", 2)
    store = PostgresStore(make_database("postgres").address, clock, 1)
    _busy_while_held(store, House(store, GramEmbedder(), clock))
    store.close()


def _busy_while_held(holder: Store, house: House) -> None:
    with holder.write(ALICE), pytest.raises(StorageBusy):
        house.add("n-1")
    assert house.add("n-1").revision == 1
