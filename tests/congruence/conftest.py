"""Both stores with the same population, created once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from commonplace.storage.port import Store
from commonplace.storage.postings.lists import PostingLists
from tests.congruence.population import populate
from tests.postings.library import AT_ONCE, post_all
from tests.stores import PostgresDatabases, SteppingClock, open_store

Pair = tuple[Store, Store]


@pytest.fixture(scope="session", params=["text index", "posting lists"])
def pair(
    request: pytest.FixtureRequest,
    postgres_databases: PostgresDatabases,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Pair]:
    """The pair of stores, once with their own text indexes and once with posting lists."""
    file = str(tmp_path_factory.mktemp("congruence") / "store.db")
    clock = SteppingClock()
    posted = request.param == "posting lists"
    stores = [
        open_store(address, clock, postings=PostingLists(AT_ONCE) if posted else None)
        for address in (file, postgres_databases.migrated())
    ]
    for store in stores:
        populate(store)
        if posted:
            assert post_all(store)
    yield stores[0], stores[1]
    for store in stores:
        store.close()
