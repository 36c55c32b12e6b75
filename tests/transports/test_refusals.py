"""Official clients whose calls are refused: the model reads why, and the session goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from tests.cli.commands import run_process
from tests.transports.node import run_node
from tests.transports.serving import PRODUCT, Served, served

LIMIT = 4
STORE = {"title": "Never", "body": "Nobody should ever read this."}
SEARCH = {"query": "anything"}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    with served(PRODUCT, tmp_path, COMMONPLACE_RATE_LIMIT_READ=str(LIMIT)) as running:
        yield running


def reader(server: Served) -> str:
    told = {"COMMONPLACE_HOME": str(server.home)}
    made = run_process(
        told,
        *("token", "create", "--new-org", "--org", "acme", "--agent", "ada"),
        *("--scopes", "knowledge:read", "--json"),
    )
    token: str = made.document["token"]
    return token


def check(tools: set[str], unscoped: dict[str, Any], searches: list[dict[str, Any]]) -> None:
    assert "search_knowledge" in tools
    assert "store_knowledge" not in tools
    problem = unscoped["structuredContent"]["error"]
    assert (unscoped["isError"], problem["code"]) == (True, "auth.insufficient_scope")
    assert "knowledge:write" in problem["message"]
    refused = [answer for answer in searches if answer.get("isError")]
    assert 0 < len(refused) < len(searches)
    assert refused == searches[-len(refused) :]
    limited = refused[0]["structuredContent"]["error"]
    assert (limited["code"], limited["retryAfter"] > 0) == ("rate.limited", True)


@pytest.mark.parametrize("era", ["legacy", "2026-07-28"])
def test_the_python_client(server: Served, era: str) -> None:
    headers = {"Authorization": f"Bearer {reader(server)}"}
    searches: list[dict[str, Any]] = []

    async def scenario() -> None:
        async with httpx2.AsyncClient(headers=headers) as http:
            transport = streamable_http_client(server.endpoint, http_client=http)
            async with Client(transport, mode=era) as client:
                listed = await client.list_tools()
                unscoped = await client.call_tool("store_knowledge", STORE)
                for _ in range(LIMIT + 2):
                    answer = await client.call_tool("search_knowledge", SEARCH)
                    searches.append(answer.model_dump(by_alias=True))
                check(
                    {tool.name for tool in listed.tools},
                    unscoped.model_dump(by_alias=True),
                    searches,
                )
                assert (await client.list_tools()).tools == listed.tools

    anyio.run(scenario)


@pytest.mark.parametrize("generation", ["v1", "v2"])
def test_the_typescript_clients(
    node: None, server: Served, tmp_path: Path, generation: str
) -> None:
    where = {"url": server.endpoint, "token": reader(server), "calls": LIMIT + 2}
    done = run_node("refusals.mjs", generation, json.dumps(where), home=tmp_path)
    assert done.code == 0, done.output
    report = json.loads(done.printed)
    check(set(report["tools"]), report["unscoped"], report["answers"])
    assert report["again"] == len(report["tools"])


def test_clients_that_look_for_oauth_find_none_and_say_so(
    node: None, server: Served, tmp_path: Path
) -> None:
    """An error as an object is none to them, and people read of ZodErrors."""
    reader(server)
    done = run_node("discovery.mjs", json.dumps({"url": server.endpoint}), home=tmp_path)
    assert done.code == 0, done.output
    found = json.loads(done.printed)
    assert found["issuer"] is None
    assert "does not implement" in found["resource"]
    assert "Nothing is at this address" in found["registered"]
    assert "ZodError" not in done.output
    assert "Invalid OAuth error" not in done.output
