"""Entries, from the outside: each verb is one transaction, with its chunks and its change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

from commonplace.cache.port import SharedMemory
from commonplace.embedding.port import Embedder, Made, ServingModel, make_vectors
from commonplace.errors import (
    EmbeddingUnavailable,
    InvalidArgument,
    NotFound,
    RevisionConflict,
)
from commonplace.knowledge.history import Revision, revision_to_restore, revisions
from commonplace.knowledge.passages import chunks_of, standing_of
from commonplace.knowledge.replays import answer_of, from_bytes, place_of, stored_of, to_bytes
from commonplace.knowledge.rules import checked, permit_adding, permitted, present
from commonplace.knowledge.shown import EntryView, Prepared, Stored
from commonplace.knowledge.supersession import Supersession, released, repointed, superseded
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.attempts import again_on
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.chunk import Owner, OwnerType, Urgency
from commonplace.model.entry import Entry, EntryContent, EntryDraft, EntryKind
from commonplace.model.image import content_of_image
from commonplace.model.query import Filter
from commonplace.model.rights import Verb
from commonplace.model.run import Run, RunKind
from commonplace.storage.port import CorpusStatistics, Store, Transaction

_LOG = logging.getLogger("commonplace.knowledge")
REBUILD_BATCH = 50
LONG_AGO = datetime.min.replace(tzinfo=UTC)
NewId = Callable[[datetime], str]
REPLAY_WINDOW = timedelta(seconds=60)


class KnowledgeService:
    """What can be done to entries."""

    def __init__(
        self,
        store: Store,
        quotas: QuotaService | None = None,
        model: ServingModel | None = None,
        answers: SharedMemory | None = None,
    ) -> None:
        self._store = store
        self._quotas = quotas or QuotaService(store)
        self._model = model
        self._answers = answers

    def prepare(self, kind: EntryKind, content: EntryContent, call: Call = PLAIN_CALL) -> Prepared:
        """Check and embed, outside of any transaction; a model that is away is no error."""
        ready = checked(content, LONG_AGO)
        if self._model is None:
            return Prepared(kind, ready)
        return _prepared(self._model.current(), kind, ready, call)

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
        with self._store.write(actor) as tx:
            self._quotas.spend(tx)
            draft = EntryDraft(id or str(uuid4()), kind, checked(content, tx.now), source)
            entry = tx.entries.insert(draft)
            index(tx, entry)
            call.check()
        return entry

    def add_prepared(
        self,
        actor: Actor,
        prepared: Prepared,
        new_id: NewId,
        *,
        source: str = "agent",
        call: Call = PLAIN_CALL,
    ) -> Entry:
        """Store what was embedded before: it is found by meaning from its first moment."""
        permit_adding(actor, prepared.kind)
        with self._store.write(actor) as tx:
            self._quotas.spend(tx)
            entry = insert_prepared(tx, prepared, new_id(tx.now), source)
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
        """Replace the content by what `revised` makes of it, embedded at once.

        Who changes the entry in the meantime is not overwritten: it is read and revised again.
        """

        def once() -> Entry:
            before = self.get(actor, id, kind).entry
            content = revised(before)
            prepared = self._prepared_anew(actor, before, content, call)
            return self._revise_once(actor, before, prepared, call)

        return again_on(RevisionConflict, once)

    def _prepared_anew(
        self, actor: Actor, entry: Entry, content: EntryContent, call: Call
    ) -> Prepared:
        """What the entry says already is embedded already."""
        if self._model is None:
            return self.prepare(entry.kind, content, call)
        embedder = self._model.current()
        with self._store.read(actor) as tx:
            embedded = tx.vectors.embedded_texts(owner_of(entry), embedder.identity.key)
        ready = checked(content, LONG_AGO)
        return _prepared(embedder, entry.kind, ready, call, embedded)

    def _revise_once(self, actor: Actor, before: Entry, prepared: Prepared, call: Call) -> Entry:
        with self._store.write(actor) as tx:
            entry = present(permitted(tx.entries.get(before.id, before.kind), actor, Verb.CHANGE))
            revised = replace(entry, revision=before.revision, content=prepared.content)
            entry = tx.entries.update(revised, Operation.EDIT)
            index(tx, entry)
            put_vectors(tx, entry, prepared)
            call.check()
        return entry

    def tally(self, actor: Actor, wanted: Filter) -> dict[str | None, int]:
        """How many there are of each category."""
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
        """Store; repetitions with the same token get the first answer."""
        permit_adding(actor, kind)
        checked(content, LONG_AGO)
        place = place_of(actor, kind, token) if token and self._answers else ""
        if self._answers and place and (kept := self._answers.get(place)):
            return from_bytes(kept)
        with self._store.write(actor) as tx:
            ready, operation = checked(content, tx.now), f"store.{kind.value}"
            if token:
                first = tx.replays.claim(operation, token, tx.now + REPLAY_WINDOW)
                if first is not None:
                    return stored_of(first)
            self._quotas.spend(tx)
            entry = tx.entries.insert(EntryDraft(str(uuid4()), kind, ready))
            index(tx, entry)
            answer = answer_of(entry)
            if token:
                tx.replays.settle(operation, token, answer)
            call.check()
        if self._answers and place:
            self._answers.put(place, to_bytes(answer), REPLAY_WINDOW.total_seconds())
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
        """What an id stands for that is not of the kind that was looked for."""
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id)
        return entry.kind if entry and entry.deleted_at is None else None

    def page(
        self, actor: Actor, wanted: Filter, limit: int, offset: int = 0
    ) -> tuple[list[Entry], int]:
        """Newest first, and how many there are in all."""
        with self._store.read(actor) as tx:
            return tx.entries.page(wanted, limit, offset), tx.entries.count(wanted)

    def edit(
        self,
        actor: Actor,
        id: str,
        content: EntryContent,
        *,
        revision: int | None = None,
        call: Call = PLAIN_CALL,
    ) -> Entry:
        """Replace the content; a given revision must still be the current one."""
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
        """Take the entry out of sight; `restore` brings it back."""
        with self._store.write(actor) as tx:
            entry = delete_in(tx, id, kind)
            call.check()
        return entry

    def restore(
        self, actor: Actor, id: str, revision: int | None = None, *, call: Call = PLAIN_CALL
    ) -> Entry:
        """Go back to a revision, by default to the one before the last change."""
        with self._store.write(actor) as tx:
            tx.entries.hold_chains()
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
            _update_all(tx, followers, Operation.RESTORE)
            call.check()
        return entry

    def purge(self, actor: Actor, id: str) -> None:
        """Erase the entry, its history, its index and its vectors; nothing brings it back."""
        with self._store.write(actor) as tx:
            entry = permitted(tx.entries.get(id), actor, Verb.PURGE)
            files = tx.blobs.named_by(entry)
            tx.chunks.remove(owner_of(entry))
            tx.entries.erase(entry)
            tx.blobs.release(files)
            _forget_statistics(tx)
        self._store.scrub()

    def history(self, actor: Actor, id: str) -> list[Revision]:
        """Oldest first; deleted entries too."""
        with self._store.read(actor) as tx:
            entry = tx.entries.get(id)
            if entry is None or entry.org != actor.org:
                raise NotFound("No entry with that id.")
            return revisions(entry, tx.changes.history(entry))

    def supersede(
        self, actor: Actor, kind: EntryKind, old_id: str, new_id: str, *, call: Call = PLAIN_CALL
    ) -> Supersession:
        """Mark an entry as replaced by another; the actor must own one of them."""
        with self._store.write(actor) as tx:
            tx.entries.hold_chains()
            old, new = self._pair(tx, kind, old_id, new_id)
            mine = new if actor.agent == new.agent else old
            permitted(mine, actor, Verb.SUPERSEDE)
            done = replace_by(tx, old, new)
            call.check()
        return done

    def start_rebuild(self, actor: Actor) -> Run:
        """Queue the making anew of everything that is derived from the org's entries."""
        with self._store.write(actor) as tx:
            batches, after = [], 0
            while keys := tx.entries.keys_after(after, REBUILD_BATCH):
                batches.append({"keys": keys})
                after = keys[-1]
            return tx.runs.start(RunKind.REBUILD, batches)

    def rebuild_batch(
        self, actor: Actor, subject: Mapping[str, Any], call: Call = PLAIN_CALL
    ) -> None:
        """Chunks of some entries from scratch: found by words at once, by meaning once embedded."""
        with self._store.write(actor) as tx:
            for entry in tx.entries.lock(subject["keys"]):
                if entry.deleted_at is None:
                    tx.chunks.remove(owner_of(entry))
                    index(tx, entry, Urgency.BULK)
            call.check()

    @staticmethod
    def _pair(tx: Transaction, kind: EntryKind, old_id: str, new_id: str) -> tuple[Entry, Entry]:
        found = [tx.entries.get(id, kind) for id in (old_id, new_id)]
        ours = [e for e in found if e is not None and e.org == tx.actor.org]
        held = {e.id: present(e) for e in tx.entries.lock([e.key for e in ours])}
        if not {old_id, new_id} <= held.keys():
            raise NotFound("No entry with that id.")
        return held[old_id], held[new_id]


def owner_of(entry: Entry) -> Owner:
    return Owner(OwnerType.ENTRY, entry.key)


def index(tx: Transaction, entry: Entry, urgency: Urgency = Urgency.FRESH) -> int:
    """Bring the chunks of an entry up to date (hidden ones have none); how many wait now."""
    drafts = chunks_of(entry.kind, entry.content, urgency) if entry.searchable else []
    return tx.chunks.replace(owner_of(entry), standing_of(entry), drafts)


def delete_in(tx: Transaction, id: str, kind: EntryKind | None) -> Entry:
    entry = present(permitted(tx.entries.get(id, kind), tx.actor, Verb.REMOVE))
    entry = tx.entries.update(replace(entry, deleted_at=tx.now), Operation.DELETE)
    tx.chunks.remove(owner_of(entry))
    return entry


def insert_prepared(tx: Transaction, prepared: Prepared, id: str, source: str = "agent") -> Entry:
    content = checked(prepared.content, tx.now)
    entry = tx.entries.insert(EntryDraft(id, prepared.kind, content, source))
    index(tx, entry)
    put_vectors(tx, entry, prepared)
    return entry


def put_vectors(tx: Transaction, entry: Entry, prepared: Prepared) -> None:
    if prepared.model is not None:
        lacking = tx.vectors.of_owner(owner_of(entry), prepared.model)
        tx.vectors.keep(Made(prepared.model, prepared.vectors), lacking)


def _prepared(
    embedder: Embedder,
    kind: EntryKind,
    content: EntryContent,
    call: Call,
    embedded: Collection[str] = (),
) -> Prepared:
    """Texts whose hash is in `embedded` have their vectors already."""
    drafts = chunks_of(kind, content, Urgency.FRESH)
    try:
        made = make_vectors(embedder, [d for d in drafts if d.text_hash not in embedded], call)
    except EmbeddingUnavailable as error:
        _LOG.warning("not embedded at once", extra={"reason": error.message})
        return Prepared(kind, content)
    return Prepared(kind, content, made.model, made.windows)


def replace_by(tx: Transaction, old: Entry, new: Entry) -> Supersession:
    """Let one entry supersede another; the caller holds the chains and has checked who may."""
    successor = superseded(old, new)
    if successor is None:
        return Supersession(old.id, new.id, old.head or new.id, 0)
    head = successor.head or new.id
    followers = repointed(tx.entries.with_head(old.kind, old.id), head)
    changed = _update_all(tx, [successor, *followers], Operation.SUPERSEDE)
    return Supersession(old.id, new.id, head, changed)


def _forget_statistics(tx: Transaction) -> None:
    """Counted terms are words of somebody's text too; whoever needs them counts again."""
    if tx.statistics.load() is not None:
        tx.statistics.save(CorpusStatistics(0, 0, 1.0, {}, tx.now))


def _update_all(tx: Transaction, entries: Sequence[Entry], operation: Operation) -> int:
    for entry in entries:
        index(tx, tx.entries.update(entry, operation))
    return len(entries)
