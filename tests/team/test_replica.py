"""Searches on streaming replicas: they see what was stored before, wherever they are answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.errors import ReplicaLost
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import Filter, SearchRequest
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from commonplace.storage.port import Transaction
from commonplace.storage.port.searches import retry_lost_replica
from commonplace.storage.postgres import replicas
from commonplace.storage.postgres.store import PostgresStore
from tests.stores import SteppingClock
from tests.team.cluster import Cluster, Standby, running_cluster
from tests.waiting import eventually

ALICE = Actor("acme", "alice")
CUT = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


class Team:
    """A primary with two replicas, and two servers on them."""

    def __init__(self, database: str, standbys: list[Standby]) -> None:
        self.standbys = standbys
        self.database = database
        self.addresses = [standby.address(database) for standby in standbys]
        self.servers: list[Application] = []
        self._stored = 0

    def store_and_find(self) -> None:
        """Stored by one server, found at once by the other, in turns."""
        self._stored += 1
        writing, reading = self.servers[self._stored % 2], self.servers[1 - self._stored % 2]
        content = EntryContent(title=f"Entry {self._stored}", body=f"harvest{self._stored}")
        stored = writing.knowledge.add(ALICE, EntryKind.NOTE, content)
        request = SearchRequest(f"harvest{self._stored}", limit=50)
        hits = reading.retrieval.search(ALICE, request).hits
        assert stored.id in {hit.entry.id for hit in hits if hit.entry}

    def answered(self) -> tuple[int, int]:
        """By the primary and by replicas, of both servers together."""
        found = [server.status.vitals().replication for server in self.servers]
        return sum(f.on_primary for f in found), sum(f.on_replicas for f in found)

    def connected(self, number: int) -> int:
        """How many connections there are to a replica, besides the one that asks."""
        with psycopg.connect(self.addresses[number], autocommit=True) as connection:
            row = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
                "AND usename IS NOT NULL AND pid <> pg_backend_pid()"
            ).fetchone()
        assert row is not None
        return int(row[0])

    def command(self, number: int, sql: str) -> None:
        with psycopg.connect(self.addresses[number], autocommit=True) as connection:
            connection.execute(sql.encode())


@pytest.fixture(scope="module")
def followed() -> Iterator[tuple[Cluster, list[Standby]]]:
    with running_cluster() as primary, ExitStack() as stack:
        yield primary, [stack.enter_context(primary.standby()) for _ in range(2)]


@pytest.fixture
def team(
    followed: tuple[Cluster, list[Standby]], settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Team]:
    monkeypatch.setattr(replicas, "_PAUSE_SECONDS", 0.2)
    primary, standbys = followed
    team = Team(primary.database(), standbys)
    told = {
        "database_url": SecretStr(team.database),
        "replica_url": SecretStr(" ".join(team.addresses)),
    }
    for _ in range(2):
        team.servers.append(build(settings.model_copy(update=told)))
    yield team
    for server in team.servers:
        server.close()


def test_what_one_server_stored_another_finds_on_any_replica(team: Team) -> None:
    for _ in range(10):
        team.store_and_find()
    primary, replica = team.answered()
    assert replica > primary
    assert team.connected(0) > 1, "the positions are asked there, and searches go there"
    assert team.connected(1) > 1


def test_the_share_of_searches_that_leave_the_primary_is_a_metric(team: Team) -> None:
    team.store_and_find()
    team.store_and_find()
    meter = CallMeter()
    meter.watch(team.servers[0].status.vitals)
    shown = meter.exposition()[0].decode()
    assert 'commonplace_searches_total{by="replica"}' in shown
    assert 'commonplace_searches_total{by="primary"}' in shown
    assert 'commonplace_replicas{state="present"} 2.0' in shown


def test_a_replica_that_lags_is_not_asked(team: Team) -> None:
    team.store_and_find()
    for number in range(2):
        team.command(number, "SELECT pg_wal_replay_pause()")
    before = team.answered()
    for _ in range(3):
        team.store_and_find()
    assert team.answered()[1] == before[1], "what neither shows comes from the primary"
    team.command(1, "SELECT pg_wal_replay_resume()")
    eventually(lambda: _leaves_the_primary(team))
    team.command(0, "SELECT pg_wal_replay_resume()")
    team.store_and_find()


def _leaves_the_primary(team: Team) -> bool:
    before = team.answered()
    team.store_and_find()
    return team.answered()[1] > before[1]


def test_replicas_are_lost_and_found_while_searches_go_on(team: Team) -> None:
    team.store_and_find()
    for standby in team.standbys:
        standby.stop()
    for _ in range(2):
        team.store_and_find()
    for standby in team.standbys:
        standby.start()
    eventually(lambda: _leaves_the_primary(team))


def test_a_search_that_loses_its_replica_is_answered_by_another(team: Team) -> None:
    store = PostgresStore(team.database, SteppingClock(), 2, team.addresses)
    tries = 0

    def search() -> int:
        nonlocal tries
        tries += 1
        with store.search(ALICE) as tx:
            if tries == 1:
                for number in range(2):
                    team.command(number, CUT)
            return tx.entries.count(Filter())

    assert retry_lost_replica(search) == 0
    assert tries > 1
    with pytest.raises(ReplicaLost):
        eventually(lambda: _searched(store, team))
    store.close()


def _searched(store: PostgresStore, team: Team) -> bool:
    """Without anybody who tries again, as soon as a replica is asked again."""
    with store.search(ALICE) as tx:
        for number in range(2):
            team.command(number, CUT)
        _count(tx)
    return False


def _count(tx: Transaction) -> int:
    return tx.entries.count(Filter())


def test_without_any_replica_searches_go_on(cluster: Cluster, settings: Settings) -> None:
    told = {"replica_url": SecretStr("postgresql://nobody@127.0.0.1:1/nothing")}
    application = build(settings.model_copy(update=told))
    content = EntryContent(title="Entry", body="harvest")
    stored = application.knowledge.add(ALICE, EntryKind.NOTE, content)
    hits = application.retrieval.search(ALICE, SearchRequest("harvest")).hits
    assert [hit.entry.id for hit in hits if hit.entry] == [stored.id]
    application.close()


def test_a_replica_that_has_become_a_primary_is_none_any_more(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has a history of its own from then on, however far it has come."""
    with running_cluster() as primary, primary.standby() as standby:
        database = primary.database()
        store = PostgresStore(database, SteppingClock(), 2, [standby.address(database)])
        eventually(lambda: _asked_there(store))
        standby.promote()
        before = store.replication().on_replicas
        with store.search(ALICE) as tx:
            assert _count(tx) == 0
        assert store.replication().on_replicas == before
        store.close()


def _asked_there(store: PostgresStore) -> bool:
    with store.search(ALICE) as tx:
        _count(tx)
    return store.replication().on_replicas > 0
