"""Adds folders, files, web pages and texts through the services that own their rules."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

from commonplace.documents.rules import NewSource
from commonplace.documents.service.sources import DocumentService
from commonplace.errors import CommonplaceError, ProjectNotFound
from commonplace.memory.additions import Added, Addition, bytes_of, checked_way
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.folder import Unread
from commonplace.model.graph import summary_of
from commonplace.model.references import ReferenceKind, ShortReference, of_document
from commonplace.model.source import SourceType
from commonplace.model.workspace import KnowledgeType, Project, ResourceKind
from commonplace.text.plural import plural
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject, free_key
from commonplace.workspace.projects.policy import is_within, path_of
from commonplace.workspace.projects.scope import ScopeName, WorkspaceScope
from commonplace.workspace.projects.service import WorkspaceService
from commonplace.workspace.runs.outcome import Execution, Ingest, RunRequest, TargetOutcome
from commonplace.workspace.runs.service import RunService

_NAMED = 3


class AddService:
    """Adds external sources to the stored knowledge."""

    def __init__(
        self, workspace: WorkspaceService, runs: RunService, documents: DocumentService
    ) -> None:
        self._workspace = workspace
        self._runs = runs
        self._documents = documents

    def add(self, actor: Actor, new: Addition, call: Call = PLAIN_CALL) -> Added:
        way = checked_way(new)
        if way == "folder":
            return self._folder(actor, new, call)
        wanted = _source(way, new)
        if known := self._documents.known(actor, wanted):
            summary = f"there; it was added before as {known.name} in {new.into}, and is kept once"
            return Added(of_document(known.id), summary)
        source = self._documents.add(actor, wanted)
        summary = f"{source.name} in {new.into}: it is read in the background; open shows how far"
        return Added(of_document(source.id), summary)

    def _folder(self, actor: Actor, new: Addition, call: Call) -> Added:
        project, made = self._project(actor, new)
        try:
            self._attach(actor, project, new, call)
        except CommonplaceError:
            if made:
                self._workspace.remove_project(actor, project.id)
            raise
        execution = Execution.BACKGROUND if new.background else Execution.INLINE
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        done = self._runs.ingest(actor, RunRequest(scope, execution=execution), call)
        reference = ShortReference(ReferenceKind.PROJECT, project.handle)
        return Added(reference, f"{'made' if made else 'there'}; {_outcome(done)}")

    def _project(self, actor: Actor, new: Addition) -> tuple[Project, bool]:
        """The named project, or the one that contains the folder, or a new one; and whether it is
        new."""
        known = {project.handle: project for project in self._workspace.projects(actor)}
        if new.into in known:
            rooted = NewProject(new.into, (new.folder,))
            return self._workspace.add_project(actor, rooted), False
        if not new.into:
            try:
                return self._workspace.project_at(actor, new.folder), False
            except ProjectNotFound:
                pass
        name = PurePosixPath(new.folder.rstrip("/")).name
        key = new.into or free_key(name, known)
        return self._workspace.add_project(actor, NewProject(key, (new.folder,))), True

    def _attach(self, actor: Actor, project: Project, new: Addition, call: Call) -> None:
        """Attach the folder, unless an attached folder contains it already."""
        scope = WorkspaceScope(ScopeName.PROJECT, (project.id,))
        attached = self._workspace.view(actor, scope).attached
        folders = [one.resource for one in attached if one.resource.kind is ResourceKind.FOLDER]
        if any(is_within(path_of(new.folder), path_of(each.locator)) for each in folders):
            return
        kind = KnowledgeType.DOCS if new.docs else KnowledgeType.CODE
        change = AttachmentChange(
            AttachmentOp.ADD,
            knowledge_type=kind.value,
            resource_kind=ResourceKind.FOLDER.value,
            locator=new.folder,
        )
        self._workspace.change(actor, scope, [change], call)


def _source(way: str, new: Addition) -> NewSource:
    if way == "url":
        page = new.url.partition("#")[0]  # What follows only names a place in the page.
        return NewSource(SourceType.URL, workspace=new.into, url=page, name=new.title or None)
    if way == "text":
        return NewSource(SourceType.PAGE, workspace=new.into, title=new.title, text=new.text)
    return NewSource(
        SourceType.FILE,
        workspace=new.into,
        file_name=new.file_name,
        data=bytes_of(new.content),
        name=new.title or None,
    )


def _outcome(done: Ingest) -> str:
    parts = []
    for target in done.targets:
        reading = target.reading
        where = target.attached.attachment.label
        if target.outcome is TargetOutcome.FAILED:
            parts.append(f"{where} failed: {reading.error}")
        elif target.outcome is TargetOutcome.QUEUED:
            parts.append(f"{where} is read in the background")
        elif target.outcome is TargetOutcome.READY:
            parts.append(f"{where} was read")
            explained = {problem.path for problem in done.problems}
            parts += _not_read([each for each in reading.unread if each.path not in explained])
        else:
            parts.append(f"{where} is up to date")
    if done.problems:
        files = plural(len(done.problems), "file")
        parts.append(f"of {files} not all is known: {summary_of(done.problems)}")
    if done.pending:
        are = "is" if done.pending == 1 else "are"
        passages = plural(done.pending, "passage")
        parts.append(f"{passages} {are} found by words, and by meaning soon")
    return "; ".join(parts)


def _not_read(unread: Sequence[Unread]) -> list[str]:
    """Files whose text is not known at all; the first few are named."""
    if not unread:
        return []
    named = "; ".join(f"{each.path}: {each.reason}" for each in unread[:_NAMED])
    more = f" and {len(unread) - _NAMED} more" if len(unread) > _NAMED else ""
    were = "was" if len(unread) == 1 else "were"
    return [f"{plural(len(unread), 'file')} {were} not read: {named}{more}"]
