"""How many sessions of MCP a caller may have open: for one more, the one longest unused goes.

A session costs memory until it has been idle for long; without a bound for each, one caller could
take all the room that there is for sessions.
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

MOST_SESSIONS = 100
SESSION_HEADER = "mcp-session-id"
_REVISION_HEADER = "mcp-protocol-version"


@dataclass(slots=True)
class _Sessions:
    """Of one caller: by id, how many calls each has under way; the one longest unused first."""

    calls: OrderedDict[str, int] = field(default_factory=OrderedDict)

    def idle(self) -> str | None:
        return next((id for id, calls in self.calls.items() if not calls), None)

    @contextmanager
    def at_work(self, id: str) -> Iterator[None]:
        self.calls[id] = self.calls.get(id, 0) + 1
        self.calls.move_to_end(id)
        try:
            yield
        finally:
            if id in self.calls:
                self.calls[id] -= 1


class BoundedSessions:
    """Before the SDK's own table of sessions, whose only bound is one for all callers together."""

    def __init__(self, app: ASGIApp, most: int = MOST_SESSIONS) -> None:
        self._app = app
        self._most = most
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
        """Takes its place before it is opened, so that many at once do not slip through."""
        while len(sessions.calls) >= self._most:
            id = sessions.idle()
            if id is None:
                await _refusal(self._most)(scope, receive, send)
                return
            await self._end(sessions, scope, id)
        place, opened = uuid4().hex, ""

        async def noting(message: Message) -> None:
            nonlocal opened
            if message["type"] == "http.response.start" and message["status"] < 400:
                opened = MutableHeaders(scope=message).get(SESSION_HEADER, "")
            await send(message)

        try:
            with sessions.at_work(place):
                await self._app(scope, receive, noting)
        finally:
            del sessions.calls[place]
            if opened:
                sessions.calls[opened] = 0

    async def _use(self, sessions: _Sessions, scope: Scope, receive: Receive, send: Send) -> None:
        """Who only listens on a stream does no work: most clients do, all the time."""
        id = Headers(scope=scope).get(SESSION_HEADER, "")
        if id not in sessions.calls or scope["method"] != "POST":
            await self._app(scope, receive, send)
        else:
            with sessions.at_work(id):
                await self._app(scope, receive, send)
        if scope["method"] == "DELETE":
            sessions.calls.pop(id, None)

    async def _end(self, sessions: _Sessions, scope: Scope, id: str) -> None:
        """Ends a session as its client would, who learns of it and opens another."""
        del sessions.calls[id]
        kept = [(b"host", Headers(scope=scope).get("host", "").encode("latin-1"))]
        headers = [*kept, (SESSION_HEADER.encode(), id.encode())]

        async def nothing() -> Message:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def unheard(_message: Message) -> None:
            pass

        await self._app({**scope, "method": "DELETE", "headers": headers}, nothing, unheard)


def _opens(scope: Scope) -> bool:
    """Whether a session would come of it: requests of newer revisions carry what they need."""
    headers = Headers(scope=scope)
    revision = headers.get(_REVISION_HEADER)
    older = revision is None or revision in HANDSHAKE_PROTOCOL_VERSIONS
    return scope["method"] == "POST" and older and SESSION_HEADER not in headers


def _refusal(most: int) -> JSONResponse:
    reason = f"This caller has {most} sessions open, and all of them are at work."
    problem = {"code": -32600, "message": reason}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": problem}, 429, {"Retry-After": "1"})
