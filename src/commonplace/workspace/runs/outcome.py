"""Requests and results of ingest runs, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.model.graph import FileProblem
from commonplace.model.workspace import Attached
from commonplace.workspace.indexing.reading import NOTHING_READ, Reading
from commonplace.workspace.projects.scope import EVERYTHING, WorkspaceScope


class RunMode(StrEnum):
    """REBUILD recomputes everything; chunks that come out the same keep their vectors."""

    INCREMENTAL = "incremental"
    REBUILD = "rebuild"


class Execution(StrEnum):
    INLINE = "inline"
    BACKGROUND = "background"


class TargetOutcome(StrEnum):
    QUEUED = "queued"
    READY = "ready"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What to ingest. The first given of attachments, resources and scope selects the targets.

    A `patient` caller waits until everything is embedded, however long it takes.
    """

    scope: WorkspaceScope = EVERYTHING
    attachment_ids: tuple[str, ...] | None = None
    resource_ids: tuple[str, ...] | None = None
    mode: RunMode = RunMode.INCREMENTAL
    execution: Execution = Execution.INLINE
    patient: bool = False

    @property
    def names(self) -> bool:
        """Whether individual attachments or resources are named."""
        return self.attachment_ids is not None or self.resource_ids is not None


@dataclass(frozen=True, slots=True)
class TargetResult:
    attached: Attached
    outcome: TargetOutcome
    reading: Reading = NOTHING_READ

    @property
    def unchanged(self) -> bool:
        """Whether it was read and nothing had changed."""
        read = self.reading is not NOTHING_READ and not self.reading.overtaken
        return self.outcome is TargetOutcome.SKIPPED and read


@dataclass(frozen=True, slots=True)
class Ingest:
    """The result of an ingest.

    `pending` chunks of the targets can only be found by words so far. `problems` are code files
    that could not be read completely, in this run or an earlier one.
    """

    run_id: str
    asked: RunRequest
    targets: tuple[TargetResult, ...]
    pending: int = 0
    problems: tuple[FileProblem, ...] = ()

    def count(self, outcome: TargetOutcome) -> int:
        return sum(target.outcome is outcome for target in self.targets)
