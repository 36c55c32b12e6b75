"""The primary is killed under calls and a standby takes its place: nobody is restarted for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from pydantic import SecretStr

from commonplace.errors import StorageBusy, StorageUnavailable
from commonplace.settings import Settings
from commonplace.storage.postgres.connections import Connections, reaching
from commonplace.storage.postgres.migrate import migrate
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import ALICE, entry_draft
from tests.stores import SteppingClock
from tests.surfaces.processes import Processes
from tests.team.calls import Agents, assert_kept
from tests.team.cluster import Cluster, Standby, either, running_cluster
from tests.waiting import eventually

CLEAR = {"storage.unavailable", "storage.busy"}
WAITS_FOR_BOTH = "ALTER SYSTEM SET synchronous_standby_names = '*'"
FOLLOWED = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"

CANCEL_WAITING = """
    SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'
"""


class Pair:
    """A primary that acknowledges nothing which its standby has not got."""

    def __init__(self, primary: Cluster, standby: Standby) -> None:
        self.primary, self.standby = primary, standby
        self.database = primary.database()
        self.address = either(self.database, standby.address(self.database))

    def insist_on_both(self) -> None:
        self.primary.command(WAITS_FOR_BOTH)
        self.primary.command("SELECT pg_reload_conf()")
        eventually(self._both_keep)

    def fail_over(self) -> None:
        self.primary.kill()
        self.standby.promote()

    def _both_keep(self) -> bool:
        return self.primary.asked(FOLLOWED) == 1


@pytest.fixture
def pair() -> Iterator[Pair]:
    with running_cluster() as primary, primary.standby() as standby:
        yield Pair(primary, standby)


def test_what_was_acknowledged_is_on_the_standby_that_takes_over(
    pair: Pair, processes: Processes, settings: Settings
) -> None:
    settings = settings.model_copy(update={"database_url": SecretStr(pair.address)})
    servers = [processes.serve(settings) for _ in range(2)]
    worker = processes.worker(settings)
    callers = [processes.connect(server.mcp) for server in servers]
    callers[0].call("store_knowledge", title="First", body="harvest")
    eventually(lambda: callers[0].call("search_knowledge", query="harvest")["pending"] == 0)
    pair.insist_on_both()
    agents = Agents(callers)
    with agents.calling():
        agents.wait_for(5)
        pair.fail_over()
        agents.wait_for(10)
    assert agents.errors.keys() <= CLEAR
    assert all(agents.waits), "each error says when to try again"
    assert [server.process.poll() for server in servers] == [None, None]
    assert worker.poll() is None
    assert_kept(callers[0], agents.acknowledged)


def test_leases_and_work_are_found_by_whoever_listened(pair: Pair) -> None:
    listening, writing = (PostgresStore(pair.address, SteppingClock(), 2) for _ in range(2))
    assert listening.due_work() == []
    assert writing.take_lease("reading", "holder", 60.0)
    pair.insist_on_both()
    pair.fail_over()
    eventually(lambda: _written(writing))
    assert not listening.take_lease("reading", "another", 60.0)
    assert listening.renew_lease("reading", "holder", 60.0)
    eventually(lambda: _hears(listening))
    listening.close()
    writing.close()


def _written(store: PostgresStore) -> bool:
    try:
        with store.write(ALICE) as tx:
            tx.entries.insert(entry_draft("n-1"))
    except (StorageUnavailable, StorageBusy):
        return False
    return True


def _hears(store: PostgresStore) -> bool:
    try:
        return store.await_work(0.05)
    except StorageUnavailable:
        return False


def _add_org(connections: Connections) -> None:
    with connections.transaction(write=True, org="acme") as connection:
        connection.execute(b"INSERT INTO orgs VALUES ('acme', 1)")


def _spend_last(store: PostgresStore) -> None:
    with store.write(ALICE) as tx:
        tx.usage.spend_last("m", "2026-01")


@pytest.mark.parametrize("write", [lambda store: _add_org(store._connections), _spend_last])
def test_a_write_that_the_standby_did_not_confirm_is_not_acknowledged(
    cluster: Cluster, settings: Settings, write: Callable[[PostgresStore], None]
) -> None:
    """PostgreSQL that is told to wait no longer for a standby commits, and only warns."""
    assert settings.database_url
    store = PostgresStore(settings.database_url.get_secret_value(), SteppingClock(), 1)
    cluster.command("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    cluster.command("SELECT pg_reload_conf()")
    try:
        with ThreadPoolExecutor(1) as pool:
            adding = pool.submit(write, store)
            eventually(lambda: cluster.asked(CANCEL_WAITING) == 1)
            with pytest.raises(StorageUnavailable, match="did not confirm"):
                adding.result()
    finally:
        cluster.command("ALTER SYSTEM RESET synchronous_standby_names")
        cluster.command("SELECT pg_reload_conf()")
        store.close()


def test_a_standby_is_not_written_to(pair: Pair) -> None:
    """Where an address leads to a server that has not taken over yet."""
    migrate(pair.database)
    connections = Connections(pair.standby.address(pair.database), 1)
    with pytest.raises(StorageUnavailable), connections.transaction(write=True):
        pytest.fail("a standby took a write")
    pair.fail_over()
    _add_org(connections)
    connections.close()


def test_an_address_decides_and_is_completed() -> None:
    several = reaching("postgresql://me@one,two/knowledge")
    assert several["target_session_attrs"] == "read-write"
    assert several["tcp_user_timeout"] > 0
    chosen = reaching(
        "postgresql://me@one,two/knowledge?target_session_attrs=any&keepalives_idle=3"
    )
    assert (chosen["target_session_attrs"], chosen["keepalives_idle"]) == ("any", "3")
    assert "target_session_attrs" not in reaching("postgresql://me@one/knowledge")
