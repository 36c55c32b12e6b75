"""Shared by REST handlers: the actor, running work in a thread, errors as status and code."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from commonplace.application import Application, LazyApplication
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.model.actor import Actor, Scope
from commonplace.server.bodies import whole_body
from commonplace.server.gate.challenges import Challenger
from commonplace.server.gate.endpoints import plain_fault
from commonplace.server.gate.visitors import visitor_of
from commonplace.server.mcp.endpoint import client_name
from commonplace.settings import Settings
from commonplace.surfaces.arguments import refuse_unstorable
from commonplace.surfaces.call import require
from commonplace.surfaces.http_status import http_status
from commonplace.surfaces.turns import Turns

Result = TypeVar("Result")
Handler = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True)
class Rest:
    """Runs handlers for the visitor that the gate admitted."""

    lazy: LazyApplication
    settings: Settings
    challenger: Challenger
    turns: Turns

    def route(self, method: str, path: str, handler: Handler) -> Route:
        return Route(path, self._guarded(handler), methods=[method])

    def actor(self, request: Request, scope: Scope) -> Actor:
        client = client_name(request.headers.get("user-agent", ""))
        actor = visitor_of(request.scope).actor(self.settings, client)
        require(actor, scope)
        return actor

    async def read(self, actor: Actor, work: Callable[[Application], Result]) -> Result:
        return await self.turns.run(actor, lambda: work(self.lazy.get()), reads=True)

    async def write(self, actor: Actor, work: Callable[[Application], Result]) -> Result:
        return await self.turns.run(actor, lambda: work(self.lazy.get()), reads=False)

    def _guarded(self, handler: Handler) -> Handler:
        """Convert errors to a status, a stable code and a message."""

        async def guarded(request: Request) -> Response:
            try:
                refuse_unstorable(request.path_params)
                return await handler(request)
            except CommonplaceError as error:
                headers = self.challenger.headers(error)
                return JSONResponse(plain_fault(error), http_status(error), headers)
            except HTTPException as error:
                problem = {"code": InvalidArgument.code, "message": str(error.detail)}
                return JSONResponse({"error": problem}, status_code=error.status_code)

        return guarded


async def json_object(request: Request, max_bytes: int) -> dict[str, Any]:
    """The JSON object in the body, up to a size."""
    return object_of(await whole_body(request, max_bytes))


def object_of(body: bytes) -> dict[str, Any]:
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidArgument("The body must be JSON.") from None
    if not isinstance(document, dict):
        raise InvalidArgument("The body must be a JSON object.")
    return document
