"""The error format of the `memory` dialect: a code, a message, and a hint on what to do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import (
    AlreadySuperseded,
    CallStopped,
    CommonplaceError,
    ContentRefused,
    EmbeddingError,
    InsufficientScope,
    InternalError,
    InvalidArgument,
    NotFound,
    NotOwner,
    QuotaExceeded,
    RevisionConflict,
    SourceError,
    StorageError,
    SupersessionCycle,
    retry_seconds,
)

_AGAIN = "Call again; if it fails again, tell the person who runs the server."
_LOOK_UP = "Give a reference: trace finds a symbol by its name, recall everything else."
# The first match counts, so subclasses must come before their base classes.
_WHAT_TO_DO: tuple[tuple[type[CommonplaceError], str], ...] = (
    (InvalidArgument, "Correct the argument and call again."),
    (NotFound, "Use recall to find its reference."),
    (InsufficientScope, "Ask who runs the server for a token with that scope."),
    (NotOwner, "Write a better one with remember and its `replaces`, or ask the author."),
    (AlreadySuperseded, "Open the newest version and revise that."),
    (SupersessionCycle, "Open both and say which one is newer."),
    (RevisionConflict, "Open it again, then repeat the call."),
    (ContentRefused, "Say it without what was refused."),
    (SourceError, "Name another source, or ask the person to change what is allowed."),
    (EmbeddingError, "Search by words still works; call again later."),
    (StorageError, _AGAIN),
    (CallStopped, "Ask for less, or call again."),
    (InternalError, _AGAIN),
)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    shown: dict[str, Any] = {"code": error.code, "message": error.message, "hint": _hint(error)}
    if wait := retry_seconds(error):
        shown["retryAfter"] = wait
    return {"error": shown}


def _hint(error: CommonplaceError) -> str:
    if isinstance(error, NotFound) and error.hint:
        return error.hint
    if isinstance(error, InvalidArgument) and error.field == "reference":
        return _LOOK_UP
    if isinstance(error, QuotaExceeded):
        # The wait may be weeks: `retryAfter` has it for programs.
        return "Tell the person: who runs the server can raise the quota."
    if wait := retry_seconds(error):
        return f"Wait {wait} second{'' if wait == 1 else 's'}, then call again."
    return next((hint for kind, hint in _WHAT_TO_DO if isinstance(error, kind)), _AGAIN)
