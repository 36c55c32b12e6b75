"""Several servers on one store, and what outlives them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from anyio.from_thread import BlockingPortal

from commonplace.settings import Settings
from tests.surfaces.clients import Caller, Connections
from tests.surfaces.institutional.steps import (
    EMBED,
    RECORD,
    capture,
    captured_id,
    data,
    delete,
    found,
    get,
    listed,
    page,
    update,
)
from tests.surfaces.nearness import near
from tests.surfaces.processes import STORES_AND_TRANSPORTS, Processes

EACH = 50
# A search shows twenty at most, so that is how many a project gets.
PROJECTS = 5


@pytest.mark.requirement("institutional.expect.persistence", "institutional.get.last-accessed-set")
def test_items_outlive_the_server(
    processes: Processes, portal: BlockingPortal, wired: Settings
) -> None:
    """One server is killed, one ends with its client; each has written, changed and deleted."""
    with ExitStack() as first:
        connect = Connections(portal, first)
        servers = doomed, ending = [processes.stdio(wired, connect=connect) for _ in range(2)]
        close, far = (
            captured_id(server.caller, content=near(percent), tags=["kept"])
            for server, percent in zip(servers, (90, 40), strict=True)
        )
        for server in servers:
            delete(server.caller, captured_id(server.caller, content=near(95)))
        update(ending.caller, far, summary="Changing")
        shown = update(doomed.caller, far, summary="Changed")
        assert get(doomed.caller, far)["access_count"] == 0
        data(doomed.caller, RECORD, id="detect-1", feedback="confirm", confidence=0.9)
        data(ending.caller, RECORD, id="detect-2", feedback="confirm", confidence=0.9)
        doomed.kill()
    again = processes.stdio(wired).caller
    assert found(again, "anything") == [close, far]
    counts = data(again, EMBED)
    assert (counts["generated"], counts["skipped"]) == (0, 2)
    kept = get(again, far)
    assert {name: kept[name] for name in shown} == shown
    assert kept["access_count"] == 2
    assert set(listed(again, tags=["kept"])) == {close, far}
    said = data(again, RECORD, id="detect-3", feedback="reject", confidence=0.9)
    assert said["stats"]["total"] == 3


def write(caller: Caller, name: str) -> list[str]:
    return [
        str(capture(caller, summary=f"{name} {n}", project=f"project-{n % PROJECTS}")["id"])
        for n in range(EACH)
    ]


@pytest.mark.requirement("institutional.expect.two-processes")
@pytest.mark.parametrize(("dialect", "transport"), STORES_AND_TRANSPORTS)
def test_two_servers_share_one_store(processes: Processes, wired: Settings, transport: str) -> None:
    if transport == "http":
        callers = [processes.connect(processes.http(wired)) for _ in range(2)]
    else:
        callers = [processes.stdio(wired).caller for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        written = list(pool.map(write, callers, ["one", "two"]))
    everything = {id for ids in written for id in ids}
    assert len(everything) == 2 * EACH
    for caller in callers:
        assert page(caller, limit=1)["total"] == 2 * EACH
        assert set(listed(caller, limit=100)) == everything
        projects = [f"project-{n}" for n in range(PROJECTS)]
        hits = [found(caller, "anything", project=name, limit=20) for name in projects]
        assert {id for ids in hits for id in ids} == everything
