"""Servers are replaced one after the other while clients go on calling: not one call fails."""

from __future__ import annotations

import asyncio
import signal
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from commonplace.settings import Settings
from tests.surfaces.processes import HttpServer, Processes
from tests.team.balancer import balanced
from tests.waiting import eventually_async, let_others_run

NOTICE_SECONDS = 3.0
_BREATH_SECONDS = 0.1  # leaves the processor to the servers that start meanwhile
MODES = ("legacy", "2026-07-28")


@pytest.fixture
def patient(settings: Settings) -> Settings:
    return settings.model_copy(update={"shutdown_notice_seconds": NOTICE_SECONDS, "worker": True})


class Callers:
    """Clients that write and read all the time; whatever goes wrong ends the test."""

    def __init__(self, address: str, headers: dict[str, str]) -> None:
        self._address = address
        self._headers = headers
        self._stop = asyncio.Event()
        self.stored: dict[str, str] = {}
        self.calls: Counter[str] = Counter()

    @asynccontextmanager
    async def calling(self) -> AsyncIterator[None]:
        async with asyncio.TaskGroup() as group:
            for number in range(4):
                group.create_task(self._call(f"caller-{number}", MODES[number % len(MODES)]))
            yield
            self._stop.set()

    async def some(self, count: int) -> None:
        """Until so many more calls have been answered."""
        wanted = self.calls.total() + count
        await eventually_async(lambda: self.calls.total() >= wanted)

    async def _call(self, name: str, mode: str) -> None:
        async with connected(self._address, self._headers, mode) as client:
            while not self._stop.is_set():
                title = f"{name} {self.calls[name]}"
                given = {"title": title, "body": "harvest"}
                stored = await client.call_tool("store_knowledge", given)
                assert not stored.is_error, stored.content
                assert stored.structured_content is not None
                self.stored[stored.structured_content["id"]] = title
                found = await client.call_tool("search_knowledge", {"query": title})
                assert not found.is_error, found.content
                self.calls[name] += 2
                await let_others_run(_BREATH_SECONDS)


def test_no_call_fails_while_servers_are_replaced(
    processes: Processes, patient: Settings, portal: BlockingPortal
) -> None:
    running = [processes.serve(patient) for _ in range(2)]

    async def scenario() -> None:
        async with balanced(*(server.address for server in running)) as (balancer, address):
            callers = Callers(address, running[0].headers)
            async with callers.calling():
                for old in running:
                    await callers.some(20)
                    fresh = await replace_behind(balancer.servers, old)
                    await balancer.until_ready(fresh.address)
                await callers.some(20)
            await assert_all_kept(address, running[0].headers, callers.stored)

    async def replace_behind(listed: list[str], old: HttpServer) -> HttpServer:
        fresh = await asyncio.to_thread(processes.serve, patient)
        listed.append(fresh.address)
        old.process.send_signal(signal.SIGTERM)
        assert await asyncio.to_thread(old.process.wait, 60) == 0
        listed.remove(old.address)
        return fresh

    portal.call(scenario)


@asynccontextmanager
async def connected(address: str, headers: dict[str, str], mode: str) -> AsyncIterator[Client]:
    async with httpx2.AsyncClient(headers=headers, timeout=60.0) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, mode=mode, cache=None) as client:
            yield client


async def assert_all_kept(address: str, headers: dict[str, str], stored: dict[str, str]) -> None:
    async with connected(address, headers, MODES[0]) as client:
        for id, title in stored.items():
            (shown,) = (await client.read_resource(f"commonplace://knowledge/{id}")).contents
            assert title in shown.model_dump_json()
