"""Limits the MCP sessions of each caller; opening one more ends the least recently used.

A session takes memory until it times out. Without a limit per caller, one caller could exhaust the
limit for all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from uuid import uuid4

from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from commonplace.server.gate.visitors import visitor_of

MAX_SESSIONS = 100
SESSION_HEADER = "mcp-session-id"
_REVISION_HEADER = "mcp-protocol-version"


@dataclass(slots=True)
class _Sessions:
    """The sessions of one caller: id -> running calls, least recently used first."""

    calls: OrderedDict[str, int] = field(default_factory=OrderedDict)

    def idle(self) -> str | None:
        return next((id for id, calls in self.calls.items() if not calls), None)

    @contextmanager
    def in_use(self, id: str) -> Iterator[None]:
        self.calls[id] = self.calls.get(id, 0) + 1
        self.calls.move_to_end(id)
        try:
            yield
        finally:
            if id in self.calls:
                self.calls[id] -= 1


class BoundedSessions:
    """Wraps the SDK's session manager, which limits only the total over all callers."""

    def __init__(self, app: ASGIApp, limit: int = MAX_SESSIONS) -> None:
        self._app = app
        self._limit = limit
        self._of_callers: dict[str, _Sessions] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        grant = visitor_of(scope).grant
        caller = grant.counted_as if grant else ""
        sessions = self._of_callers.setdefault(caller, _Sessions())
        try:
            if _opens(scope):
                await self._open(sessions, scope, receive, send)
            else:
                await self._use(sessions, scope, receive, send)
        finally:
            if not sessions.calls:
                self._of_callers.pop(caller, None)

    async def _open(self, sessions: _Sessions, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a session. A placeholder reserves its place, so that concurrent requests count."""
        while len(sessions.calls) >= self._limit:
            id = sessions.idle()
            if id is None:
                await _refusal(self._limit)(scope, receive, send)
                return
            await self._end(sessions, scope, id)
        placeholder, opened = uuid4().hex, ""

        async def send_and_note_id(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened = MutableHeaders(scope=message).get(SESSION_HEADER, "")
            await send(message)

        try:
            with sessions.in_use(placeholder):
                await self._app(scope, receive, send_and_note_id)
        finally:
            del sessions.calls[placeholder]
            if opened:
                sessions.calls[opened] = 0

    async def _use(self, sessions: _Sessions, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on. Only POST counts as use: most clients keep a GET stream open."""
        id = Headers(scope=scope).get(SESSION_HEADER, "")
        if id not in sessions.calls or scope["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            with sessions.in_use(id):
                await self._app(scope, receive, send)
        if scope["method"] == "DELETE":
            sessions.calls.pop(id, None)

    async def _end(self, sessions: _Sessions, scope: Scope, id: str) -> None:
        """End a session with a DELETE request; its client gets 404 and opens another."""
        del sessions.calls[id]
        host_header = [(b"host", Headers(scope=scope).get("host", "").encode("latin-1"))]
        headers = [*host_header, (SESSION_HEADER.encode(), id.encode())]

        async def no_body() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def discard(_message: Message) -> None:
            pass

        await self._app({**scope, "method": "DELETE", "headers": headers}, no_body, discard)


def _opens(scope: Scope) -> bool:
    """Whether a request opens a session; newer protocol revisions have no sessions."""
    headers = Headers(scope=scope)
    revision = headers.get(_REVISION_HEADER)
    older = revision is None or revision in HANDSHAKE_PROTOCOL_VERSIONS
    return scope["method"] == "POST" and older and SESSION_HEADER not in headers


def _refusal(limit: int) -> JSONResponse:
    reason = f"This caller has {limit} sessions open, and all of them are in use."
    problem = {"code": -32600, "message": reason}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": problem}, 429, {"Retry-After": "1"})
