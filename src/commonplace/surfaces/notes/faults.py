"""The error format of the `notes` dialect: a stable code and a message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import (
    CommonplaceError,
    InvalidArgument,
    NotFound,
    QuotaExceeded,
    retry_seconds,
)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    shown: dict[str, Any] = {"code": error.code, "message": error.message}
    if isinstance(error, InvalidArgument) and error.field:
        shown["field"] = error.field
    if isinstance(error, NotFound) and error.hint:
        shown["hint"] = error.hint
    if isinstance(error, QuotaExceeded) and error.reset_at:
        shown["resetAt"] = error.reset_at.isoformat().replace("+00:00", "Z")
    if wait := retry_seconds(error):
        shown["retryAfter"] = wait
    return {"error": shown}
