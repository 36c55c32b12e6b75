"""The first command in a project's folder: it becomes a project, attached, read, ready to ask."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import click

from commonplace.cli.folders import ingest_document, ingest_line, problem_lines
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.progress import shown_progress
from commonplace.cli.session import CommandSession, command_session
from commonplace.errors import CommonplaceError, InvalidArgument, ProjectNotFound
from commonplace.model.workspace import KnowledgeType, Project, ResourceKind
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject, free_key, project_document
from commonplace.workspace.projects.policy import is_within, path_of
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import Execution, RunRequest, TargetOutcome


@dataclass(frozen=True, slots=True)
class Beginning:
    """What somebody asks for who begins with a folder."""

    folder: Path
    key: str | None
    name: str | None
    docs: bool
    background: bool


@click.command("init", cls=Command)
@click.argument(
    "folder", default=".", type=click.Path(exists=True, file_okay=False, path_type=Path)
)
@click.option("--key", help="What commands call it; without it, the folder's name.")
@click.option("--name", help="What people call it; without it, the key.")
@click.option("--docs", is_flag=True, help="It holds documents rather than code.")
@click.option("--background", is_flag=True, help="Leave the reading to a server that runs.")
@json_option
def init_command(
    folder: Path, key: str | None, name: str | None, docs: bool, background: bool, as_json: bool
) -> None:
    """Make a folder (this one) a project, and index it: ready to ask.

    What `.gitignore` and `.commonplaceignore` name is left out. Again in the same folder, it reads
    what has changed.
    """
    asked = Beginning(folder.resolve(), key, name, docs, background)
    with command_session() as session, shown_progress(quiet=as_json) as call:
        project = _attached_project(session, asked)
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        execution = Execution.BACKGROUND if background else Execution.INLINE
        run = RunRequest(scope=scope, execution=execution, patient=True)
        done = session.application.runs.ingest(session.actor, run, call)
    failed = any(target.outcome is TargetOutcome.FAILED for target in done.targets)
    lines = [
        f"Project {project.handle}: {asked.folder}",
        *map(ingest_line, done.targets),
        *problem_lines(done),
        f'Ask it: commonplace recall "where is the configuration read" --project {project.handle}',
        "Let your agents ask it: commonplace connect",
    ]
    document = {"project": project_document(project), **ingest_document(done)}
    emit(document, "\n".join(lines), as_json=as_json, failed=failed)


def _attached_project(session: CommandSession, asked: Beginning) -> Project:
    """The project that the folder belongs to, or a new one; none stays where it cannot be read."""
    workspace, actor = session.application.workspace, session.actor
    try:
        project = workspace.project_at(actor, str(asked.folder))
    except ProjectNotFound:
        project = workspace.add_project(actor, _new_project(session, asked))
        try:
            _attach(session, project, asked)
        except CommonplaceError:
            workspace.remove_project(actor, project.id)
            raise
        return project
    if asked.key not in (None, project.handle):
        raise InvalidArgument(f"This folder is the project {project.handle} already.", field="key")
    if not any(is_within(str(asked.folder), root) for root in project.roots):
        project = workspace.add_project(actor, NewProject(project.handle, (str(asked.folder),)))
    _attach(session, project, asked)
    return project


def _attach(session: CommandSession, project: Project, asked: Beginning) -> None:
    """The folder is read for the project from now on; one above it holds it already."""
    workspace, folder = session.application.workspace, str(asked.folder)
    scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
    attached = workspace.view(session.actor, scope).attached
    folders = [one.resource for one in attached if one.resource.kind is ResourceKind.FOLDER]
    if any(is_within(folder, path_of(resource.locator)) for resource in folders):
        return
    kind = KnowledgeType.DOCS if asked.docs else KnowledgeType.CODE
    change = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type=kind.value,
        resource_kind=ResourceKind.FOLDER.value,
        locator=folder,
    )
    workspace.change(session.actor, scope, [change])


def _new_project(session: CommandSession, asked: Beginning) -> NewProject:
    taken = {one.handle for one in session.application.workspace.projects(session.actor)}
    if asked.key in taken:
        raise InvalidArgument(
            f"There is a project {asked.key} already, of another folder; choose another --key.",
            field="key",
        )
    key = asked.key or free_key(asked.folder.name, taken)
    return NewProject(key, (str(asked.folder),), name=asked.name)
