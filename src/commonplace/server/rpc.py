"""JSON-RPC 2.0 for the methods of the `documents` dialect, single requests or batches."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from commonplace.application import LazyApplication
from commonplace.errors import SourceTooLarge
from commonplace.server.bodies import whole_body
from commonplace.server.gate.visitors import visitor_of
from commonplace.server.ids import is_id, shown_id
from commonplace.server.mcp.endpoint import client_name
from commonplace.settings import Settings
from commonplace.surfaces.call import Caller, Observe, call_tool
from commonplace.surfaces.documents.faults import (
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    problem,
)
from commonplace.surfaces.documents.tools import DOCUMENTS
from commonplace.surfaces.turns import Turns

LARGEST_BODY = 1_000_000
LARGEST_BATCH = 100
_VERSION = "2.0"
_METHODS = {tool.name: tool for tool in DOCUMENTS.tools}


@dataclass(frozen=True, slots=True)
class RpcEndpoint:
    """Answers JSON-RPC requests for the visitor that the gate admitted."""

    application: LazyApplication
    settings: Settings
    observe: Observe
    turns: Turns

    async def answer(self, request: Request) -> Response:
        caller = self._caller(request)
        try:
            message = json.loads(await whole_body(request, LARGEST_BODY))
        except (ValueError, RecursionError):
            return JSONResponse(_failed(None, PARSE_ERROR, "The body is not JSON."))
        except SourceTooLarge as error:
            return JSONResponse(_failed(None, INVALID_REQUEST, error.message), status_code=413)
        if not isinstance(message, list):
            return _answered(await self._answer(message, caller))
        if not 1 <= len(message) <= LARGEST_BATCH:
            reason = f"A batch holds 1 to {LARGEST_BATCH} requests."
            return JSONResponse(_failed(None, INVALID_REQUEST, reason))
        answers = [await self._answer(one, caller) for one in message]
        return _answered([answer for answer in answers if answer is not None] or None)

    async def _answer(self, message: Any, caller: Caller) -> dict[str, Any] | None:
        """The response to a request; None for a notification, which is executed silently."""
        if reason := _malformed(message):
            id = message.get("id") if isinstance(message, dict) else None
            return _failed(shown_id(id), INVALID_REQUEST, reason)
        answer = await self._called(message, caller)
        if "id" not in message:
            return None
        return {"jsonrpc": _VERSION, **answer, "id": message["id"]}

    async def _called(self, message: Mapping[str, Any], caller: Caller) -> Mapping[str, Any]:
        tool = _METHODS.get(message["method"])
        if tool is None:
            offered = ", ".join(_METHODS)
            return {"error": problem(METHOD_NOT_FOUND, f"The methods are {offered}.")}
        params = message.get("params")
        if not isinstance(params, dict):
            return {"error": problem(INVALID_PARAMS, "params must be an object.")}
        answer = await call_tool(self.application, DOCUMENTS, tool, params, caller)
        structure = answer.structure or {}
        return structure if answer.failed else {"result": structure}

    def _caller(self, request: Request) -> Caller:
        client = client_name(request.headers.get("user-agent", ""))
        actor = visitor_of(request.scope).actor(self.settings, client)
        return Caller(actor, _no_progress, self.observe, self.turns)


def _malformed(message: Any) -> str | None:
    """Why a message is not a JSON-RPC request; None if it is one."""
    if not isinstance(message, dict):
        return "A request is an object."
    if message.get("jsonrpc") != _VERSION:
        return "jsonrpc must be '2.0'."
    if not isinstance(message.get("method"), str):
        return "method must be a string."
    return None if is_id(message.get("id")) else "id must be a string, a number or null."


def _failed(id: object, kind: tuple[int, str], reason: str) -> dict[str, Any]:
    return {"jsonrpc": _VERSION, "error": problem(kind, reason), "id": id}


def _answered(answer: object | None) -> Response:
    return Response(status_code=204) if answer is None else JSONResponse(answer)


def _no_progress(_done: int, _total: int, _message: str) -> None:
    """JSON-RPC has no notifications of progress."""
