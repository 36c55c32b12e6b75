"""Every error that the dialect has a code of its own for."""

from __future__ import annotations

import pytest

from commonplace.errors import (
    ActionUnknown,
    AttachmentNotFound,
    CommonplaceError,
    Conflict,
    EntryModeRequired,
    InvalidArgument,
    Issue,
    LocatorInvalid,
    NotFound,
    ProjectNotFound,
    ProjectRequired,
    ResourceNotFound,
    RevisionConflict,
    SourceOutsideProject,
    SourceSensitive,
    SourceTooBroad,
    SourceTooLarge,
    SourceUnsupported,
    StorageBusy,
    TargetRequired,
    retry_seconds,
)
from commonplace.surfaces.workspace.faults import fault


@pytest.mark.parametrize(
    ("error", "code"),
    [
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
        (RevisionConflict, "CONFLICT"),
        (InvalidArgument, "VALIDATION"),
        (StorageBusy, "STORAGE_BUSY"),
    ],
)
def test_an_error_has_the_code_of_the_dialect(error: type[CommonplaceError], code: str) -> None:
    shown = fault(error("Said."))["error"]
    assert (shown["code"], shown["message"]) == (f"KNOWLEDGE_{code}", "Said.")
    assert shown.get("retryAfter") == retry_seconds(error("Said."))


def test_details_are_the_faults_of_the_arguments() -> None:
    issues = (Issue(("operations", 0, "op"), "required."),)
    shown = fault(InvalidArgument("Said.", issues=issues))["error"]
    assert shown["details"] == [{"path": ["operations", 0, "op"], "message": "required."}]
