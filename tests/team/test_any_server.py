"""Servers that share a database keep nothing for themselves: any of them answers any request."""

from __future__ import annotations

import itertools
import json
from typing import Any

import httpx
import httpx2
import pytest
from anyio.from_thread import BlockingPortal
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from typing_extensions import override

from tests.surfaces.processes import HttpServer

MODERN = "2026-07-28"
ACCEPT = {"Accept": "application/json, text/event-stream"}
NOTE = {"title": "Shared by all", "body": "Any server may be asked for this."}
EVERYTHING = {"force": True}
ITEM = {
    "summary": "Shared by all",
    "content": "Any server may be asked for this.",
    "type": "win",
    "project": "atlas",
    "file_context": "atlas.py",
}


class InTurn:
    """A client by hand that sends each request to another server than the one before."""

    def __init__(self, servers: list[HttpServer], revision: str) -> None:
        self._turns = itertools.cycle(servers)
        self._headers = ACCEPT | {"MCP-Protocol-Version": revision} | servers[0].headers
        self._ids = itertools.count(1)

    def send(self, method: str, **params: Any) -> httpx.Response:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if not method.startswith("notifications/"):
            message["id"] = next(self._ids)
        address = f"{next(self._turns).address}/mcp"
        return httpx.post(address, json=message, headers=self._headers, timeout=60.0)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        answer = self.send(method, **params)
        assert answer.status_code == 200, answer.text
        assert "mcp-session-id" not in answer.headers
        (line,) = [line for line in answer.text.splitlines() if line.startswith("data: {")]
        result: dict[str, Any] = json.loads(line.removeprefix("data: "))["result"]
        return result


@pytest.mark.parametrize("revision", HANDSHAKE_PROTOCOL_VERSIONS)
def test_each_request_of_a_handshake_may_reach_another_server(
    servers: list[HttpServer], revision: str
) -> None:
    client = InTurn(servers, revision)
    greeting = client.ask(
        "initialize",
        protocolVersion=revision,
        capabilities={},
        clientInfo={"name": "by-hand", "version": "1"},
    )
    assert greeting["protocolVersion"] == revision
    assert client.send("notifications/initialized").status_code == 202
    assert "store_knowledge" in {tool["name"] for tool in client.ask("tools/list")["tools"]}
    stored = client.ask("tools/call", name="store_knowledge", arguments=NOTE)
    uri = f"commonplace://knowledge/{json.loads(stored['content'][0]['text'])['id']}"
    for _ in servers:
        (shown,) = client.ask("resources/read", uri=uri)["contents"]
        assert json.loads(shown["text"])["title"] == NOTE["title"]


def test_there_is_nothing_to_listen_to_and_nothing_to_end(servers: list[HttpServer]) -> None:
    for server in servers:
        for method in ("GET", "DELETE"):
            headers = ACCEPT | server.headers
            answer = httpx.request(method, f"{server.address}/mcp", headers=headers, timeout=60.0)
            assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


class Alternating(httpx2.AsyncHTTPTransport):
    """Below the official client: every request goes to the next server."""

    def __init__(self, servers: list[HttpServer]) -> None:
        super().__init__()
        self._turns = itertools.cycle(httpx2.URL(server.address) for server in servers)

    @override
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        request.url = request.url.copy_with(port=next(self._turns).port)
        request.headers["host"] = request.url.netloc.decode()
        return await super().handle_async_request(request)


@pytest.mark.parametrize("mode", ["legacy", MODERN, "auto"])
def test_the_official_client_notices_nothing(
    servers: list[HttpServer], portal: BlockingPortal, mode: str
) -> None:
    heard: list[float] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(progress)

    async def scenario() -> None:
        beneath = Alternating(servers)
        headers = servers[0].headers
        async with httpx2.AsyncClient(transport=beneath, headers=headers, timeout=60.0) as http:
            transport = streamable_http_client(f"{servers[0].address}/mcp", http_client=http)
            async with Client(transport, mode=mode, cache=None) as client:
                kept = await client.call_tool("capture_knowledge", ITEM)
                assert kept.structured_content is not None
                id = kept.structured_content["data"]["id"]
                for _ in range(4):
                    shown = await client.call_tool("get_knowledge", {"id": id})
                    assert not shown.is_error
                await client.call_tool("generate_embeddings", EVERYTHING, progress_callback=hear)

    portal.call(scenario)
    assert heard, "progress is told by whoever answers"
