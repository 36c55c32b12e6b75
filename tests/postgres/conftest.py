"""A new migrated database, and a store on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonplace.storage.postgres.store import PostgresStore
from tests.stores import PostgresDatabases, SteppingClock


@pytest.fixture
def address(postgres_databases: PostgresDatabases) -> str:
    return postgres_databases.migrated()


@pytest.fixture
def postgres(address: str, clock: SteppingClock) -> Iterator[PostgresStore]:
    store = PostgresStore(address, clock, 4)
    yield store
    store.close()
