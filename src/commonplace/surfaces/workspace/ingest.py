"""The action `ingest`: index sources now, or queue them for the worker."""

from __future__ import annotations

from typing import Literal

from commonplace.application import Application
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.answers import OPTIONAL, CamelAnswerPart
from commonplace.surfaces.workspace.action import Action, Ids, ReadArguments
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.runs.outcome import (
    Execution,
    Ingest,
    RunMode,
    RunRequest,
    TargetOutcome,
    TargetResult,
)

_MOST_WARNINGS = 20


class IngestArguments(ReadArguments):
    attachment_ids: Ids | None = None
    resource_ids: Ids | None = None
    mode: Literal["incremental", "rebuild"] = "incremental"
    execution: Literal["inline", "background"] = "inline"

    def request(self) -> RunRequest:
        named = self.attachment_ids is not None or self.resource_ids is not None
        return RunRequest(
            scope=EVERYTHING if named else self.workspace_scope(),
            attachment_ids=_tuple(self.attachment_ids),
            resource_ids=_tuple(self.resource_ids),
            mode=RunMode(self.mode),
            execution=Execution(self.execution),
        )


class TargetShown(CamelAnswerPart):
    attachment_id: str
    resource_id: str
    status: str
    error_message: str | None = OPTIONAL
    files_written: int | None = OPTIONAL
    files_moved: int | None = OPTIONAL
    files_removed: int | None = OPTIONAL


class IngestAnswer(CamelAnswerPart):
    scope: str | None = OPTIONAL
    project_id: str | None = OPTIONAL
    project_ids: list[str] | None = OPTIONAL
    mode: str
    execution: str
    queued: bool
    run_id: str
    targets: list[TargetShown]
    ready_count: int
    skipped_count: int
    failed_count: int
    embeddings_pending: int
    warnings: list[str] | None = OPTIONAL


def ingest(
    application: Application, actor: Actor, given: IngestArguments, call: Call
) -> IngestAnswer:
    request = given.request()
    done = application.runs.ingest(actor, request, call)
    warnings = _warnings(done)
    return IngestAnswer(
        scope=given.scope if request.names else request.scope.name.value,
        project_id=given.project_id,
        project_ids=given.project_ids,
        mode=request.mode.value,
        execution=request.execution.value,
        queued=request.execution is Execution.BACKGROUND,
        run_id=done.run_id,
        targets=[_target(target, request.execution) for target in done.targets],
        ready_count=done.count(TargetOutcome.READY),
        skipped_count=done.count(TargetOutcome.SKIPPED),
        failed_count=done.count(TargetOutcome.FAILED),
        embeddings_pending=done.pending,
        warnings=warnings or None,
    )


def _target(target: TargetResult, execution: Execution) -> TargetShown:
    reading = target.reading if execution is Execution.INLINE else None
    return TargetShown(
        attachment_id=target.attached.attachment.id,
        resource_id=target.attached.resource.id,
        status=target.outcome.value,
        error_message=target.reading.error,
        files_written=reading.written if reading else None,
        files_moved=reading.moved if reading else None,
        files_removed=reading.removed if reading else None,
    )


def _warnings(done: Ingest) -> list[str]:
    """Files that could not be read completely; beyond a limit, only their number."""
    read = {target.attached.resource.key: target.reading for target in done.targets}
    lines = [f"{u.path}: {u.reason}" for reading in read.values() for u in reading.unread]
    lines += map(str, done.problems)
    more = len(lines) - _MOST_WARNINGS
    return [*lines[:_MOST_WARNINGS], *([f"and {more} more"] if more > 0 else [])]


def _tuple(ids: list[str] | None) -> tuple[str, ...] | None:
    return None if ids is None else tuple(ids)


INGEST = Action("ingest", Scope.WRITE, IngestArguments, ingest)
