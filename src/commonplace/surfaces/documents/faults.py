"""The error format of the `documents` dialect: JSON-RPC codes, with the reason in `data`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import (
    AccessDenied,
    CommonplaceError,
    InternalError,
    InvalidArgument,
    NotFound,
    Unauthenticated,
)

PARSE_ERROR = (-32700, "Parse error")
INVALID_REQUEST = (-32600, "Invalid Request")
METHOD_NOT_FOUND = (-32601, "Method not found")
INVALID_PARAMS = (-32602, "Invalid params")
INTERNAL_ERROR = (-32603, "Internal error")
SERVER_ERROR = (-32000, "Server error")
NOT_FOUND = (-32001, "Resource not found")
DENIED = (-32002, "Permission denied")

_KINDS: tuple[tuple[type[CommonplaceError], tuple[int, str]], ...] = (
    (InvalidArgument, INVALID_PARAMS),
    (NotFound, NOT_FOUND),
    (AccessDenied, DENIED),
    (Unauthenticated, DENIED),
    (InternalError, INTERNAL_ERROR),
)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    kind = next((kind for cause, kind in _KINDS if isinstance(error, cause)), SERVER_ERROR)
    hint = error.hint if isinstance(error, NotFound) else ""
    return {"error": problem(kind, f"{error.message} {hint}".strip())}


def problem(kind: tuple[int, str], reason: str) -> dict[str, Any]:
    code, message = kind
    return {"code": code, "message": message, "data": reason}
