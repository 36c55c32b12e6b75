"""The two ways to ask the `documents` dialect: as MCP tools and as JSON-RPC methods.

Decides how a call travels and how its error is read; what the answer should be is the test's.
"""

from __future__ import annotations

import json
from typing import Any, Protocol

import httpx
from anyio.from_thread import BlockingPortal
from starlette.applications import Starlette

from tests.surfaces.clients import Caller

SEARCH = "knowledge.search"
LIST = "knowledge.list"
GET = "knowledge.get"
INVALID_PARAMS = -32602
NOT_FOUND = -32001
JSON = {"Content-Type": "application/json"}


class Asker(Protocol):
    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        """The result of a call that must succeed."""
        ...

    def refusal(self, method: str, /, **params: Any) -> dict[str, Any]:
        """The error of a call that must fail."""
        ...


class ToolAsker:
    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        return self._caller.call(method, **params)

    def refusal(self, method: str, /, **params: Any) -> dict[str, Any]:
        return self._caller.refusal(method, **params)


class HttpAsker:
    """Sends whole HTTP requests to the application, without a network in between."""

    def __init__(self, portal: BlockingPortal, app: Starlette, token: str) -> None:
        self._portal = portal
        self._client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app),
            base_url="http://127.0.0.1",
            headers={"Authorization": f"Bearer {token}"},
        )

    def send(self, method: str, path: str, **request: Any) -> httpx.Response:
        async def send() -> httpx.Response:
            return await self._client.request(method, path, **request)

        return self._portal.call(send)

    def post(self, body: Any) -> httpx.Response:
        """To the JSON-RPC address; bytes go as they are."""
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.send("POST", "/rpc", content=content, headers=JSON)

    def ask(self, method: str, params: Any) -> dict[str, Any]:
        request = {"jsonrpc": "2.0", "method": method, "params": params, "id": 7}
        answer: dict[str, Any] = self.post(request).json()
        assert (answer["jsonrpc"], answer["id"]) == ("2.0", 7)
        return answer

    def call(self, method: str, /, **params: Any) -> dict[str, Any]:
        answer = self.ask(method, params)
        assert answer.keys() == {"jsonrpc", "result", "id"}, answer
        result: dict[str, Any] = answer["result"]
        return result

    def refusal(self, method: str, /, **params: Any) -> dict[str, Any]:
        answer = self.ask(method, params)
        assert answer.keys() == {"jsonrpc", "error", "id"}, answer
        error: dict[str, Any] = answer["error"]
        return error


def refuse(asker: Asker, method: str, field: str, /, **params: Any) -> None:
    """The call fails as invalid params, and the reason names the field."""
    error = asker.refusal(method, **params)
    assert (error["code"], error["message"]) == (INVALID_PARAMS, "Invalid params")
    assert field in error["data"], error
