"""Operations on projects and attachments, each in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath
from posixpath import normpath
from uuid import uuid4

from commonplace.embedding.port import ServingModel
from commonplace.errors import (
    AttachmentNotFound,
    Conflict,
    InvalidArgument,
    LocatorInvalid,
    ProjectNotFound,
)
from commonplace.knowledge.service.writes import delete_in
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.retry import retry_on
from commonplace.model.rights import Thing, Verb, Whose, permit, whose_is
from commonplace.model.workspace import (
    Attached,
    AttachmentDraft,
    KnowledgeType,
    Project,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.reading.port import Folders, Places
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.projects.changes import (
    OUTCOMES,
    AttachmentChange,
    AttachmentOp,
    AttachmentOutcome,
    Changed,
    Done,
    Preferences,
    View,
)
from commonplace.workspace.projects.health import IndexHealth, SymbolCounter, health_of
from commonplace.workspace.projects.identity import (
    NewProject,
    checked,
    draft_of,
    find_project,
    project_around,
    resolve_scope,
    with_additions,
)
from commonplace.workspace.projects.policy import (
    Bounds,
    HostPaths,
    checked_shape,
    path_of,
    refuse_broad,
    refuse_not_allowed,
    refuse_sensitive,
    url_of,
    within_roots,
)
from commonplace.workspace.projects.repository import identity_of
from commonplace.workspace.projects.scope import WorkspaceScope

_VERBS = {AttachmentOp.ADD: Verb.ADD, AttachmentOp.REMOVE: Verb.REMOVE}
_ENABLING = {
    AttachmentOp.ENABLE: Preferences(enabled=True),
    AttachmentOp.DISABLE: Preferences(enabled=False),
}


class WorkspaceService:
    """Operations on projects and attachments."""

    def __init__(
        self,
        store: Store,
        model: ServingModel,
        places: Places,
        folders: Folders,
        around: HostPaths,
        symbols: SymbolCounter,
    ) -> None:
        self._store = store
        self._model = model
        self._places = places
        self._folders = folders
        self._around = around
        self._symbols = symbols

    def add_project(self, actor: Actor, new: NewProject) -> Project:
        """Add a project, or add roots to the project that has the key already."""
        new = checked(new)
        permit(actor, Thing.PROJECT, Verb.ADD, Whose.OWN)
        roots = tuple(dict.fromkeys(self._checked_root(root) for root in new.roots))
        identities = filter(None, map(self._identity, roots))
        repository = next(identities, None)
        with self._store.write(actor) as tx:
            known = tx.projects.find(handle=new.handle)
            same = tx.projects.find(repository=repository) if repository else None
            if same is not None and (known is None or known.id != same.id):
                raise Conflict(
                    f"This repository is the project {same.handle} already; add it by that key."
                )
            if known is not None:
                permit(actor, Thing.PROJECT, Verb.CHANGE, whose_is(actor, known.agent))
                return tx.projects.update(with_additions(known, new, roots, repository))
            id = new.id or f"proj_{uuid4().hex}"
            return tx.projects.insert(draft_of(new, id, roots, repository))

    def projects(self, actor: Actor) -> list[Project]:
        """All projects, ordered by key."""
        with self._store.read(actor) as tx:
            return tx.projects.all()

    def project(self, actor: Actor, reference: str) -> Project:
        with self._store.read(actor) as tx:
            return find_project(projects_in(tx), reference)

    def project_at(self, actor: Actor, folder: str) -> Project:
        """The project of a folder: by its location, else by the repository that it is a clone
        of."""
        real = self._places.folder(path_of(folder))
        repository = self._places.repository(real)
        with self._store.read(actor) as tx:
            held = project_around(tx.projects.all(), real)
            if held is None and repository is not None:
                inner = PurePosixPath(repository.inner)
                for part in (inner, *inner.parents):
                    below = "" if part == PurePosixPath() else part.as_posix()
                    identity = identity_of(repository.config, repository.common_folder, below)
                    held = held or tx.projects.find(repository=identity)
        if held is None:
            raise ProjectNotFound("That folder belongs to no project.")
        return held

    def remove_project(self, actor: Actor, reference: str) -> Project:
        """Remove a project and its attachments; resources that nothing else attaches are
        deleted."""
        with self._store.write(actor) as tx:
            tx.attachments.lock()
            project = find_project(projects_in(tx), reference)
            permit(actor, Thing.PROJECT, Verb.REMOVE, whose_is(actor, project.agent))
            for one in tx.attachments.all():
                if one.attachment.project_id == project.id:
                    detach(tx, one)
            tx.projects.remove(project)
        return project

    def view(self, actor: Actor, scope: WorkspaceScope) -> View:
        """The attachments in a scope, including disabled ones."""
        with self._store.read(actor) as tx:
            return counted(tx, attached_in(tx, scope))

    def health(self, actor: Actor, scope: WorkspaceScope) -> IndexHealth:
        with self._store.read(actor) as tx:
            view, now = counted(tx, attached_in(tx, scope)), tx.now
        code = [r.key for r in view.resources if r.knowledge_type is KnowledgeType.CODE]
        graph = self._symbols.counts(actor, code)
        return health_of(view, now, graph, self._model.current().identity.key)

    def change(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        operations: Sequence[AttachmentChange],
        call: Call = PLAIN_CALL,
    ) -> Changed:
        """Apply all operations in order, or none of them."""
        for verb in {_VERBS.get(one.op, Verb.CHANGE) for one in operations}:
            permit(actor, Thing.FOLDER, verb, Whose.SHARED)
        with self._store.read(actor) as tx:
            territory = attached_in(tx, scope)
        drafts = [self._draft(territory, one, call) for one in operations]
        # A conflict means that somebody attached the same folder just now: the retry finds it.
        return retry_on(Conflict, lambda: self._change_once(actor, scope, operations, drafts, call))

    def _change_once(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        operations: Sequence[AttachmentChange],
        drafts: Sequence[ResourceDraft | None],
        call: Call,
    ) -> Changed:
        with self._store.write(actor) as tx:
            tx.attachments.lock()
            project = attached_in(tx, scope).scope.project
            done = tuple(
                _add(tx, project, one, draft) if draft else _alter(tx, project, one)
                for one, draft in zip(operations, drafts, strict=True)
            )
            touched = {one.attached.attachment.id for one in done}
            view = attached_in(tx, scope)
            left = [one for one in view.attached if one.attachment.id in touched]
            call.check()
            return Changed(done, counted(tx, replace(view, attached=tuple(left))))

    def _draft(
        self, territory: View, operation: AttachmentChange, call: Call
    ) -> ResourceDraft | None:
        """The folder that an operation adds, once the source policy has accepted it."""
        if operation.op is not AttachmentOp.ADD:
            return None
        kind = checked_shape(operation.knowledge_type, operation.resource_kind)
        project = territory.scope.project
        bounds = within_roots(territory.projects[project].roots) if project else refuse_broad
        folder = self._real(operation.locator, bounds)
        self._folders.list(folder, call)
        name = PurePosixPath(folder).name or folder
        return ResourceDraft(f"res_{uuid4().hex}", ResourceKind.FOLDER, kind, url_of(folder), name)

    def _real(self, locator: str, bounds: Bounds) -> str:
        """The real path of a locator within bounds; a team server does not reveal what exists
        outside its folders."""
        path = path_of(locator)
        given = normpath(path)
        try:
            folder = self._places.folder(path)
        except LocatorInvalid:
            refuse_not_allowed(given, self._around, given, bounds)
            raise
        refuse_not_allowed(folder, self._around, given, bounds)
        refuse_sensitive(path, self._around)
        refuse_sensitive(folder, self._around)
        bounds(folder, self._around)
        return folder

    def _checked_root(self, locator: str) -> str:
        return self._real(locator, refuse_broad)

    def _identity(self, folder: str) -> str | None:
        found = self._places.repository(folder)
        return identity_of(found.config, found.common_folder, found.inner) if found else None


def projects_in(tx: Transaction) -> Mapping[str, Project]:
    """All projects of the org, by id."""
    return {project.id: project for project in tx.projects.all()}


def attached_in(tx: Transaction, scope: WorkspaceScope) -> View:
    """The attachments in a scope, without counts; ProjectNotFound if it names an unknown
    project."""
    projects = projects_in(tx)
    within = resolve_scope(projects, scope)
    attached = (one for one in tx.attachments.all() if within.holds(one.attachment.project_id))
    return View(within, tuple(attached), projects)


def counted(tx: Transaction, view: View) -> View:
    keys = [resource.key for resource in view.resources]
    problems = tuple(tx.code_files.problems(keys))
    locators = {resource.locator for resource in view.resources}
    kept = {one.key: one.locator for one in tx.resources.histories() if one.locator in locators}
    commits = {kept[key]: each.files for key, each in tx.resources.counts(list(kept)).items()}
    counts = tx.resources.counts(keys)
    return replace(view, counts=counts, problems=problems, commits=commits)


def attachment_in(tx: Transaction, project: str | None, id: str) -> Attached:
    """An attachment of one project, or a global one."""
    attached = tx.attachments.get(id)
    if attached is None or attached.attachment.project_id != project:
        raise AttachmentNotFound(f"The scope has no attachment {id}.")
    return attached


def detach(tx: Transaction, attached: Attached) -> None:
    """Detach from its scope; a resource that nothing else attaches is deleted with its index."""
    # First of all, in the order in which its readers and writers take locks, to avoid a deadlock.
    tx.resources.lock(attached.resource.key)
    tx.attachments.remove(attached.attachment)
    if not tx.attachments.of_resource(attached.resource.key):
        _forget(tx, attached.resource)


def _forget(tx: Transaction, resource: Resource) -> None:
    for entry in tx.entries.lock(tx.resources.entry_keys(resource.key)):
        delete_in(tx, entry.id, entry.kind)
    for file in tx.files.of_resource(resource.key):
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, file.key))
    tx.resources.remove(resource)
    if resource.knowledge_type is not KnowledgeType.HISTORY:
        _forget_history(tx, resource.locator)


def _forget_history(tx: Transaction, locator: str) -> None:
    """Delete a folder's commit history, unless the folder is still attached in another way."""
    history = tx.resources.at(KnowledgeType.HISTORY, locator)
    others = (tx.resources.at(kind, locator) for kind in (KnowledgeType.CODE, KnowledgeType.DOCS))
    if history is not None and not any(others):
        tx.resources.lock(history.key)
        _forget(tx, history)


def _add(
    tx: Transaction, project: str | None, operation: AttachmentChange, draft: ResourceDraft
) -> Done:
    resource = tx.resources.at(draft.knowledge_type, draft.locator) or tx.resources.insert(draft)
    for attachment in tx.attachments.of_resource(resource.key):
        if attachment.project_id == project:
            return Done(
                AttachmentOp.ADD, AttachmentOutcome.ALREADY_ATTACHED, Attached(attachment, resource)
            )
    wished = operation.preferences
    plain = AttachmentDraft(f"att_{uuid4().hex}", resource.key, project, wished.label or draft.name)
    return Done(
        AttachmentOp.ADD, AttachmentOutcome.ATTACHED, tx.attachments.insert(wished.draft(plain))
    )


def _alter(tx: Transaction, project: str | None, operation: AttachmentChange) -> Done:
    attached = attachment_in(tx, project, operation.attachment_id)
    if operation.op is AttachmentOp.REMOVE:
        if attached.resource.kind.is_written:
            raise InvalidArgument(
                "A notebook or record is deleted by record_entry.", field="operations"
            )
        detach(tx, attached)
    else:
        wished = _ENABLING.get(operation.op, operation.preferences)
        attached = tx.attachments.update(wished.applied_to(attached.attachment))
    return Done(operation.op, OUTCOMES[operation.op], attached)
