"""Operations on notebooks and records, each in one transaction.

Each is a resource with its own attachment, and its contents are entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeVar
from uuid import uuid4

from commonplace.errors import Conflict, NotFound
from commonplace.knowledge.rules import LONG_AGO, checked, permit_adding, permitted
from commonplace.knowledge.service.preparing import EntryChunks
from commonplace.knowledge.service.writes import delete_in, index, index_drafts
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.chunk import ChunkDraft
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind
from commonplace.model.retry import retry_on
from commonplace.model.rights import Thing, Verb, permit, whose_is
from commonplace.model.workspace import (
    Attached,
    AttachmentDraft,
    KnowledgeType,
    Resource,
    ResourceDraft,
    ResourceKind,
)
from commonplace.storage.port import Store, Transaction
from commonplace.workspace.projects.changes import Preferences
from commonplace.workspace.projects.scope import WorkspaceScope
from commonplace.workspace.projects.service import attached_in, detach
from commonplace.workspace.records import notebook, record
from commonplace.workspace.records.notebook import NewNote, normal_handle, note_content, title_of
from commonplace.workspace.records.record import NewRecord, RecordEdit, edited, record_content

_NO_ENTRY = "The scope has no such entry."
_THINGS = {ResourceKind.NOTEBOOK: Thing.NOTEBOOK, ResourceKind.RECORD: Thing.RECORD}
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class NotebookView:
    """A notebook after appending a note."""

    attached: Attached
    handle: str
    notes: int
    latest: Entry


@dataclass(frozen=True, slots=True)
class RecordView:
    attached: Attached
    entry: Entry


class RecordService:
    """Operations on notebooks and records of a scope."""

    def __init__(self, store: Store, quotas: QuotaService, chunks: EntryChunks) -> None:
        self._store = store
        self._quotas = quotas
        self._chunks = chunks

    def append(
        self, actor: Actor, scope: WorkspaceScope, note: NewNote, call: Call = PLAIN_CALL
    ) -> NotebookView:
        """Append a note to the agent's notebook; the first note creates it."""
        handle = normal_handle(note.handle)
        # Two agents may write the first note at once; the retry finds the notebook.
        drafts = self._drafts(actor, EntryKind.NOTEBOOK_NOTE, note_content(note, None, 0), call)
        return retry_on(
            Conflict, lambda: self._append_once(actor, scope, handle, note, drafts, call)
        )

    def _drafts(
        self, actor: Actor, kind: EntryKind, content: EntryContent, call: Call
    ) -> Sequence[ChunkDraft]:
        """The chunks of an entry, made before the transaction; they do not depend on its place."""
        return self._chunks.of(actor, kind, checked(content, LONG_AGO), call)

    def _append_once(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        handle: str,
        note: NewNote,
        drafts: Sequence[ChunkDraft],
        call: Call,
    ) -> NotebookView:
        with self._store.write(actor) as tx:
            self._quotas.spend(tx)
            project = attached_in(tx, scope).scope.project
            attached = _notebook(tx, project, handle)
            permit(actor, Thing.NOTEBOOK, Verb.APPEND, whose_is(actor, attached.resource.agent))
            wished = Preferences(trust=note.trust, weight=note.weight)
            if wished != Preferences():
                attached = tx.attachments.update(wished.applied_to(attached.attachment))
            resource = attached.resource
            content = note_content(note, project, resource.key)
            latest = _written(tx, f"note_{uuid4().hex}", EntryKind.NOTEBOOK_NOTE, content, drafts)
            notes = tx.resources.counts([resource.key])[resource.key].entries
            call.check()
            return NotebookView(attached, handle, notes, latest)

    def delete_note(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        id: str,
        note_id: str,
        call: Call = PLAIN_CALL,
    ) -> int:
        """Delete one note; the notebook stays. Returns how many notes are left."""
        with self._store.write(actor) as tx:
            found = _find(tx, scope, id, ResourceKind.NOTEBOOK).resource
            resource = _lock(tx, found)
            note = tx.entries.get(note_id, EntryKind.NOTEBOOK_NOTE)
            if note is None or note.content.place.resource != resource.key:
                raise NotFound("The notebook has no such note.")
            delete_in(tx, note_id, EntryKind.NOTEBOOK_NOTE)
            left = tx.resources.counts([resource.key])[resource.key].entries
            call.check()
            return left

    def delete(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        id: str,
        kind: ResourceKind,
        call: Call = PLAIN_CALL,
    ) -> None:
        """Delete a whole notebook or record, with its attachment."""
        with self._store.write(actor) as tx:
            held = _find(tx, scope, id, kind)
            permit(actor, _THINGS[kind], Verb.REMOVE, whose_is(actor, held.resource.agent))
            detach(tx, held)
            call.check()

    def create(
        self, actor: Actor, scope: WorkspaceScope, new: NewRecord, call: Call = PLAIN_CALL
    ) -> RecordView:
        permit_adding(actor, EntryKind.RECORD)
        drafts = self._drafts(actor, EntryKind.RECORD, record_content(new, None, 0), call)
        with self._store.write(actor) as tx:
            self._quotas.spend(tx)
            project = attached_in(tx, scope).scope.project
            locator = record.locator_of(project, new.identity)
            if tx.resources.at(KnowledgeType.RECORD, locator) is not None:
                raise Conflict("That version of the record already exists; update it instead.")
            title = record_content(new, project, 0).title
            resource = tx.resources.insert(
                ResourceDraft(_new_id(), ResourceKind.RECORD, KnowledgeType.RECORD, locator, title)
            )
            plain = AttachmentDraft(
                _attachment_id(),
                resource.key,
                project,
                title,
                record.DEFAULT_TRUST,
                record.DEFAULT_WEIGHT,
            )
            wished = Preferences(trust=new.trust, weight=new.weight)
            attached = tx.attachments.insert(wished.draft(plain))
            content = record_content(new, project, resource.key)
            entry = _written(tx, resource.id, EntryKind.RECORD, content, drafts)
            call.check()
            return RecordView(attached, entry)

    def update(
        self,
        actor: Actor,
        scope: WorkspaceScope,
        id: str,
        edit: RecordEdit,
        call: Call = PLAIN_CALL,
    ) -> RecordView:
        with self._store.write(actor) as tx:
            attached = _find(tx, scope, id, ResourceKind.RECORD)
            tx.resources.lock(attached.resource.key)
            entry = permitted(_only_entry(tx, attached.resource), actor, Verb.CHANGE)
            content = checked(edited(entry.content, edit), tx.now)
            if content != entry.content:
                changed = replace(entry, content=content)
                entry = tx.entries.update(changed, Operation.EDIT)
                index(tx, entry)
                tx.resources.queue([attached.resource.key], None)
            wished = Preferences(label=content.title, trust=edit.trust, weight=edit.weight)
            attached = tx.attachments.update(wished.applied_to(attached.attachment))
            call.check()
            return RecordView(attached, entry)


def _notebook(tx: Transaction, project: str | None, handle: str) -> Attached:
    locator = notebook.locator_of(project, handle)
    known = tx.resources.at(KnowledgeType.NOTEBOOK, locator)
    if known is not None:
        held = _lock(tx, known)
        return Attached(tx.attachments.of_resource(held.key)[0], held)
    title = title_of(handle)
    resource = tx.resources.insert(
        ResourceDraft(_new_id(), ResourceKind.NOTEBOOK, KnowledgeType.NOTEBOOK, locator, title)
    )
    return tx.attachments.insert(
        AttachmentDraft(
            _attachment_id(),
            resource.key,
            project,
            title,
            notebook.DEFAULT_TRUST,
            notebook.DEFAULT_WEIGHT,
        )
    )


def _lock(tx: Transaction, resource: Resource) -> Resource:
    """Lock the notebook, so that the count of notes stays right."""
    held = tx.resources.lock(resource.key)
    if held is None:
        raise Conflict("The notebook has just been deleted.")
    return held


def _written(
    tx: Transaction,
    id: str,
    kind: EntryKind,
    content: EntryContent,
    drafts: Sequence[ChunkDraft],
) -> Entry:
    entry = tx.entries.insert(EntryDraft(id, kind, checked(content, tx.now)))
    index_drafts(tx, entry, drafts)
    return entry


def _find(tx: Transaction, scope: WorkspaceScope, id: str, kind: ResourceKind) -> Attached:
    """A notebook or record of the scope; those of other scopes do not exist here."""
    for attached in attached_in(tx, scope).attached:
        if attached.resource.id == id and attached.resource.kind is kind:
            return attached
    raise NotFound(_NO_ENTRY)


def _only_entry(tx: Transaction, resource: Resource) -> Entry:
    entries = tx.entries.lock(tx.resources.entry_keys(resource.key))
    if not entries:
        raise NotFound(_NO_ENTRY)
    return entries[0]


def _new_id() -> str:
    return f"entry_{uuid4().hex}"


def _attachment_id() -> str:
    return f"att_{uuid4().hex}"
