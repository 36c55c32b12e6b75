"""The error format of the `registry` dialect: a message, a stable code, and every problem."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import (
    CommonplaceError,
    ContentRefused,
    InvalidArgument,
    NotFound,
    retry_seconds,
)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    shown: dict[str, Any] = {"error": error.message, "code": error.code}
    if isinstance(error, InvalidArgument | ContentRefused):
        shown["issues"] = [
            {"path": list(issue.path), "message": issue.message} for issue in error.issues
        ]
    if isinstance(error, NotFound) and error.hint:
        shown["hint"] = error.hint
    if wait := retry_seconds(error):
        shown["retry_after"] = wait
    return shown
