"""PostgreSQL goes away under calls and comes back: clear errors, nothing lost, no hand needed."""

from __future__ import annotations

import pytest

from commonplace.bootstrap import build
from commonplace.errors import StorageUnavailable
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.settings import Settings
from tests.stores import START
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import Processes
from tests.team.calls import Agents, assert_kept
from tests.team.cluster import Cluster
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint
from tests.waiting import eventually, let_pass

CLEAR = {"storage.unavailable", "storage.busy"}
# A call waits this long for a connection, and then says that there is none.
LONGEST_CALL = 45.0


@pytest.mark.parametrize("seconds", [3.0, pytest.param(20.0, marks=pytest.mark.soak, id="soak")])
def test_the_database_goes_away_and_comes_back(
    cluster: Cluster, processes: Processes, settings: Settings, seconds: float
) -> None:
    servers = [processes.serve(settings) for _ in range(2)]
    worker = processes.worker(settings)
    callers = [processes.connect(s.mcp) for s in servers for _ in range(2)]
    # A worker that starts without a database ends, for its supervisor to start it again.
    callers[0].call("store_knowledge", title="First", body="harvest")
    eventually(lambda: callers[0].call("search_knowledge", query="harvest")["pending"] == 0)
    agents = Agents(callers)
    with agents.calling():
        agents.wait_for(5)
        cluster.stop()
        try:
            agents.wait_for_errors()
            let_pass(seconds)
        finally:
            cluster.start()
        agents.wait_for(10)
    assert agents.errors.keys() <= CLEAR
    assert all(agents.waits), "each error says when to try again"
    assert agents.longest < LONGEST_CALL
    assert [server.process.poll() for server in servers] == [None, None]
    assert worker.poll() is None
    assert_kept(callers[0], agents.acknowledged)


def test_what_a_worker_had_claimed_waits_for_nobody(cluster: Cluster, settings: Settings) -> None:
    """The clock stands still: no claim ever runs out."""
    alice, stops = Actor("acme", "alice"), [cluster.stop]

    def stopping(asked: Asked) -> Answered:
        while stops:
            stops.pop()()
        return answer(asked)

    with local_endpoint(stopping) as endpoint:
        product = build(settings.model_copy(update=embedded_at(endpoint.url)), lambda: START)
        content = EntryContent(title="Note", body="harvest")
        product.knowledge.add(alice, EntryKind.NOTE, content)
        worker = product.new_worker()
        with pytest.raises(StorageUnavailable):
            worker.drain(60)
        cluster.start()
        assert worker.drain(60)
        assert product.status.of_org(alice).chunks.pending == 0
        product.close()
