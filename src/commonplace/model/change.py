"""A change: one line of the append-only record of every canonical write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class Operation(StrEnum):
    CREATE = "create"
    EDIT = "edit"
    DELETE = "delete"
    RESTORE = "restore"
    SUPERSEDE = "supersede"
    PURGE = "purge"


@dataclass(frozen=True, slots=True)
class Change:
    """`before` is the entity as it was; absent for a creation, and erased by a purge."""

    sequence: int
    org: str
    agent: str
    client: str
    at: datetime
    operation: Operation
    entity: str
    entity_id: str
    revision: int
    before: Mapping[str, Any] | None
