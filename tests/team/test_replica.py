"""Searches on a streaming replica: they see what was stored before, wherever they are answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import psycopg
import pytest
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import SearchRequest
from commonplace.settings import Settings
from tests.team.cluster import Cluster

ALICE = Actor("acme", "alice")


class Installation:
    """The product with a replica, and how it is followed."""

    def __init__(self, application: Application, replica: str) -> None:
        self._application = application
        self._replica = replica
        self._stored = 0

    def store_and_find(self) -> None:
        """Each entry at once, by a search that comes right after it."""
        self._stored += 1
        content = EntryContent(title=f"Entry {self._stored}", body=f"harvest{self._stored}")
        stored = self._application.knowledge.add(ALICE, EntryKind.NOTE, content)
        request = SearchRequest(f"harvest{self._stored}", limit=50)
        hits = self._application.retrieval.search(ALICE, request).hits
        assert stored.id in {hit.entry.id for hit in hits if hit.entry}

    def replica_reads(self) -> int:
        """How many transactions the replica has ended; its counters lag, so wait for them."""
        with psycopg.connect(self._replica, autocommit=True) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND usename IS NOT NULL AND pid <> pg_backend_pid()"
            ).fetchone()
        assert row is not None
        return int(row[0])

    def command(self, sql: str) -> None:
        with psycopg.connect(self._replica, autocommit=True) as connection:
            connection.execute(sql.encode())


@pytest.fixture
def installation(cluster: Cluster, settings: Settings) -> Iterator[Installation]:
    assert settings.database_url
    build(settings).close()
    with cluster.follower(settings.database_url.get_secret_value()) as replica:
        application = build(settings.model_copy(update={"replica_url": SecretStr(replica)}))
        try:
            yield Installation(application, replica)
        finally:
            application.close()


@pytest.fixture
def elsewhere(cluster: Cluster, settings: Settings) -> Callable[[str], Application]:
    return lambda replica: build(settings.model_copy(update={"replica_url": SecretStr(replica)}))


def test_searches_go_to_the_replica_and_see_what_was_just_stored(
    installation: Installation,
) -> None:
    for _ in range(10):
        installation.store_and_find()
    assert installation.replica_reads() > 0, "somebody is connected to the replica"


def test_a_replica_that_lags_is_not_asked(installation: Installation) -> None:
    installation.store_and_find()
    installation.command("SELECT pg_wal_replay_pause()")
    for _ in range(3):
        installation.store_and_find()
    installation.command("SELECT pg_wal_replay_resume()")
    installation.store_and_find()


def test_without_the_replica_searches_go_on(
    elsewhere: Callable[[str], Application],
) -> None:
    application = elsewhere("postgresql://nobody@127.0.0.1:1/nothing")
    try:
        Installation(application, "").store_and_find()
    finally:
        application.close()
