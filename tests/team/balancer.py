"""A load balancer as small as can be: each connection goes to a server that says it is ready.

Where a connection is refused it tries another server, as they all do. It never repeats or changes
a request: what a server does to a connection that it has accepted, the client feels.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import httpx

from tests.waiting import eventually_async, let_others_run

_LOOK_SECONDS = 0.05


class Balancer:
    """Connections in turn to the servers that were ready when last asked."""

    def __init__(self) -> None:
        self.servers: list[str] = []
        self._ready: list[str] = []
        self._turns = itertools.count()

    async def watch(self) -> None:
        async with httpx.AsyncClient(timeout=5.0) as client:
            while True:
                self._ready = [s for s in list(self.servers) if await _ready(client, s)]
                await let_others_run(_LOOK_SECONDS)

    async def until_ready(self, server: str) -> None:
        await eventually_async(lambda: server in self._ready)

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, back = await self._connected()
        await asyncio.gather(_copy(reader, back), _copy(there, writer))

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        while True:
            server = httpx.URL(self._ready[next(self._turns) % len(self._ready)])
            try:
                return await asyncio.open_connection(server.host, server.port)
            except ConnectionRefusedError:
                await let_others_run(_LOOK_SECONDS)


async def _ready(client: httpx.AsyncClient, server: str) -> bool:
    try:
        return (await client.get(f"{server}/readyz")).status_code == httpx.codes.OK
    except httpx.HTTPError:
        return False


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def balanced(*servers: str) -> AsyncIterator[tuple[Balancer, str]]:
    """A balancer before these servers, and its address."""
    balancer = Balancer()
    balancer.servers.extend(servers)
    watching = asyncio.create_task(balancer.watch())
    listening = await asyncio.start_server(balancer.pass_on, "127.0.0.1", 0)
    try:
        for server in servers:
            await balancer.until_ready(server)
        host, port = listening.sockets[0].getsockname()[:2]
        yield balancer, f"http://{host}:{port}"
    finally:
        listening.close()
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
