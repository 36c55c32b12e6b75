"""`commonplace ingest` and `push`: indexes attached folders, and sends a folder to a server."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import click

from commonplace.application import Application
from commonplace.bootstrap import build_folders
from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.progress import shown_progress
from commonplace.cli.session import command_session
from commonplace.errors import CommonplaceError, InvalidArgument, ProjectNotFound
from commonplace.model.actor import Actor
from commonplace.model.graph import summary_of
from commonplace.model.workspace import KnowledgeType
from commonplace.settings import load_settings
from commonplace.text.plural import plural
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope
from commonplace.workspace.pushing.manifest import FolderManifest, Pushed, PushedFile
from commonplace.workspace.runs.outcome import (
    Execution,
    Ingest,
    RunMode,
    RunRequest,
    TargetOutcome,
    TargetResult,
)

_TIMEOUT_SECONDS = 60.0
_NO_SERVER = "The server does not answer, or it is not a Commonplace server."


@click.command("ingest", cls=Command)
@click.option("--project", help="Only what is attached to this project (its key or id).")
@click.option("--shared", is_flag=True, help="Only what is attached to no project.")
@click.option("--attachment", "attachments", multiple=True, help="Exactly this attachment.")
@click.option("--rebuild", is_flag=True, help="Read everything again, changed or not.")
@click.option("--background", is_flag=True, help="Leave it to a running server or worker.")
@json_option
def ingest_command(
    project: str | None,
    shared: bool,
    attachments: tuple[str, ...],
    rebuild: bool,
    background: bool,
    as_json: bool,
) -> None:
    """Bring the index of attached folders up to date."""
    if sum(map(bool, (project, shared, attachments))) > 1:
        raise InvalidArgument("Give one of --project, --shared and --attachment.")
    request = RunRequest(
        scope=_scope(project, shared),
        mode=RunMode.REBUILD if rebuild else RunMode.INCREMENTAL,
        execution=Execution.BACKGROUND if background else Execution.INLINE,
        patient=True,
    )
    with command_session() as session, shown_progress(quiet=as_json) as call:
        ids = tuple(map(session.attachment_id, attachments)) or None
        request = replace(request, attachment_ids=ids)
        done = session.application.runs.ingest(session.actor, request, call)
    failed = any(target.outcome is TargetOutcome.FAILED for target in done.targets)
    emit(
        ingest_document(done),
        "\n".join([*map(ingest_line, done.targets), *problem_lines(done)]),
        as_json=as_json,
        failed=failed,
    )


def _scope(project: str | None, shared: bool) -> WorkspaceScope:
    if project:
        return WorkspaceScope(ScopeName.PROJECT, (project,))
    return WorkspaceScope(ScopeName.GLOBAL) if shared else EVERYTHING


def ingest_document(done: Ingest) -> dict[str, Any]:
    return {
        "run_id": done.run_id,
        "targets": [_target(target) for target in done.targets],
        "problems": [{"path": one.path, "reason": one.reason} for one in done.problems],
    }


def _target(target: TargetResult) -> dict[str, Any]:
    reading = target.reading
    return {
        "attachment": target.attached.attachment.id,
        "resource": target.attached.resource.id,
        "label": target.attached.attachment.label,
        "status": target.outcome.value,
        "error": reading.error,
        "written": reading.written,
        "moved": reading.moved,
        "removed": reading.removed,
        "unread": [{"path": each.path, "reason": each.reason} for each in reading.unread],
    }


def problem_lines(done: Ingest) -> list[str]:
    """Which files were not read, and which code files not completely; the first are named."""
    unread = [target.reading.unread_note for target in done.targets]
    files = plural(len(done.problems), "code file")
    partly = [f"Not read completely: {files}: {summary_of(done.problems)}"] if done.problems else []
    return [*filter(None, unread), *partly]


def ingest_line(target: TargetResult) -> str:
    reading, label = target.reading, target.attached.attachment.label
    if reading.error:
        return f"{label}  {target.outcome.value}: {reading.error}"
    if target.outcome is TargetOutcome.SKIPPED:
        why = "unchanged" if target.unchanged else "skipped: another process is reading it"
        return f"{label}  {why}"
    counts = f"{reading.written} written, {reading.moved} moved, {reading.removed} removed"
    unread = f", {len(reading.unread)} not read" if reading.unread else ""
    return f"{label}  {target.outcome.value}  ({counts}{unread})"


class _Server(Protocol):
    """Where a folder is sent: to a server over HTTP, or to the store of this machine."""

    def add_project(self, key: str) -> None: ...

    def push(self, manifest: FolderManifest) -> Pushed: ...

    def keep(self, digest: str, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class _Here:
    application: Application
    actor: Actor

    def add_project(self, key: str) -> None:
        self.application.workspace.add_project(self.actor, NewProject(key))

    def push(self, manifest: FolderManifest) -> Pushed:
        return self.application.pushes.push(self.actor, manifest)

    def keep(self, digest: str, data: bytes) -> None:
        self.application.pushes.keep(self.actor, digest, data)


class _Remote:
    def __init__(self, url: str, token: str | None) -> None:
        import httpx

        headers = {"authorization": f"Bearer {token}"} if token else {}
        self._client = httpx.Client(
            base_url=url.rstrip("/"), headers=headers, timeout=_TIMEOUT_SECONDS
        )

    def add_project(self, key: str) -> None:
        self._request("POST", "/api/projects", json={"key": key})

    def push(self, manifest: FolderManifest) -> Pushed:
        files = [
            {"path": file.path, "digest": file.digest, "size": file.size} for file in manifest.files
        ]
        kind = manifest.knowledge_type.value
        body = {"project": manifest.project, "name": manifest.name, "knowledgeType": kind}
        answer = self._request("POST", "/api/push", json={**body, "files": files})
        if not answer["done"]:
            return Pushed(tuple(answer["missing"]))
        counts = (answer["written"], answer["removed"])
        ids = (answer["resourceId"], answer["attachmentId"], answer["runId"] or "")
        return Pushed((), *ids, *counts)

    def keep(self, digest: str, data: bytes) -> None:
        self._request("PUT", f"/api/push/{digest}", content=data)

    def close(self) -> None:
        self._client.close()

    def _request(self, method: str, path: str, **body: Any) -> dict[str, Any]:
        import httpx

        try:
            response = self._client.request(method, path, **body)
            answer: object = response.json()
        except (httpx.HTTPError, ValueError):
            raise CommonplaceError(_NO_SERVER) from None
        match answer:
            case {"error": {"code": str(code), "message": str(message)}} if response.is_error:
                raise _refusal(code, message)
            case {"error_description": str(message)} | {"error": str(message)}:
                raise CommonplaceError(message)
            case dict() if response.is_success:
                return answer
        raise CommonplaceError(_NO_SERVER)


def _refusal(code: str, message: str) -> CommonplaceError:
    """The error of the server, with its code if this version knows it."""
    kinds = [CommonplaceError]
    for kind in kinds:
        kinds += kind.__subclasses__()
    known = {kind.code: kind for kind in kinds}
    return known.get(code, CommonplaceError)(message)


@click.command("push", cls=Command)
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--project", required=True, help="The key or id of the project on the server.")
@click.option("--new-project", is_flag=True, help="Create the project if it does not exist.")
@click.option("--name", help="Its name on the server (default: the folder's name).")
@click.option("--docs", is_flag=True, help="The folder holds documents rather than code.")
@click.option("--server", help="The address of the server (default: the store of this machine).")
@click.option("--token", envvar="COMMONPLACE_TOKEN", help="A token for the server.")
@json_option
def push_command(
    folder: Path,
    project: str,
    new_project: bool,
    name: str | None,
    docs: bool,
    server: str | None,
    token: str | None,
    as_json: bool,
) -> None:
    """Send a folder to a server that cannot read it; only files that the server lacks are sent."""
    root = folder.resolve()
    kind = KnowledgeType.DOCS if docs else KnowledgeType.CODE
    files, read = _files_of(root)
    manifest = FolderManifest(project, name or root.name, kind, files)
    if server:
        with closing(_Remote(server, token)) as remote:
            done, sent = _send(remote, manifest, read, new_project=new_project)
    else:
        with command_session() as session:
            here = _Here(session.application, session.actor)
            done, sent = _send(here, manifest, read, new_project=new_project)
    document = {
        "resource": done.resource_id,
        "attachment": done.attachment_id,
        "run_id": done.run_id or None,
        "sent": sent,
        "written": done.written,
        "removed": done.removed,
    }
    text = f"Sent {plural(sent, 'file')}: {done.written} written, {done.removed} removed"
    emit(document, text, as_json=as_json)


def _files_of(root: Path) -> tuple[tuple[PushedFile, ...], Callable[[str], bytes]]:
    """The files of a folder, and a function that reads one by its digest."""
    folders = build_folders(load_settings())
    paths: dict[str, str] = {}
    files: list[PushedFile] = []
    for found in folders.list(str(root)).files:
        data = folders.read(str(root), found.path)[1]
        digest = hashlib.sha256(data).hexdigest()
        paths[digest] = found.path
        files.append(PushedFile(found.path, digest, len(data)))
    return tuple(files), lambda digest: folders.read(str(root), paths[digest])[1]


def _send(
    server: _Server,
    manifest: FolderManifest,
    read: Callable[[str], bytes],
    *,
    new_project: bool,
) -> tuple[Pushed, int]:
    """Send the files that the server lacks, then the manifest again; how many were sent."""
    if new_project:
        server.add_project(manifest.project)
    try:
        done = server.push(manifest)
    except ProjectNotFound as error:
        named = error.message.partition(". ")[0]
        raise ProjectNotFound(f"{named}: --new-project creates it.") from None
    missing = done.missing
    for digest in missing:
        server.keep(digest, read(digest))
    if missing:
        done = server.push(manifest)
    if done.missing:
        raise CommonplaceError("The folder changed while it was being sent; push it again.")
    return done, len(missing)
