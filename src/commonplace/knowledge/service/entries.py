"""The operations on entries: each is one transaction, including chunks and change record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import uuid4

from commonplace.embedding.port import ServingModel
from commonplace.errors import InvalidArgument, NotFound, RevisionConflict
from commonplace.knowledge.history import Revision, revision_to_restore, revisions
from commonplace.knowledge.passages import chunks_of
from commonplace.knowledge.replays import answer_of, stored_of
from commonplace.knowledge.rules import (
    LONG_AGO,
    checked,
    permit_adding,
    permitted,
    present,
    unexpired,
)
from commonplace.knowledge.service.preparing import EntryChunks, Preparation
from commonplace.knowledge.service.writes import (
    delete_in,
    index,
    index_drafts,
    insert_prepared,
    owner_of,
    put_vectors,
    replace_by,
    update_all,
)
from commonplace.knowledge.supersession import Supersession, released
from commonplace.knowledge.usage.service import QuotaService
from commonplace.knowledge.values import EntryView, Prepared, Stored
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.chunk import Urgency
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind
from commonplace.model.image import content_of_image
from commonplace.model.query import Filter, ListPosition
from commonplace.model.retry import retry_on
from commonplace.model.rights import Verb
from commonplace.storage.port import Store, Transaction

NewId = Callable[[datetime], str]
REPLAY_WINDOW = timedelta(seconds=60)


class KnowledgeService:
    """The operations on entries."""

    def __init__(
        self,
        store: Store,
        quotas: QuotaService,
        model: ServingModel,
        chunks: EntryChunks,
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._preparation = Preparation(store, model, chunks)

    def prepare(
        self, actor: Actor, kind: EntryKind, content: EntryContent, call: Call = PLAIN_CALL
    ) -> Prepared:
        """Check and embed outside any transaction; an unavailable model is not an error."""
        return self._preparation.prepare(actor, kind, content, call)

    def add(
        self,
        actor: Actor,
        kind: EntryKind,
        content: EntryContent,
        *,
        id: str | None = None,
        source: str = "agent",
        call: Call = PLAIN_CALL,
    ) -> Entry:
        permit_adding(actor, kind)
        ready = checked(content, LONG_AGO)
        chunks = chunks_of(kind, ready, Urgency.FRESH)
        with self._store.write(actor) as tx:
            self._quotas.spend_last(tx)
            unexpired(ready, tx.now)
            entry = tx.entries.insert(EntryDraft(id or str(uuid4()), kind, ready, source))
            index_drafts(tx, entry, chunks)
            call.check()
        return entry

    def add_prepared(self, actor: Actor, prepared: Prepared, new_id: NewId, call: Call) -> Entry:
        """Store an entry with the vectors made before, so that it can be found by meaning at
        once."""
        permit_adding(actor, prepared.kind)
        with self._store.write(actor) as tx:
            self._quotas.spend_last(tx)
            entry = insert_prepared(tx, prepared, new_id(tx.now))
            call.check()
        return entry

    def revise(
        self,
        actor: Actor,
        kind: EntryKind,
        id: str,
        revised: Callable[[Entry], EntryContent],
        *,
        call: Call = PLAIN_CALL,
    ) -> Entry:
        """Replace the content by the result of `revised`, embedded at once.

        If somebody else changes the entry meanwhile, it is read and revised again.
        """

        def once() -> Entry:
            before = self.get(actor, id, kind).entry
            content = revised(before)
            prepared = self._preparation.prepare_revision(actor, before, content, call)
            return self._revise_once(actor, before, prepared, call)

        return retry_on(RevisionConflict, once)

    def _revise_once(self, actor: Actor, before: Entry, prepared: Prepared, call: Call) -> Entry:
        with self._store.write(actor) as tx:
            entry = present(permitted(tx.entries.get(before.id, before.kind), actor, Verb.CHANGE))
            revised = replace(entry, revision=before.revision, content=prepared.content)
            entry = tx.entries.update(revised, Operation.EDIT)
            index_drafts(tx, entry, prepared.drafts)
            put_vectors(tx, entry, prepared)
            call.check()
        return entry

    def tally(self, actor: Actor, wanted: Filter) -> dict[str | None, int]:
        """The number of entries per category."""
        with self._store.read(actor) as tx:
            return tx.entries.tally(wanted)

    def add_once(
        self,
        actor: Actor,
        kind: EntryKind,
        content: EntryContent,
        *,
        token: str | None,
        call: Call = PLAIN_CALL,
    ) -> Stored:
        """Store an entry; repetitions with the same token get the first answer."""
        permit_adding(actor, kind)
        ready = checked(content, LONG_AGO)
        # Before the transaction, because other writers wait for it.
        chunks = chunks_of(kind, ready, Urgency.FRESH)
        with self._store.write(actor) as tx:
            unexpired(ready, tx.now)
            operation = f"store.{kind.value}"
            if token:
                first = tx.replays.claim(operation, token, tx.now + REPLAY_WINDOW)
                if first is not None:
                    return stored_of(first)
            self._quotas.spend_last(tx)
            entry = tx.entries.insert(EntryDraft(str(uuid4()), kind, ready))
            index_drafts(tx, entry, chunks)
            answer = answer_of(entry)
            if token:
                tx.replays.settle(operation, token, answer)
            call.check()
        return stored_of(answer)

    def get(self, actor: Actor, id: str, kind: EntryKind | None = None) -> EntryView:
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id, kind)
            if entry is None:
                raise NotFound("No entry with that id.")
            return EntryView(present(entry), tx.chunks.state(owner_of(entry)), tx.now)

    def ids_beginning(self, actor: Actor, beginning: str, limit: int) -> list[str]:
        with self._store.read(actor) as tx:
            return tx.entries.ids_beginning(beginning, limit)

    def kind_of(self, actor: Actor, id: str) -> EntryKind | None:
        """The kind of an entry that was looked for under a wrong kind."""
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id)
        return entry.kind if entry and entry.deleted_at is None else None

    def page(
        self, actor: Actor, wanted: Filter, limit: int, offset: int = 0
    ) -> tuple[list[Entry], int]:
        """A page of entries, newest first, and the total number."""
        with self._store.read(actor) as tx:
            return tx.entries.page(wanted, limit, offset), tx.entries.count(wanted)

    def older(
        self, actor: Actor, wanted: Filter, limit: int, before: ListPosition | None = None
    ) -> list[Entry]:
        """Entries before a position, newest first; as fast for the last page as for the first."""
        with self._store.read(actor) as tx:
            return tx.entries.page(wanted, limit, 0, before)

    def edit(
        self,
        actor: Actor,
        id: str,
        content: EntryContent,
        *,
        revision: int | None = None,
        call: Call = PLAIN_CALL,
    ) -> Entry:
        """Replace the content; if a revision is given, it must be the current one."""
        with self._store.write(actor) as tx:
            entry = present(permitted(tx.entries.get(id), actor, Verb.CHANGE))
            expected = entry if revision is None else replace(entry, revision=revision)
            unchanged_expiry = content.expires_at == entry.content.expires_at
            moment = LONG_AGO if unchanged_expiry else tx.now
            edited = replace(expected, content=checked(content, moment))
            entry = tx.entries.update(edited, Operation.EDIT)
            index(tx, entry)
            call.check()
        return entry

    def delete(
        self, actor: Actor, id: str, kind: EntryKind | None = None, *, call: Call = PLAIN_CALL
    ) -> Entry:
        """Hide the entry; `restore` brings it back."""
        with self._store.write(actor) as tx:
            entry = delete_in(tx, id, kind)
            call.check()
        return entry

    def restore(
        self, actor: Actor, id: str, revision: int | None = None, *, call: Call = PLAIN_CALL
    ) -> Entry:
        """Go back to a revision, by default the one before the last change."""
        with self._store.write(actor) as tx:
            tx.entries.lock_chains()
            entry = permitted(tx.entries.get(id), actor, Verb.REMOVE)
            if revision is None and entry.revision == 1:
                raise InvalidArgument("The entry has no earlier revision.", field="revision")
            known = revisions(entry, tx.changes.history(entry))
            image = revision_to_restore(entry, known, revision)
            restored = replace(entry, content=content_of_image(image), deleted_at=None)
            followers: list[Entry] = []
            if image["head"] is None and entry.head is not None:
                chain = tx.entries.with_head(entry.kind, entry.head)
                restored, followers = released(restored, chain)
            entry = tx.entries.update(restored, Operation.RESTORE)
            index(tx, entry)
            update_all(tx, followers, Operation.RESTORE)
            call.check()
        return entry

    def purge(self, actor: Actor, id: str) -> None:
        """Erase the entry with its history, index and vectors, irrevocably."""
        with self._store.write(actor) as tx:
            found = permitted(tx.entries.get(id), actor, Verb.PURGE)
            if found.kind is EntryKind.RECORD:
                _detach(tx, found)
            # Before its chunks, in the order in which changes take them, to avoid a deadlock.
            held = tx.entries.lock([found.key])
            entry = permitted(held[0] if held else None, actor, Verb.PURGE)
            files = tx.blobs.digests_of(entry)
            tx.chunks.remove(owner_of(entry))
            tx.entries.erase(entry)
            tx.blobs.release(files)
            tx.statistics.forget()
        self._store.scrub()

    def history(self, actor: Actor, id: str) -> list[Revision]:
        """The revisions of an entry, oldest first; of deleted entries too."""
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id)
            if entry is None or entry.org != actor.org:
                raise NotFound("No entry with that id.")
            return revisions(entry, tx.changes.history(entry))

    def supersede(
        self,
        actor: Actor,
        kind: EntryKind,
        old_id: str,
        new_id: str,
        *,
        with_tags: bool = False,
        call: Call = PLAIN_CALL,
    ) -> Supersession:
        """Mark an entry as replaced by another, which may also get its tags; the actor must own
        one of them."""
        with self._store.write(actor) as tx:
            tx.entries.lock_chains()
            old, new = self._pair(tx, kind, old_id, new_id)
            mine = new if actor.agent == new.agent else old
            permitted(mine, actor, Verb.SUPERSEDE)
            done = replace_by(tx, old, new)
            tags = tuple(dict.fromkeys((*new.content.tags, *old.content.tags)))
            if with_tags and tags != new.content.tags:
                held = permitted(new, actor, Verb.CHANGE)
                content = checked(replace(held.content, tags=tags), LONG_AGO)
                index(tx, tx.entries.update(replace(held, content=content), Operation.EDIT))
            call.check()
        return done

    @staticmethod
    def _pair(tx: Transaction, kind: EntryKind, old_id: str, new_id: str) -> tuple[Entry, Entry]:
        found = [tx.entries.get(id, kind) for id in (old_id, new_id)]
        ours = [e for e in found if e is not None and e.org == tx.actor.org]
        held = {e.id: present(e) for e in tx.entries.lock([e.key for e in ours])}
        if not {old_id, new_id} <= held.keys():
            raise NotFound("No entry with that id.")
        return held[old_id], held[new_id]


def _detach(tx: Transaction, record: Entry) -> None:
    """Detach a record, whose attachment is labelled with its title."""
    resource = record.content.place.resource
    if resource is not None and tx.resources.lock(resource):
        for attachment in tx.attachments.of_resource(resource):
            tx.attachments.remove(attachment)
