"""One process with many MCP clients: python -m benchmarks.load.clients PLAN, a JSON object.

Each client calls on a connection of its own, without a pause; or calls begin at a rate that is
held whatever the servers do, and count from the moment at which they should have begun.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

VOCABULARY = (
    "harvest orchard lantern granite meadow copper timber anchor pepper violet compass barrel "
    "thunder ribbon saddle quartz index cache replica lease token schema queue worker"
)
_PATIENCE_SECONDS = 120.0
_BUSY = "server.busy"


@dataclass(frozen=True, slots=True)
class Plan:
    """What one process does; a token goes into the header where servers ask for one.

    `rate` is how many calls begin in a second; without one, as many as are answered.
    """

    addresses: list[str]
    clients: int
    seconds: float
    seed: int
    token: str = ""
    rate: float = 0.0


@dataclass(slots=True)
class Record:
    """Seconds per operation, what was acknowledged, how many were refused, and every error."""

    seconds: dict[str, list[float]] = field(default_factory=dict)
    acknowledged: dict[str, str] = field(default_factory=dict)
    refused: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


class Agent:
    """One client: of ten calls three store, four search, two read, one lists."""

    def __init__(
        self, client: Client, dice: random.Random, record: Record, known: list[str]
    ) -> None:
        self._client = client
        self._dice = dice
        self._record = record
        # What any client of this process has stored.
        self._known = known

    async def call(self, started: float | None = None) -> None:
        """A call that should have begun then, or begins now."""
        started = time.monotonic() if started is None else started
        chosen = self._dice.random()
        if chosen < 0.3 or not self._known:
            await self._store(started)
        elif chosen < 0.7:
            await self._timed(started, "search", "search_knowledge", query=self._words(2))
        elif chosen < 0.9:
            await self._read(started)
        else:
            await self._timed(started, "list", "list_knowledge", limit=20)

    async def _store(self, started: float) -> None:
        title = f"{self._words(3)} {self._dice.getrandbits(64):x}"
        body = f"{self._words(60)}."
        stored = await self._timed(started, "store", "store_knowledge", title=title, body=body)
        if stored is not None:
            self._record.acknowledged[stored["id"]] = title
            self._known.append(stored["id"])

    async def _read(self, started: float) -> None:
        try:
            await self._client.read_resource(uri_of(self._dice.choice(self._known)))
        except MCPError as error:
            self._failed("read", started, (error.error.data or {}).get("code"), repr(error))
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted as an error
            self._record.errors.append(f"read: {error!r}")
            return
        self._note("read", started)

    async def _timed(
        self, started: float, name: str, tool: str, **given: Any
    ) -> dict[str, Any] | None:
        try:
            result = await self._client.call_tool(tool, given)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is counted as an error
            self._record.errors.append(f"{name}: {error!r}")
            return None
        answer: dict[str, Any] = result.structured_content or {}
        if result.is_error:
            self._failed(name, started, _code_of(answer), str(answer))
            return None
        self._note(name, started)
        return answer

    def _failed(self, name: str, started: float, code: str | None, told: str) -> None:
        if code == _BUSY:
            self._record.refused.append(time.monotonic() - started)
        else:
            self._record.errors.append(f"{name}: {told}")

    def _note(self, name: str, started: float) -> None:
        self._record.seconds.setdefault(name, []).append(time.monotonic() - started)

    def _words(self, count: int) -> str:
        return " ".join(self._dice.choices(VOCABULARY.split(), k=count))


def _code_of(answer: dict[str, Any]) -> str | None:
    """The dialects have their codes in different places."""
    error = answer.get("error")
    code: str | None = error.get("code") if isinstance(error, dict) else answer.get("code")
    return code


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
    record, known = Record(), list[str]()
    async with AsyncExitStack() as stack:
        agents = [
            Agent(
                await stack.enter_async_context(
                    connected(plan.addresses[number % len(plan.addresses)], plan.token)
                ),
                random.Random(plan.seed + number),
                record,
                known,
            )
            for number in range(plan.clients)
        ]
        await (_at_a_rate(plan, agents) if plan.rate else _without_a_pause(plan, agents))
    return record


async def _without_a_pause(plan: Plan, agents: list[Agent]) -> None:
    deadline = time.monotonic() + plan.seconds

    async def one(agent: Agent) -> None:
        while time.monotonic() < deadline:
            await agent.call()

    async with anyio.create_task_group() as group:
        for agent in agents:
            group.start_soon(one, agent)


async def _at_a_rate(plan: Plan, agents: list[Agent]) -> None:
    """Calls begin on time, whether or not those before them were answered."""
    began = time.monotonic()
    async with anyio.create_task_group() as group:
        for number in range(int(plan.rate * plan.seconds)):
            due = began + number / plan.rate
            await anyio.sleep(max(0.0, due - time.monotonic()))
            group.start_soon(agents[number % len(agents)].call, due)


def main() -> None:
    record = anyio.run(_run, Plan(**json.loads(sys.argv[1])))
    print(json.dumps(asdict(record)))


if __name__ == "__main__":
    main()
