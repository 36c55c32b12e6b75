"""`commonplace init`: makes a folder a project, attaches it and indexes it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from commonplace.cli.client_files import shown_path
from commonplace.cli.folders import ingest_document, ingest_line, problem_lines
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.progress import shown_progress
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import CommonplaceError, InvalidArgument, ProjectNotFound
from commonplace.model.workspace import KnowledgeType, Project, ResourceKind
from commonplace.text.plural import plural
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject, free_key, project_document
from commonplace.workspace.projects.policy import is_within, path_of
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import Execution, RunRequest, TargetOutcome

_EMPTY = "Nothing in it was indexed: no file with text, or ignore files leave out all of them."


@dataclass(frozen=True, slots=True)
class InitRequest:
    """The arguments of `commonplace init`."""

    folder: Path
    key: str | None
    name: str | None
    docs: bool
    background: bool


@click.command("init", cls=Command)
@click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--key", help="The project's key for commands (default: the folder's name).")
@click.option("--name", help="The project's name for people (default: the key).")
@click.option("--docs", is_flag=True, help="The folder holds documents rather than code.")
@click.option("--background", is_flag=True, help="Leave the indexing to a running server.")
@json_option
def init_command(
    folder: Path, key: str | None, name: str | None, docs: bool, background: bool, as_json: bool
) -> None:
    """Make a folder (by default this one) a project, and index it.

    Files in `.gitignore` and `.commonplaceignore` are left out. Run again in the same folder, it
    reads what has changed.
    """
    request = InitRequest(folder.resolve(), key, name, docs, background)
    with command_session() as session, shown_progress(quiet=as_json) as call:
        project = _attached_project(session, request)
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        execution = Execution.BACKGROUND if background else Execution.INLINE
        run = RunRequest(scope=scope, execution=execution, patient=True)
        done = session.application.runs.ingest(session.actor, run, call)
        counts = session.application.workspace.view(session.actor, scope).counts.values()
        pending = session.application.status.of_org(session.actor).chunks.pending
    failed = any(target.outcome is TargetOutcome.FAILED for target in done.targets)
    lines = [
        f"Project {project.handle}: {shown_path(request.folder)}",
        *map(ingest_line, done.targets),
        *problem_lines(done),
        *([_pending_line(pending)] if pending else []),
        *(_next_steps(project) if background or any(one.chunks for one in counts) else [_EMPTY]),
    ]
    document = {"project": project_document(project), **ingest_document(done), "pending": pending}
    emit(document, "\n".join(lines), as_json=as_json, failed=failed)


def _pending_line(pending: int) -> str:
    """What waits: mostly commits, which are embedded after the files."""
    return (
        f"{plural(pending, 'passage')} found by words only so far; connected clients and "
        "`commonplace serve` embed in the background"
    )


def _next_steps(project: Project) -> list[str]:
    return [
        f'Ask it: commonplace recall "where is the configuration read" --project {project.handle}',
        "Let your agents ask it: commonplace connect",
    ]


def _attached_project(session: CommandSession, request: InitRequest) -> Project:
    """The project of the folder, or a new one, which is removed if the folder is refused."""
    workspace, actor = session.application.workspace, session.actor
    try:
        project = workspace.project_at(actor, str(request.folder))
    except ProjectNotFound:
        project = workspace.add_project(actor, _new_project(session, request))
        try:
            _attach(session, project, request)
        except CommonplaceError:
            workspace.remove_project(actor, project.id)
            raise
        return project
    if request.key not in (None, project.handle):
        raise InvalidArgument(f"This folder is already the project {project.handle}.", field="key")
    if not any(is_within(str(request.folder), root) for root in project.roots):
        project = workspace.add_project(actor, NewProject(project.handle, (str(request.folder),)))
    _attach(session, project, request)
    return project


def _attach(session: CommandSession, project: Project, request: InitRequest) -> None:
    """Attach the folder to the project, unless a folder above it is attached already."""
    workspace, folder = session.application.workspace, str(request.folder)
    scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
    attached = workspace.view(session.actor, scope).attached
    folders = [one.resource for one in attached if one.resource.kind is ResourceKind.FOLDER]
    if any(is_within(folder, path_of(resource.locator)) for resource in folders):
        return
    kind = KnowledgeType.DOCS if request.docs else KnowledgeType.CODE
    change = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type=kind.value,
        resource_kind=ResourceKind.FOLDER.value,
        locator=folder,
    )
    workspace.change(session.actor, scope, [change])


def _new_project(session: CommandSession, request: InitRequest) -> NewProject:
    taken = {one.handle for one in session.application.workspace.projects(session.actor)}
    if request.key in taken:
        raise InvalidArgument(
            f"Another folder is already the project {request.key}; choose another --key.",
            field="key",
        )
    key = request.key or free_key(request.folder.name, taken)
    return NewProject(key, (str(request.folder),), name=request.name)
