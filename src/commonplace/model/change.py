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
    """Changes after a cursor, in the order of the record; empty parts mean any."""

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
        """An entity is named as its kind, or as its kind and its id: `entry/note/1234`."""
        kind, _, id = (entity or "").partition("/")
        return cls(after, limit, since, agent, kind or None, id or None)


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


@dataclass(frozen=True, slots=True)
class AuditTrail:
    """A page of the record, with a cursor for each change, and the one to go on after."""

    changes: tuple[Change, ...]
    places: tuple[str, ...]
    cursor: str
