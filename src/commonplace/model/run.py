"""A run: background work on several targets. Its rows are both the queue and the report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any


class RunKind(StrEnum):
    REBUILD = "rebuild"
    SOURCE = "source"
    INGEST = "ingest"


class TargetStatus(StrEnum):
    QUEUED = "queued"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Target:
    """One target of a run. `due` is when it may be claimed; claiming postpones it (a lease)."""

    key: int
    run_id: str
    kind: RunKind
    subject: Mapping[str, Any]
    status: TargetStatus
    attempts: int
    due: datetime | None
    error: str | None


@dataclass(frozen=True, slots=True)
class Run:
    id: str
    kind: RunKind
    agent: str
    created_at: datetime
    targets: tuple[Target, ...]

    def count(self, status: TargetStatus) -> int:
        return sum(target.status is status for target in self.targets)
