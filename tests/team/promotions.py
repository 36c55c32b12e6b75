"""Promotions under load, one after the other: what was acknowledged, and what came of it."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import quantiles

from pydantic import SecretStr

from commonplace.settings import Settings
from tests.surfaces.clients import Caller
from tests.surfaces.processes import Processes
from tests.team.calls import Agents
from tests.team.patroni import PatroniTeam
from tests.waiting import eventually


@dataclass(frozen=True, slots=True)
class Promotions:
    """`pauses`: for how many seconds nothing was written, each time a primary was killed."""

    acknowledged: Mapping[str, str]
    lost: list[str]
    errors: Counter[str]
    waits: set[int]
    ended: list[int | None]
    pauses: list[float]

    def percentile(self, percent: int) -> float:
        return quantiles(self.pauses, n=100, method="inclusive")[percent - 1]


def promoted(times: int, team: PatroniTeam, processes: Processes, settings: Settings) -> Promotions:
    """Two servers and a worker go on while the primary is killed again and again."""
    team.leader().database("team")
    settings = settings.model_copy(update={"database_url": SecretStr(team.address("team"))})
    servers = [processes.serve(settings) for _ in range(2)]
    started = [*(server.process for server in servers), processes.worker(settings)]
    callers = [processes.connect(server.mcp) for server in servers]
    callers[0].call("store_knowledge", title="First", body="harvest")
    _until_embedded(callers[0])
    agents, pauses = Agents(callers), []
    with agents.calling():
        for _ in range(times):
            agents.wait_for(5)
            team.until_safe()
            killed = time.monotonic()
            team.fail_over()
            agents.wait_for(5)
            pauses.append(agents.longest_pause(killed))
    _until_embedded(callers[0])
    return Promotions(
        acknowledged=agents.acknowledged,
        lost=_lost(callers[0], agents.acknowledged),
        errors=agents.errors,
        waits=agents.waits,
        ended=[process.poll() for process in started],
        pauses=pauses,
    )


def _until_embedded(caller: Caller) -> None:
    eventually(lambda: caller.call("search_knowledge", query="harvest")["pending"] == 0)


def _lost(caller: Caller, acknowledged: Mapping[str, str]) -> list[str]:
    """What was promised and is not there, or not as it was."""
    return [
        id
        for id, title in acknowledged.items()
        if caller.read(f"commonplace://knowledge/{id}").get("title") != title
    ]
