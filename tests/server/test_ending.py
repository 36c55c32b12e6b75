"""A server that is told to stop finishes the calls that it has begun, and leaves nothing held."""

from __future__ import annotations

import signal
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import anyio
import httpx
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal

from commonplace.application import LazyApplication
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.server.gate.policy import access_policy
from commonplace.server.http import make_app
from commonplace.server.monitoring.meter import CallMeter
from commonplace.settings import Settings
from tests.surfaces.clients import Connections
from tests.surfaces.nearness import QUERY_PREFIX, answer, embedded_at
from tests.surfaces.processes import Processes
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint
from tests.waiting import eventually, let_others_run

_PATIENCE = 60.0
ALICE = Actor("acme", "alice")


class HeldUp:
    """A model that lets queries, or texts with a word, wait until it is told to go on."""

    def __init__(self, what: str = QUERY_PREFIX) -> None:
        self._what = what
        self.asked = threading.Event()
        self.goes_on = threading.Event()

    def __call__(self, asked: Asked) -> Answered:
        if any(self._what in text for text in asked.inputs):
            self.asked.set()
            self.goes_on.wait(_PATIENCE)
        return answer(asked)


@pytest.fixture(scope="module")
def portal() -> Iterator[BlockingPortal]:
    with start_blocking_portal() as portal:
        yield portal


def listening(address: str) -> bool:
    try:
        httpx.get(f"{address}/healthz", timeout=_PATIENCE)
    except httpx.TransportError:
        return False
    return True


@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_call_that_has_begun_is_answered_before_the_server_ends(
    tmp_path: Path, portal: BlockingPortal, mode: str
) -> None:
    """A client of an older revision listens on a stream meanwhile, which must not hold it up."""
    model = HeldUp()
    with ExitStack() as stack:
        endpoint = stack.enter_context(local_endpoint(model))
        processes = Processes(tmp_path, Connections(portal, stack), stack)
        settings = Settings(home=tmp_path / "home", **embedded_at(endpoint.url))
        server = processes.serve(settings)
        caller = processes.connect(server.mcp, mode=mode)
        caller.call("store_knowledge", title="Kept", body="nearness 90")
        with ThreadPoolExecutor(1) as pool:
            call = pool.submit(caller.call, "search_knowledge", query="kept")
            assert model.asked.wait(_PATIENCE)
            server.process.send_signal(signal.SIGTERM)
            eventually(lambda: not listening(server.address))
            model.goes_on.set()
            assert call.result(_PATIENCE)["count"] == 1
        assert server.process.wait(_PATIENCE) == 0
    with closing(sqlite3.connect(settings.database_file)) as connection:
        held = connection.execute("SELECT name FROM leases").fetchall()
    # That of the sweep says when it was done, and nobody waits for it.
    assert {name for (name,) in held} <= {"sweep"}


def test_while_it_goes_on_it_says_that_it_stops(tmp_path: Path, portal: BlockingPortal) -> None:
    with ExitStack() as stack:
        processes = Processes(tmp_path, Connections(portal, stack), stack)
        settings = Settings(home=tmp_path / "home", worker=False, shutdown_notice_seconds=600)
        server = processes.serve(settings)
        assert httpx.get(f"{server.address}/readyz", timeout=_PATIENCE).status_code == 200
        server.process.send_signal(signal.SIGTERM)

        def stopping() -> bool:
            said = httpx.get(f"{server.address}/readyz", timeout=_PATIENCE)
            return said.status_code == 503 and said.json() == {"status": "stopping"}

        eventually(stopping)
        alive = httpx.get(f"{server.address}/healthz", timeout=_PATIENCE)
        assert (alive.status_code, alive.headers["connection"]) == (200, "close")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(_PATIENCE) == 0


def test_the_loop_goes_on_while_the_worker_ends_its_batch(tmp_path: Path) -> None:
    """Only the loop lets the model answer, so a loop that waits for the worker waits in vain."""
    model = HeldUp("harvest")
    with local_endpoint(model) as endpoint:
        settings = Settings(home=tmp_path / "home", watch=False, **embedded_at(endpoint.url))
        lazy = LazyApplication(lambda: build(settings))
        policy = access_policy(settings, "127.0.0.1", 8765)
        app = make_app(lazy, settings, CallMeter(), policy)

        async def serve_and_stop() -> None:
            async with anyio.create_task_group() as group, app.router.lifespan_context(app):
                content = EntryContent(title="Kept", body="harvest")
                lazy.get().knowledge.add(ALICE, EntryKind.NOTE, content)
                await anyio.to_thread.run_sync(model.asked.wait, _PATIENCE)
                group.start_soon(_soon, model.goes_on)

        anyio.run(serve_and_stop)
        assert model.goes_on.is_set()
        assert "worker" not in {thread.name for thread in threading.enumerate()}
        assert lazy.get().status.of_org(ALICE).chunks.pending == 0
        lazy.close()


async def _soon(event: threading.Event) -> None:
    await let_others_run(0.1)
    event.set()
