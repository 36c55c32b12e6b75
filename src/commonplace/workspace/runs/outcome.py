"""What an ingest is asked for and what came of it, as values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from commonplace.model.graph import FileProblem
from commonplace.model.workspace import Attached
from commonplace.workspace.indexing.reading import NOTHING_READ, Reading
from commonplace.workspace.projects.scope import EVERYTHING, WorkspaceScope


class RunMode(StrEnum):
    """A rebuild makes everything anew; what comes out the same keeps its vectors."""

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
    """The first that was given of attachments, resources and scope decides the targets.

    A `patient` asker waits until everything is embedded, however long that takes.
    """

    scope: WorkspaceScope = EVERYTHING
    attachment_ids: tuple[str, ...] | None = None
    resource_ids: tuple[str, ...] | None = None
    mode: RunMode = RunMode.INCREMENTAL
    execution: Execution = Execution.INLINE
    patient: bool = False

    @property
    def names(self) -> bool:
        """Whether attachments or resources are named one by one."""
        return self.attachment_ids is not None or self.resource_ids is not None


@dataclass(frozen=True, slots=True)
class TargetResult:
    attached: Attached
    outcome: TargetOutcome
    reading: Reading = NOTHING_READ

    @property
    def unchanged(self) -> bool:
        """It was looked at, and nothing had to be done."""
        read = self.reading is not NOTHING_READ and not self.reading.overtaken
        return self.outcome is TargetOutcome.SKIPPED and read


@dataclass(frozen=True, slots=True)
class Ingest:
    """`pending` chunks of what was asked for are found by their words, and not by meaning yet.

    `problems` are files of code that were read in part, or not at all, now or before.
    """

    run_id: str
    asked: RunRequest
    targets: tuple[TargetResult, ...]
    pending: int = 0
    problems: tuple[FileProblem, ...] = ()

    def count(self, outcome: TargetOutcome) -> int:
        return sum(target.outcome is outcome for target in self.targets)
