"""JSON-RPC 2.0 at one address: the methods of the `documents` dialect, single or in batches."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from commonplace.application import LazyApplication
from commonplace.errors import SourceTooLarge
from commonplace.server.bodies import whole_body
from commonplace.server.gate.visitors import visitor_of
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
from commonplace.text.gate import unstorable

LARGEST_BODY = 1_000_000
LARGEST_BATCH = 100
_VERSION = "2.0"
_METHODS = {tool.name: tool for tool in DOCUMENTS.tools}


@dataclass(frozen=True, slots=True)
class RpcEndpoint:
    """Answers requests at the address, acting for whoever the gate let in."""

    application: LazyApplication
    settings: Settings
    observe: Observe
    turns: Turns

    async def answer(self, request: Request) -> Response:
        caller = self._caller(request)
        try:
            asked = json.loads(await whole_body(request, LARGEST_BODY))
        except (ValueError, RecursionError):
            return JSONResponse(_failed(None, PARSE_ERROR, "The body is not JSON."))
        except SourceTooLarge as error:
            return JSONResponse(_failed(None, INVALID_REQUEST, error.message), status_code=413)
        if not isinstance(asked, list):
            return _answered(await self._answer(asked, caller))
        if not 1 <= len(asked) <= LARGEST_BATCH:
            reason = f"A batch holds 1 to {LARGEST_BATCH} requests."
            return JSONResponse(_failed(None, INVALID_REQUEST, reason))
        answers = [await self._answer(one, caller) for one in asked]
        return _answered([answer for answer in answers if answer is not None] or None)

    async def _answer(self, asked: Any, caller: Caller) -> dict[str, Any] | None:
        """None for a notification: it is done, and nobody is told."""
        if reason := _malformed(asked):
            id = asked.get("id") if isinstance(asked, dict) else None
            return _failed(id if _is_id(id) else None, INVALID_REQUEST, reason)
        answer = await self._called(asked, caller)
        if "id" not in asked:
            return None
        return {"jsonrpc": _VERSION, **answer, "id": asked["id"]}

    async def _called(self, asked: Mapping[str, Any], caller: Caller) -> Mapping[str, Any]:
        tool = _METHODS.get(asked["method"])
        if tool is None:
            offered = ", ".join(_METHODS)
            return {"error": problem(METHOD_NOT_FOUND, f"The methods are {offered}.")}
        params = asked.get("params")
        if not isinstance(params, dict):
            return {"error": problem(INVALID_PARAMS, "params must be an object.")}
        answer = await call_tool(self.application, DOCUMENTS, tool, params, caller)
        structure = answer.structure or {}
        return structure if answer.failed else {"result": structure}

    def _caller(self, request: Request) -> Caller:
        client = client_name(request.headers.get("user-agent", ""))
        actor = visitor_of(request.scope).actor(self.settings, client)
        return Caller(actor, _unheard, self.observe, self.turns)


def _malformed(asked: Any) -> str | None:
    """What makes it no JSON-RPC request."""
    if not isinstance(asked, dict):
        return "A request is an object."
    if asked.get("jsonrpc") != _VERSION:
        return "jsonrpc must be '2.0'."
    if not isinstance(asked.get("method"), str):
        return "method must be a string."
    return None if _is_id(asked.get("id")) else "id must be a string, a number or null."


def _is_id(id: object) -> bool:
    """Whether it can be sent back: Python reads numbers and texts that JSON cannot carry."""
    if isinstance(id, str):
        return unstorable(id) is None
    return id is None or (
        isinstance(id, int | float) and not isinstance(id, bool) and math.isfinite(id)
    )


def _failed(id: object, kind: tuple[int, str], reason: str) -> dict[str, Any]:
    return {"jsonrpc": _VERSION, "error": problem(kind, reason), "id": id}


def _answered(answer: object | None) -> Response:
    return Response(status_code=204) if answer is None else JSONResponse(answer)


def _unheard(_done: int, _total: int, _message: str) -> None:
    """A plain request has nowhere to send progress to."""
