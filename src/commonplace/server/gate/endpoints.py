"""What each address needs to know of a request before it is let in, and how it says no.

Nothing is answered here: the scope that is needed, how many calls it is, and the envelope.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import mcp_types as types
from typing_extensions import override

from commonplace.errors import CommonplaceError, retry_seconds
from commonplace.model.actor import Scope
from commonplace.server.mcp.listing import ToolList
from commonplace.surfaces.documents.faults import fault as documents_fault
from commonplace.surfaces.tool import Fault

METRICS_PATH = "/metrics"
LARGEST_MESSAGE = 10_000_000
_READING = frozenset({"resources/read", "resources/list", "completion/complete"})
# A session takes room here until it has been idle for long.
_OPENING = frozenset({"initialize"})


def plain_fault(error: CommonplaceError) -> Mapping[str, Any]:
    shown: dict[str, Any] = {"code": error.code, "message": error.message}
    if wait := retry_seconds(error):
        shown["retryAfter"] = wait
    return {"error": shown}


@dataclass(frozen=True, slots=True)
class RequestedCall:
    """What a request wants; `calls` of 0 is not counted.

    `answerable`: one call of a session, which can be refused in the protocol's own words.
    """

    id: object = None
    scopes: frozenset[Scope] = frozenset()
    calls: int = 1
    fault: Fault = plain_fault
    answerable: bool = False


ANYTHING = RequestedCall()


class EndpointRules(Protocol):
    reads_bodies: bool

    def asked(self, body: bytes) -> RequestedCall: ...

    def refusal(self, error: CommonplaceError, asked: RequestedCall) -> Mapping[str, Any]: ...


class PlainRules:
    """REST and pages: each request is a call, and its handler knows the scope."""

    reads_bodies = False

    def asked(self, _body: bytes) -> RequestedCall:
        return ANYTHING

    def refusal(self, error: CommonplaceError, _asked: RequestedCall) -> Mapping[str, Any]:
        return plain_fault(error)


class MetricsRules(PlainRules):
    """Numbers across all orgs: for who runs the server. Asking often is how monitors work."""

    reads_bodies = True

    @override
    def asked(self, _body: bytes) -> RequestedCall:
        return RequestedCall(scopes=frozenset({Scope.ADMIN}), calls=0)


class RpcRules:
    """JSON-RPC: every request of a batch is a call, and all of them read."""

    reads_bodies = True

    def asked(self, body: bytes) -> RequestedCall:
        requests = _messages(body)
        id = requests[0].get("id") if len(requests) == 1 else None
        return RequestedCall(id, frozenset({Scope.READ}), max(1, len(requests)))

    def refusal(self, error: CommonplaceError, asked: RequestedCall) -> Mapping[str, Any]:
        return {"jsonrpc": "2.0", **documents_fault(error), "id": _shown_id(asked.id)}


class McpRules:
    """MCP: tools, resources and new sessions are counted; what only introduces is not."""

    reads_bodies = True

    def __init__(self, tools: ToolList) -> None:
        self._tools = tools

    def asked(self, body: bytes) -> RequestedCall:
        """What a body asks; none opens or closes a stream, no call; what is unclear is one."""
        requests = [self._one(message) for message in _messages(body)]
        if len(requests) == 1:
            return requests[0]
        if not requests:
            return RequestedCall(calls=1 if body else 0)
        scopes = frozenset(scope for asked in requests for scope in asked.scopes)
        return RequestedCall(None, scopes, sum(asked.calls for asked in requests))

    def refusal(self, error: CommonplaceError, asked: RequestedCall) -> Mapping[str, Any]:
        problem = {
            "code": types.INVALID_REQUEST,
            "message": error.message,
            "data": asked.fault(error),
        }
        return {"jsonrpc": "2.0", "id": _shown_id(asked.id), "error": problem}

    def _one(self, message: Mapping[str, Any]) -> RequestedCall:
        id, method = message.get("id"), message.get("method")
        if method in _READING:
            return RequestedCall(id, frozenset({Scope.READ}), answerable=True)
        if method != "tools/call":
            return RequestedCall(id, calls=1 if method in _OPENING else 0)
        params = message.get("params")
        name = params.get("name") if isinstance(params, dict) else None
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            return RequestedCall(id, answerable=True)
        fault = self._tools.fault_of(tool)
        return RequestedCall(id, frozenset({tool.scope}), fault=fault, answerable=True)


def _messages(body: bytes) -> list[dict[str, Any]]:
    """What is no JSON is nobody's business here: the address itself will say so.

    The SDK parses the body again: it takes bytes, and scope and rate are asked before it is.
    """
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        return []
    listed = document if isinstance(document, list) else [document]
    return [message for message in listed if isinstance(message, dict)]


def _shown_id(id: object) -> str | int | float | None:
    return id if isinstance(id, str | int | float) and not isinstance(id, bool) else None
