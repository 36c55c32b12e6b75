"""Patroni promotes again and again under load: what was acknowledged stays, nobody is restarted."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from statistics import quantiles

import pytest
from pydantic import SecretStr

from commonplace.settings import Settings
from tests.surfaces.processes import Processes
from tests.team.calls import Agents, assert_kept
from tests.team.patroni import PatroniTeam, patroni_team
from tests.waiting import eventually

CLEAR = {"storage.unavailable", "storage.busy"}
PROMOTIONS = 20
_LOG = logging.getLogger(__name__)


@pytest.fixture
def team() -> Iterator[PatroniTeam]:
    with patroni_team() as team:
        yield team


@pytest.mark.soak
def test_twenty_promotions_under_load(
    team: PatroniTeam, processes: Processes, settings: Settings
) -> None:
    team.leader().database("team")
    settings = settings.model_copy(update={"database_url": SecretStr(team.address("team"))})
    servers = [processes.serve(settings) for _ in range(2)]
    worker = processes.worker(settings)
    callers = [processes.connect(server.mcp) for server in servers]
    callers[0].call("store_knowledge", title="First", body="harvest")
    eventually(lambda: callers[0].call("search_knowledge", query="harvest")["pending"] == 0)
    agents, pauses = Agents(callers), []
    with agents.calling():
        for _ in range(PROMOTIONS):
            agents.wait_for(5)
            team.until_safe()
            killed = time.monotonic()
            team.fail_over()
            agents.wait_for(5)
            pauses.append(agents.longest_pause(killed))
    _LOG.info(_told(agents, pauses))
    assert agents.errors.keys() <= CLEAR
    assert all(agents.waits), "each error says when to try again"
    assert [server.process.poll() for server in servers] == [None, None]
    assert worker.poll() is None
    assert_kept(callers[0], agents.acknowledged)


def _told(agents: Agents, pauses: list[float]) -> str:
    in_order = quantiles(pauses, n=20)
    return (
        f"{len(pauses)} promotions: {len(agents.acknowledged)} writes acknowledged, errors "
        f"{dict(agents.errors)}, seconds without writes p50 {in_order[9]:.1f}, "
        f"p95 {in_order[18]:.1f}, longest {max(pauses):.1f}"
    )
