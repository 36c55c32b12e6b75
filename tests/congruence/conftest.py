"""Both stores with the same population, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonplace.storage.port import Store
from tests.congruence.population import populate
from tests.stores import PostgresDatabases, SteppingClock, open_store

Pair = tuple[Store, Store]


@pytest.fixture(scope="session")
def pair(
    postgres_databases: PostgresDatabases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Pair]:
    file = str(tmp_path_factory.mktemp("congruence") / "store.db")
    clock = SteppingClock()
    stores = (open_store(file, clock), open_store(postgres_databases.migrated(), clock))
    for store in stores:
        populate(store)
    yield stores
    for store in stores:
        store.close()
