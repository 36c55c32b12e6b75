"""`commonplace project`: adds and removes projects, and attaches and detaches folders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from commonplace.cli.output import Command, emit, json_option, path_errors
from commonplace.cli.session import CommandSession, command_session
from commonplace.model.chunk import TrustTier
from commonplace.model.workspace import KnowledgeType, Project, ResourceKind
from commonplace.text.plural import plural
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp, Preferences, View
from commonplace.workspace.projects.identity import NewProject, project_document
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope


def project_line(project: Project) -> str:
    return f"{project.handle}  {project.name}  ({project.id})  {', '.join(project.roots)}".rstrip()


@click.group("project")
def project_command() -> None:
    """Projects: what agents work on, each with the folders of its repository."""


@project_command.command("add", cls=Command)
@click.argument("key")
@click.option("--root", "roots", multiple=True, help="A folder of the repository.")
@click.option("--id", help="The project's id for tools (default: generated).")
@click.option("--name", help="The project's name for people (default: the key).")
@json_option
def add_command(
    key: str, roots: tuple[str, ...], id: str | None, name: str | None, as_json: bool
) -> None:
    """Add a project, or further folders to the project with this key."""
    new = NewProject(key, tuple(map(_absolute, roots)), id, name)
    with command_session() as session:
        project = session.application.workspace.add_project(session.actor, new)
    emit(project_document(project), project_line(project), as_json=as_json)


@project_command.command("list", cls=Command)
@json_option
def list_command(as_json: bool) -> None:
    """List projects, by key."""
    with command_session() as session:
        projects = session.application.workspace.projects(session.actor)
    document = {"projects": [project_document(one) for one in projects], "count": len(projects)}
    lines = [*map(project_line, projects), plural(len(projects), "project")]
    emit(document, "\n".join(lines), as_json=as_json)


@project_command.command("show", cls=Command)
@click.argument("key", required=False)
@click.option("--root", help="A folder of the project, in any clone or worktree.")
@json_option
def show_command(key: str | None, root: str | None, as_json: bool) -> None:
    """Show a project by key or id, or the project of a folder (default: this folder)."""
    with command_session() as session:
        project = _project(session, key, root)
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        view = session.application.workspace.view(session.actor, scope)
    document = project_document(project) | {"sources": _sources(view)}
    lines = [project_line(project), *map(_source_line, _sources(view))]
    emit(document, "\n".join(lines), as_json=as_json)


@project_command.command("attach", cls=Command)
@click.argument("key")
@click.argument("folder")
@click.option("--docs", is_flag=True, help="The folder holds documents rather than code.")
@click.option("--label", help="Its label (default: the folder's name).")
@click.option("--trust", type=click.Choice([t.value for t in TrustTier]), help="Its trust tier.")
@json_option
def attach_command(
    key: str, folder: str, docs: bool, label: str | None, trust: str | None, as_json: bool
) -> None:
    """Attach a folder to a project; `commonplace ingest` then reads it."""
    operation = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type=(KnowledgeType.DOCS if docs else KnowledgeType.CODE).value,
        resource_kind=ResourceKind.FOLDER.value,
        locator=_absolute(folder),
        preferences=Preferences(label=label, trust=TrustTier(trust) if trust else None),
    )
    _change(key, operation, as_json=as_json)


@project_command.command("detach", cls=Command)
@click.argument("key")
@click.argument("attachment")
@json_option
def detach_command(key: str, attachment: str, as_json: bool) -> None:
    """Detach a folder from a project; the folder itself is not changed."""
    _change(key, AttachmentChange(AttachmentOp.REMOVE, attachment_id=attachment), as_json=as_json)


@project_command.command("remove", cls=Command)
@click.argument("key")
@json_option
def remove_command(key: str, as_json: bool) -> None:
    """Remove a project with its sources, notebooks and records; folders are not changed."""
    with command_session() as session:
        project = session.application.workspace.remove_project(session.actor, key)
    emit({"id": project.id, "removed": True}, f"Removed {project.handle}", as_json=as_json)


def _change(key: str, operation: AttachmentChange, *, as_json: bool) -> None:
    scope = WorkspaceScope(ScopeName.PROJECT, (key,))
    with command_session() as session:
        if named := operation.attachment_id:
            operation = replace(operation, attachment_id=session.attachment_id(named))
        changed = session.application.workspace.change(session.actor, scope, [operation])
    (done,) = changed.done
    attachment, outcome = done.attached.attachment, done.outcome.value
    document = {"attachment": attachment.id, "label": attachment.label, "status": outcome}
    text = f"{outcome.replace('_', ' ').capitalize()}: {attachment.label} ({attachment.id})"
    emit(document, text, as_json=as_json)


def _project(session: CommandSession, key: str | None, root: str | None) -> Project:
    workspace = session.application.workspace
    if key is not None and root is None:
        return workspace.project(session.actor, key)
    return workspace.project_at(session.actor, _absolute(root or "."))


def _absolute(folder: str) -> str:
    """The absolute path of a folder; a URL is left as it is."""
    with path_errors("root"):
        return folder if "://" in folder else str(Path(folder).absolute())


def _sources(view: View) -> list[dict[str, Any]]:
    return [
        {
            "attachment": one.attachment.id,
            "label": one.attachment.label,
            "type": one.resource.knowledge_type.value,
            "locator": one.resource.locator,
            "status": view.status_of(one.resource).name.lower(),
            "enabled": one.attachment.enabled,
            "chunks": view.counts[one.resource.key].chunks,
        }
        for one in view.attached
    ]


def _source_line(source: dict[str, Any]) -> str:
    switched_off = "" if source["enabled"] else ", switched off"
    return (
        f"  {source['attachment']}  {source['label']}  ({source['type']})  {source['status']}, "
        f"{plural(source['chunks'], 'chunk')}{switched_off}  {source['locator']}"
    )
