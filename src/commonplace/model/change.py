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
class AuditQuery:
    """Which changes to list, after a cursor, in the order of the record; empty fields match any."""

    after: str = ""
    limit: int = 100
    since: datetime | None = None
    agent: str | None = None
    entity: str | None = None
    entity_id: str | None = None

    @classmethod
    def of(
        cls, after: str, limit: int, since: datetime | None, agent: str | None, entity: str | None
    ) -> AuditQuery:
        """Parse the entity filter: a kind (`entry`), or a kind and an id (`entry/note/1234`)."""
        kind, _, id = (entity or "").partition("/")
        return cls(after, limit, since, agent, kind or None, id or None)


@dataclass(frozen=True, slots=True)
class Change:
    """One canonical write. `before` is the earlier state: None for a creation or after a purge."""

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


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """A page of changes, with the cursor of each in `places`, and the cursor of the next page."""

    changes: tuple[Change, ...]
    places: tuple[str, ...]
    cursor: str
