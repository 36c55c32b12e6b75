"""One process with many MCP clients: python -m benchmarks.load.clients PLAN, a JSON object.

Each client calls without a pause, on a connection of its own. What was asked, how long it took and
what was acknowledged is printed as JSON when the time is over.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import anyio
import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

VOCABULARY = (
    "harvest orchard lantern granite meadow copper timber anchor pepper violet compass barrel "
    "thunder ribbon saddle quartz index cache replica lease token schema queue worker"
)
_PATIENCE_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process does; a token goes into the header where servers ask for one."""

    addresses: list[str]
    clients: int
    seconds: float
    seed: int
    token: str = ""


@dataclass(slots=True)
class Record:
    """Seconds per operation, what was acknowledged, and every error."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)


class Agent:
    """One client: of ten calls three store, four search, two read, one lists."""

    def __init__(self, client: Client, dice: random.Random, record: Record) -> None:
        self._client = client
        self._dice = dice
        self._record = record
        self._known: list[str] = []

    async def call(self) -> None:
        chosen = self._dice.random()
        if chosen < 0.3 or not self._known:
            await self._store()
        elif chosen < 0.7:
            await self._timed("search", "search_knowledge", query=self._words(2))
        elif chosen < 0.9:
            await self._read()
        else:
            await self._timed("list", "list_knowledge", limit=20)

    async def _store(self) -> None:
        title = f"{self._words(3)} {self._dice.getrandbits(64):x}"
        body = f"{self._words(60)}."
        stored = await self._timed("store", "store_knowledge", title=title, body=body)
        if stored is not None:
            self._record.acknowledged[stored["id"]] = title
            self._known.append(stored["id"])

    async def _read(self) -> None:
        started = time.monotonic()
        try:
            await self._client.read_resource(uri_of(self._dice.choice(self._known)))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted as an error
            self._record.errors.append(f"read: {error!r}")
        self._note("read", started)

    async def _timed(self, name: str, tool: str, **given: Any) -> dict[str, Any] | None:
        started = time.monotonic()
        try:
            result = await self._client.call_tool(tool, given)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted as an error
            self._record.errors.append(f"{name}: {error!r}")
            return None
        self._note(name, started)
        if result.is_error:
            self._record.errors.append(f"{name}: {result.structured_content}")
            return None
        answer: dict[str, Any] | None = result.structured_content
        return answer

    def _note(self, name: str, started: float) -> None:
        self._record.seconds.setdefault(name, []).append(time.monotonic() - started)

    def _words(self, count: int) -> str:
        return " ".join(self._dice.choices(VOCABULARY.split(), k=count))


def uri_of(id: str) -> str:
    return f"commonplace://knowledge/{id}"


@asynccontextmanager
async def connected(address: str, token: str) -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with httpx2.AsyncClient(headers=headers, timeout=_PATIENCE_SECONDS) as http:
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with Client(transport, cache=None, read_timeout_seconds=_PATIENCE_SECONDS) as client:
            yield client


async def _run(plan: Plan) -> Record:
    record = Record()

    async def one(number: int, deadline: float) -> None:
        address = plan.addresses[number % len(plan.addresses)]
        async with connected(address, plan.token) as client:
            agent = Agent(client, random.Random(plan.seed + number), record)
            while time.monotonic() < deadline:
                await agent.call()

    async with anyio.create_task_group() as group:
        for number in range(plan.clients):
            group.start_soon(one, number, time.monotonic() + plan.seconds)
    return record


def main() -> None:
    record = anyio.run(_run, Plan(**json.loads(sys.argv[1])))
    print(json.dumps(asdict(record)))


if __name__ == "__main__":
    main()
