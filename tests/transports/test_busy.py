"""More calls than a server can answer in time: some are refused at once, the session goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.commands import environment
from tests.stores import MakeDatabase
from tests.transports.serving import PRODUCT, served, stdio_parameters
from tests.transports.test_typescript_clients import token_for

CALLERS = 20
RESOURCE = "commonplace://knowledge/00000000-0000-4000-8000-000000000000"


@pytest.fixture
def settings(dialect: str, make_database: MakeDatabase, tmp_path: Path) -> dict[str, str]:
    """Nobody may wait for longer than a moment, so that a few dozen calls are too many."""
    told = {
        "COMMONPLACE_PATIENCE_SECONDS": "0.0001",
        "COMMONPLACE_RATE_LIMIT": "100000",
        "COMMONPLACE_HOME": str(tmp_path / "home"),
        "COMMONPLACE_WORKER": "false",
    }
    if dialect == "postgres":
        told["COMMONPLACE_DATABASE_URL"] = make_database(dialect).address
    return told


@asynccontextmanager
async def over_stdio(settings: dict[str, str], folder: Path) -> AsyncIterator[Client]:
    parameters = stdio_parameters(PRODUCT, folder / "home")
    parameters.env = environment(settings)
    async with Client(stdio_client(parameters)) as client:
        yield client


@asynccontextmanager
async def over_http(settings: dict[str, str], folder: Path) -> AsyncIterator[Client]:
    with served(PRODUCT, folder, **settings) as server:
        token = token_for("ada", settings)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(server.endpoint, http_client=http)
            async with Client(transport) as client:
                yield client


class Crowd:
    """Callers that do not wait for each other: two long questions, then an unknown entry."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self.answers: list[dict[str, Any]] = []
        self.unread: list[MCPError] = []

    async def call(self) -> None:
        async with anyio.create_task_group() as group:
            for number in range(CALLERS):
                group.start_soon(self._one, number)

    async def _one(self, number: int) -> None:
        self.answers.append(await search(self._client, 2 * number))
        self.answers.append(await search(self._client, 2 * number + 1))
        try:
            await self._client.read_resource(RESOURCE)
        except MCPError as problem:
            self.unread.append(problem)


async def search(client: Client, number: int) -> dict[str, Any]:
    """Long, and never the same: embedding it takes longer than sending the next one."""
    query = f"{number} " + "orchard lantern granite meadow " * 60
    answer = await client.call_tool("search_knowledge", {"query": query})
    return answer.model_dump(by_alias=True)


@pytest.mark.parametrize(
    ("dialect", "transport"),
    [("sqlite", over_stdio), ("postgres", over_http)],
    ids=["sqlite-stdio", "postgres-http"],
)
def test_who_comes_too_late_is_told_when_to_come_again(
    transport: Any, settings: dict[str, str], tmp_path: Path
) -> None:
    async def scenario() -> None:
        async with transport(settings, tmp_path) as client:
            crowd = Crowd(client)
            await crowd.call()
            refused = [answer for answer in crowd.answers if answer["isError"]]
            assert 0 < len(refused) < len(crowd.answers) == 2 * CALLERS
            for answer in refused:
                problem = answer["structuredContent"]["error"]
                assert problem["code"] == "server.busy"
                assert problem["retryAfter"] >= 1
                assert f"try again in {problem['retryAfter']} s" in problem["message"]
            assert len(crowd.unread) == CALLERS
            told = [problem.error.data for problem in crowd.unread if problem.error.data]
            assert {"code": "server.busy", "retryAfter": 1} in told
            assert not (await search(client, 2 * CALLERS))["isError"]

    anyio.run(scenario)
