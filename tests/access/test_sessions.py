"""Sessions of MCP: counted when they are opened, and so many of one caller at most."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import httpx
from starlette.types import Message, Receive, Scope, Send

from commonplace.model.access import Grant
from commonplace.model.actor import ALL_SCOPES
from commonplace.server.gate.visitors import Visitor, attach_visitor
from commonplace.server.mcp.bounded_sessions import MAX_SESSIONS, BoundedSessions
from commonplace.settings import Settings
from tests.access.house import House, house

_JSON = {"accept": "application/json, text/event-stream"}
_PARAMS = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "by-hand", "version": "1"},
}


def initialize(opened: House, token: str | None = None) -> httpx.Response:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": _PARAMS}
    return opened.send("POST", "/mcp", token, json=message, headers=_JSON)


def ping(opened: House, token: str | None, session: str) -> int:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    headers = _JSON | {"mcp-session-id": session}
    return opened.send("POST", "/mcp", token, json=message, headers=headers).status_code


def test_opening_a_session_is_a_call(tmp_path: Path) -> None:
    with house(Settings(home=tmp_path, worker=False, rate_limit=5)) as opened:
        token, other = opened.token(), opened.token()
        statuses = [initialize(opened, token).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert initialize(opened, other).status_code == 200


def test_the_session_longest_unused_makes_room_for_another_of_the_same_token(
    tmp_path: Path,
) -> None:
    with house(Settings(home=tmp_path, worker=False, rate_limit=10_000)) as opened:
        loud, quiet = opened.token(), opened.token(agent="bob")
        theirs = initialize(opened, quiet).headers["mcp-session-id"]
        first, second = (initialize(opened, loud).headers["mcp-session-id"] for _ in range(2))
        for _ in range(MAX_SESSIONS - 2):
            assert initialize(opened, loud).status_code == 200
        assert ping(opened, loud, first) == 200, "used now, so the second is the oldest"
        assert initialize(opened, loud).status_code == 200
        assert [ping(opened, loud, id) for id in (first, second)] == [200, 404]
        assert ping(opened, quiet, theirs) == 200, "another token has room of its own"


class Table:
    """Stands where the SDK stands: opens sessions, and keeps calls waiting while told to."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.wait = anyio.Event()
        self._opened = 0

    async def __call__(self, scope: Scope, _receive: Receive, send: Send) -> None:
        headers = dict(scope["headers"])
        id = headers.get(b"mcp-session-id", b"")
        if scope["method"] == "DELETE":
            self.ended.append(id.decode())
        elif not id:
            self._opened += 1
            id = str(self._opened).encode()
        else:
            await self.wait.wait()
        start = {"type": "http.response.start", "status": 200, "headers": [(SESSION, id)]}
        await send(start)
        await send({"type": "http.response.body", "body": b""})


SESSION = b"mcp-session-id"


async def ask(app: BoundedSessions, session: str | None = None, method: str = "POST") -> int:
    headers = [(SESSION, session.encode())] if session else []
    scope: dict[str, Any] = {"type": "http", "method": method, "path": "/mcp", "headers": headers}
    attach_visitor(scope, Visitor(Grant("acme", "ada", ALL_SCOPES, "tok_1")))
    seen: list[Message] = []

    async def send(message: Message) -> None:
        seen.append(message)

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    await app(scope, receive, send)
    status: int = seen[0]["status"]
    return status


def test_a_session_at_work_is_not_ended_and_one_that_its_client_ends_makes_room() -> None:
    async def scenario() -> None:
        table = Table()
        app = BoundedSessions(table, limit=2)
        assert [await ask(app), await ask(app)] == [200, 200]
        async with anyio.create_task_group() as group:
            for id in ("1", "2"):
                group.start_soon(ask, app, id)
            await anyio.wait_all_tasks_blocked()
            assert (await ask(app), table.ended) == (429, [])
            table.wait.set()
        assert (await ask(app), table.ended) == (200, ["1"])
        assert await ask(app, "2", "DELETE") == 200
        assert (await ask(app), table.ended) == (200, ["1", "2"])

    anyio.run(scenario)
