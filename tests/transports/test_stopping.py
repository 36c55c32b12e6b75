"""Progress, cancellation and the deadline, through official clients on both transports and eras."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from mcp import Client
from mcp.client.stdio import stdio_client

from commonplace.application import Application, LazyApplication, local_actor
from commonplace.bootstrap import build
from commonplace.model.query import Filter
from commonplace.settings import Settings
from commonplace.surfaces import call as wrapper
from commonplace.surfaces.notes.tools import NOTES
from commonplace.surfaces.turns import Turns
from tests.transports.serving import FIXTURE, PATIENCE, Served, logged_statuses, stdio_parameters
from tests.waiting import patiently

Connect = Callable[[], Client]
ERAS = ["legacy", "2026-07-28"]


class House:
    """A server with its database and its log, and how to reach it; shows what is new in them."""

    def __init__(self, connect: Connect, home: Path, log: Path) -> None:
        self.connect = connect
        self.database = home / "commonplace.db"
        self._log = log
        self._old_lines = len(log.read_text())
        self._old_titles = len(self._titles()) if self.database.exists() else 0

    def wait_for_statuses(self, tool: str, expected: list[str]) -> None:
        for _ in patiently():
            if self._statuses(tool) == expected:
                return
        assert self._statuses(tool) == expected

    def titles(self) -> list[str]:
        return self._titles()[self._old_titles :]

    def _statuses(self, tool: str) -> list[str]:
        return logged_statuses(self._log, tool, self._old_lines)

    def _titles(self) -> list[str]:
        with closing(sqlite3.connect(self.database)) as connection:
            rows = connection.execute("SELECT title FROM entries ORDER BY key")
            return [title for (title,) in rows]


@pytest.fixture(params=["stdio", "http"])
def house(request: pytest.FixtureRequest, tmp_path: Path, era: str) -> Iterator[House]:
    if request.param == "http":
        server: Served = request.getfixturevalue("fixture_server")
        yield House(partial(Client, server.endpoint, mode=era), server.home, server.log)
        return
    home, log = tmp_path / "home", tmp_path / "log"
    with log.open("w") as stderr:
        transport = stdio_client(stdio_parameters(FIXTURE, home), errlog=stderr)
        yield House(partial(Client, transport, mode=era), home, log)


async def stop_when_begun(client: Client, tool: str, arguments: dict[str, Any]) -> None:
    """Call, and give up as soon as the server says that the work has begun."""
    begun = anyio.Event()

    async def heard(progress: float, total: float | None, message: str | None) -> None:
        begun.set()

    async with anyio.create_task_group() as group:
        group.start_soon(partial(client.call_tool, tool, arguments, progress_callback=heard))
        with anyio.fail_after(PATIENCE):
            await begun.wait()
        group.cancel_scope.cancel()


@pytest.mark.parametrize("era", ERAS)
def test_progress_reaches_the_client_from_the_working_thread(house: House) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def scenario() -> None:
        async with house.connect() as client:
            await client.call_tool("test_tool_with_progress", {}, progress_callback=hear)

    anyio.run(scenario)
    assert heard == [(done, 100, f"{done} of 100") for done in (0, 50, 100)]


@pytest.mark.parametrize("era", ERAS)
def test_a_cancelled_call_stops_working(house: House) -> None:
    async def scenario() -> None:
        async with house.connect() as client:
            await stop_when_begun(client, "waits", {})
            await to_thread.run_sync(house.wait_for_statuses, "waits", ["call.cancelled"])
            again = await client.call_tool("test_simple_text", {})
            assert not again.is_error

    anyio.run(scenario)


@pytest.mark.parametrize("era", ERAS)
def test_a_store_that_is_cancelled_while_held_up_writes_nothing(house: House) -> None:
    """Somebody else writes meanwhile, so the store has begun but cannot have finished."""
    note = {"title": "Never", "body": "Nobody should ever read this."}

    async def scenario() -> None:
        async with house.connect() as client:
            kept = {"title": "Kept", "body": "Stored before."}
            await client.call_tool("store_knowledge", kept)
            with closing(sqlite3.connect(house.database, isolation_level=None)) as other:
                other.execute("BEGIN IMMEDIATE")
                await stop_when_begun(client, "stores_later", note)
                await client.list_tools()
                other.execute("ROLLBACK")
            stopped = ["call.cancelled"]
            await to_thread.run_sync(house.wait_for_statuses, "stores_later", stopped)

    anyio.run(scenario)
    assert house.titles() == ["Kept"]


@pytest.mark.parametrize("era", ERAS)
def test_the_same_store_left_alone_is_written(house: House) -> None:
    async def scenario() -> None:
        async with house.connect() as client:
            await client.call_tool("stores_later", {"title": "Written", "body": "Left alone."})
            await to_thread.run_sync(house.wait_for_statuses, "stores_later", ["ok"])

    anyio.run(scenario)
    assert house.titles() == ["Written"]


def test_a_call_past_its_deadline_writes_nothing(tmp_path: Path) -> None:
    hurried = replace(NOTES.tools[0], deadline_seconds=-1.0)
    settings = Settings(home=tmp_path, worker=False)
    application = LazyApplication(lambda: build(settings))
    seen: list[str] = []
    caller = wrapper.Caller(
        actor=local_actor(settings, "test"),
        progress=lambda _done, _total, _message: None,
        observe=lambda _tool, status, _seconds: seen.append(status),
        turns=Turns(),
    )
    given = {"title": "Late", "body": "Too late."}
    call = partial(wrapper.call_tool, application, NOTES, hurried, given, caller)
    try:
        answer = anyio.run(call)
        assert answer.failed
        assert answer.structure is not None
        assert answer.structure["error"]["code"] == "call.deadline_exceeded"
        assert seen == ["call.deadline_exceeded"]
        assert _count(application.get()) == 0
    finally:
        application.close()


def _count(application: Application) -> int:
    actor = application.local_actor("test")
    return application.knowledge.page(actor, Filter(), 10)[1]
