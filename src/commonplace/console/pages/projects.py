"""Actions on projects and their folders: attach, set trust and weight, index, detach."""

from __future__ import annotations

from starlette.responses import Response

from commonplace.application import Application
from commonplace.console.pages.reading import href_of
from commonplace.console.pages.sources import refused
from commonplace.console.visits import Address, SentForm, Visit, known
from commonplace.errors import CommonplaceError, InvalidArgument
from commonplace.memory.additions import Addition
from commonplace.model.actor import Scope
from commonplace.model.chunk import TrustTier
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp, Preferences
from commonplace.workspace.projects.filing import file_reference
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.runs.outcome import Execution, RunMode, RunRequest

_HOLDS = {"code": False, "docs": True}
_FILES = 200
_TRUST = {tier.value: tier for tier in TrustTier}
_ACTIONS = {
    "enable": AttachmentOp.ENABLE,
    "disable": AttachmentOp.DISABLE,
    "detach": AttachmentOp.REMOVE,
    "update": AttachmentOp.UPDATE,
}


async def add(visit: Visit) -> Response:
    """Attach a folder to its project, or to a new one, and queue it for indexing."""
    form = await visit.form()
    try:
        new = Addition(
            into=form.text("key").strip(),
            folder=form.text("folder").strip(),
            docs=known(form.text("holds"), _HOLDS, "holds"),
            background=True,
        )
        await visit.write(lambda app: app.memory.adding.add(visit.actor, new))
    except CommonplaceError as error:
        return await refused(visit, form, error)
    return visit.go("/sources", done="folder-added")


async def change(visit: Visit) -> Response:
    """Change one attachment: enable, disable, update, detach, or index it."""
    form, id = await visit.form(), visit.part("id")
    action, scope = form.text("action"), _scope(form.text("project"))
    if action in ("index", "rebuild"):
        mode = RunMode.REBUILD if action == "rebuild" else RunMode.INCREMENTAL
        run = RunRequest(attachment_ids=(id,), mode=mode, execution=Execution.BACKGROUND)
        await visit.write(lambda app: app.runs.ingest(visit.actor, run))
        return visit.go("/sources", done="read-again")
    op = known(action, _ACTIONS, "action")
    preferences = _preferences(form) if op is AttachmentOp.UPDATE else Preferences()
    one = AttachmentChange(op, id, preferences=preferences)
    await visit.write(lambda app: app.workspace.change(visit.actor, scope, [one]))
    return visit.go("/sources", done="detached" if op is AttachmentOp.REMOVE else "folder-changed")


def _scope(project: str) -> WorkspaceScope:
    if not project:
        return WorkspaceScope(ScopeName.GLOBAL)
    return WorkspaceScope(ScopeName.PROJECT, (project,))


def _preferences(form: SentForm) -> Preferences:
    try:
        weight = float(form.text("weight"))
    except ValueError:
        raise InvalidArgument("weight is a number.", field="weight") from None
    if not 0 <= weight <= 10:
        raise InvalidArgument("weight is a number from 0 to 10.", field="weight")
    return Preferences(trust=known(form.text("trust"), _TRUST, "trust"), weight=weight)


async def files(visit: Visit) -> Response:
    """The indexed files of a folder, each with a link to its passages."""
    id, after = visit.part("id"), visit.query("after")

    def work(app: Application) -> dict[str, object]:
        attached, found = app.insight.files(visit.actor, id, after, _FILES)
        owner = app.workspace.projects(visit.actor)
        project = next((one for one in owner if one.id == attached.attachment.project_id), None)
        references = {
            file.path: href_of(str(file_reference(attached, project, file.path))) for file in found
        }
        return {"attached": attached, "files": found, "references": references}

    shown = await visit.read(work)
    return await visit.page("sources/files.html", after=after, listed=_FILES, **shown)


async def remove(visit: Visit) -> Response:
    await visit.form()
    id = visit.part("id")
    await visit.write(lambda app: app.workspace.remove_project(visit.actor, id))
    return visit.go("/sources", done="project-removed")


ADDRESSES = (
    Address("GET", "/attachments/{id}/files", files),
    Address("POST", "/projects", add, Scope.WRITE),
    Address("POST", "/projects/{id}/remove", remove, Scope.WRITE),
    Address("POST", "/attachments/{id}", change, Scope.WRITE),
)
