"""The error format of the `institutional` dialect: success false, and its prescribed messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    EmbeddingError,
    EmbeddingsMissing,
    InvalidArgument,
    NotFound,
    RevisionConflict,
    StorageError,
    retry_seconds,
)

NOT_FOUND = "Item not found"
MISSING = "Embeddings not generated for some items"

# The first match counts; other errors have no prefix.
_PREFIXES: tuple[tuple[type[CommonplaceError], str], ...] = (
    (InvalidArgument, "Validation error"),
    (RevisionConflict, "Conflict"),
    (Conflict, "Database error"),
    (StorageError, "Database error"),
    (EmbeddingError, "Model not loaded"),
)


def fault(error: CommonplaceError) -> Mapping[str, Any]:
    shown: dict[str, Any] = {"success": False, "error": _sentence(error), "code": error.code}
    if isinstance(error, EmbeddingsMissing) and isinstance(error.found, BaseModel):
        shown["data"] = error.found.model_dump(mode="json")
    if isinstance(error, NotFound) and error.hint:
        shown["hint"] = error.hint
    if wait := retry_seconds(error):
        shown["retry_after"] = wait
    return shown


def _sentence(error: CommonplaceError) -> str:
    if isinstance(error, NotFound):
        return NOT_FOUND
    if isinstance(error, EmbeddingsMissing):
        return MISSING
    for kind, prefix in _PREFIXES:
        if isinstance(error, kind):
            return f"{prefix}: {error.message}"
    return error.message
