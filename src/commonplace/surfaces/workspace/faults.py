"""The error format of the `workspace` dialect: its own codes, and every problem in `details`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import (
    ActionUnknown,
    AttachmentNotFound,
    CommonplaceError,
    Conflict,
    ContentRefused,
    EntryModeRequired,
    InvalidArgument,
    LocatorInvalid,
    NotFound,
    ProjectNotFound,
    ProjectRequired,
    ResourceNotFound,
    SourceOutsideProject,
    SourceSensitive,
    SourceTooBroad,
    SourceTooLarge,
    SourceUnsupported,
    TargetRequired,
    retry_seconds,
)

# The first match counts; other errors keep their own code, in the dialect's style.
_CODES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (LocatorInvalid, "INVALID_LOCATOR"),
    (ProjectRequired, "PROJECT_REQUIRED"),
    (SourceOutsideProject, "SOURCE_OUTSIDE_PROJECT"),
    (SourceTooBroad, "SOURCE_TOO_BROAD"),
    (SourceTooLarge, "SOURCE_TOO_LARGE"),
    (SourceSensitive, "SENSITIVE_SOURCE"),
    (SourceUnsupported, "UNSUPPORTED_SOURCE_TYPE"),
    (ResourceNotFound, "RESOURCE_NOT_FOUND"),
    (AttachmentNotFound, "ATTACHMENT_NOT_FOUND"),
    (TargetRequired, "INGEST_TARGET_REQUIRED"),
    (EntryModeRequired, "RECORD_ENTRY_MODE_REQUIRED"),
    (ActionUnknown, "UNKNOWN_ACTION"),
    (ProjectNotFound, "PROJECT_NOT_FOUND"),
    (NotFound, "ENTRY_NOT_FOUND"),
    (Conflict, "CONFLICT"),
    (InvalidArgument, "VALIDATION"),
)
CODES = tuple(f"KNOWLEDGE_{name}" for _, name in _CODES)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    hint = error.hint if isinstance(error, NotFound) else ""
    shown: dict[str, Any] = {
        "code": code_of(error),
        "message": f"{error.message} {hint}".strip(),
    }
    if isinstance(error, InvalidArgument | ContentRefused) and error.issues:
        shown["details"] = [
            {"path": list(issue.path), "message": issue.message} for issue in error.issues
        ]
    if wait := retry_seconds(error):
        shown["retryAfter"] = wait
    return {"error": shown}


def code_of(error: CommonplaceError) -> str:
    own = error.code.replace(".", "_").upper()
    return "KNOWLEDGE_" + next((name for kind, name in _CODES if isinstance(error, kind)), own)
