"""What the gate needs to know about each address: the required scopes, the number of calls in a
request, and the format of a refusal."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

import mcp_types as types
from pydantic import ValidationError
from typing_extensions import override

from commonplace.errors import CommonplaceError, InvalidArgument, retry_seconds
from commonplace.model.actor import Scope
from commonplace.server.ids import shown_id
from commonplace.server.mcp.listing import ToolList
from commonplace.surfaces.arguments import refuse_unstorable
from commonplace.surfaces.documents.faults import fault as documents_fault
from commonplace.surfaces.tool import Fault
from commonplace.text.gate import unstorable

METRICS_PATH = "/metrics"
LARGEST_MESSAGE = 10_000_000
_READING = frozenset({"resources/read", "resources/list", "completion/complete"})
# Counted as a call, because a session takes memory until it times out.
_OPENING = frozenset({"initialize"})
_NO_MESSAGE = "The body is not one JSON-RPC message."
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def plain_fault(error: CommonplaceError) -> Mapping[str, Any]:
    """The error format of REST and of the gate."""
    problem: dict[str, Any] = {"code": error.code, "message": error.message}
    if wait := retry_seconds(error):
        problem["retryAfter"] = wait
    return {"error": problem}


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """What a request asks for: the scopes it needs and the number of calls it counts as.

    `answerable` says that a refusal can be the result of the call instead of an HTTP status.
    `refusal` is a fault of the message itself, and `body` replaces one that MCP's reader refuses.
    """

    id: object = None
    scopes: frozenset[Scope] = frozenset()
    count: int = 1
    fault: Fault = plain_fault
    answerable: bool = False
    refusal: CommonplaceError | None = None
    body: bytes | None = None


UNPARSED_CALL = RequestedCall()


class EndpointRules(Protocol):
    reads_bodies: bool

    def requested_call(self, body: bytes) -> RequestedCall: ...

    def refusal(self, error: CommonplaceError, call: RequestedCall) -> Mapping[str, Any]: ...


class PlainRules:
    """REST and pages: each request is one call, and its handler checks the scope."""

    reads_bodies = False

    def requested_call(self, _body: bytes) -> RequestedCall:
        return UNPARSED_CALL

    def refusal(self, error: CommonplaceError, _asked: RequestedCall) -> Mapping[str, Any]:
        return plain_fault(error)


class MetricsRules(PlainRules):
    """Metrics: need the admin scope, as they cover all orgs; not counted, as they are scraped."""

    reads_bodies = True

    @override
    def requested_call(self, _body: bytes) -> RequestedCall:
        return RequestedCall(scopes=frozenset({Scope.ADMIN}), count=0)


class RpcRules:
    """JSON-RPC: every request of a batch is a call, and all of them only read."""

    reads_bodies = True

    def requested_call(self, body: bytes) -> RequestedCall:
        requests = _messages(body)
        id = requests[0].get("id") if len(requests) == 1 else None
        return RequestedCall(id, frozenset({Scope.READ}), max(1, len(requests)))

    def refusal(self, error: CommonplaceError, call: RequestedCall) -> Mapping[str, Any]:
        return {"jsonrpc": "2.0", **documents_fault(error), "id": shown_id(call.id)}


class McpRules:
    """MCP: counts tool calls, reads of resources and new sessions, but no other messages."""

    reads_bodies = True

    def __init__(self, tools: ToolList) -> None:
        self._tools = tools

    def requested_call(self, body: bytes) -> RequestedCall:
        """The call in a body. No body, as for a stream, is no call; an unreadable one is one."""
        try:
            message = json.loads(body)
        except (ValueError, RecursionError):
            return RequestedCall(count=1 if body else 0)
        if not _is_message(message):
            id = message.get("id") if isinstance(message, dict) else None
            return RequestedCall(id, refusal=InvalidArgument(_NO_MESSAGE))
        return _without_halves(self._one(message), message, body)

    def refusal(self, error: CommonplaceError, call: RequestedCall) -> Mapping[str, Any]:
        problem = {
            "code": types.INVALID_REQUEST,
            "message": error.message,
            "data": call.fault(error),
        }
        return {"jsonrpc": "2.0", "id": shown_id(call.id), "error": problem}

    def _one(self, message: Mapping[str, Any]) -> RequestedCall:
        id, method = message.get("id"), message.get("method")
        if method in _READING:
            return RequestedCall(id, frozenset({Scope.READ}), answerable=True)
        if method != "tools/call":
            return RequestedCall(id, count=1 if method in _OPENING else 0)
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return RequestedCall(id, answerable=True)
        fault = self._tools.fault_of(tool)
        return RequestedCall(id, frozenset({tool.scope}), fault=fault, answerable=True)


def _is_message(document: Any) -> bool:
    """Whether MCP's reader takes it; its own refusal would show how it is built."""
    match document:
        case {"jsonrpc": "2.0", "method": str(), "params": dict()}:
            return True
    try:
        types.jsonrpc_message_adapter.validate_python(document, by_name=False)
    except ValidationError:
        return False
    return True


def _without_halves(call: RequestedCall, message: Mapping[str, Any], body: bytes) -> RequestedCall:
    """The call with a body that MCP's reader takes, and refused if its arguments had half a
    surrogate pair: clients send it that cut a text in the middle of an emoji."""
    if not _SURROGATE.search(body):
        return call
    try:
        text = json.dumps(message, ensure_ascii=False)
    except RecursionError:
        return call
    if not unstorable(text):
        return call
    match message:
        case {"method": "tools/call", "params": {"arguments": dict(arguments)}}:
            refusal = _refusal_of(arguments)
        case _:
            refusal = None
    return replace(call, body=text.encode(errors="ignore"), refusal=refusal)


def _refusal_of(arguments: Mapping[str, Any]) -> CommonplaceError | None:
    try:
        refuse_unstorable(arguments)
    except InvalidArgument as error:
        return error
    return None


def _messages(body: bytes) -> list[dict[str, Any]]:
    """The JSON-RPC messages in a body; none if it is not JSON, which the endpoint will report."""
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return []
    listed = document if isinstance(document, list) else [document]
    return [message for message in listed if isinstance(message, dict)]
