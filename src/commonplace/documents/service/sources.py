"""Sources: adding, listing, refreshing and removing them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from uuid import uuid4

from commonplace.documents.drafts import owner_of
from commonplace.documents.rules import NewSource, acting_in, name_of, origin_of, place_of, scope_of
from commonplace.errors import NotFound, SourceTooLarge
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.change import Operation
from commonplace.model.chunk import Chunk
from commonplace.model.query import ListPosition, Reach
from commonplace.model.rights import Thing, Verb, Whose, permit, whose_is
from commonplace.model.run import RunKind
from commonplace.model.source import (
    Origin,
    Source,
    SourceDraft,
    SourceScope,
    SourceStatus,
    SourceType,
)
from commonplace.storage.port import Store, Transaction

_NO_SOURCE = "No source with that id."


class DocumentService:
    """Operations on sources; `SourceReadingService` reads them. `max_bytes` limits uploads."""

    def __init__(
        self,
        store: Store,
        quotas: QuotaService,
        max_bytes: int,
    ) -> None:
        self._store = store
        self._quotas = quotas
        self._max_bytes = max_bytes

    def add(self, actor: Actor, new: NewSource) -> Source:
        """Store a source; it will be read in the background."""
        scope = scope_of(new)
        place, name = place_of(new, scope), name_of(new)
        whose = Whose.SYSTEM if scope is SourceScope.SYSTEM else Whose.OWN
        permit(actor, Thing.SOURCE, Verb.ADD, whose)
        with self._store.write(acting_in(actor, scope)) as tx:
            origin = self._kept(tx, new)
            if new.type is SourceType.PAGE:
                # After the blobs, in the same order as for skills, to avoid a deadlock.
                self._quotas.spend(tx)
            draft = SourceDraft(f"ks_{uuid4().hex}", name, scope, place, origin)
            source = tx.sources.insert(draft)
            _enqueue(tx, source)
        return source

    def known(self, actor: Actor, new: NewSource) -> Source | None:
        """An earlier source from the same origin in the same place, unless reading it failed."""
        scope = scope_of(new)
        origin, _ = origin_of(new)
        with self._store.read(actor) as tx:
            return tx.sources.of_origin(origin, scope, place_of(new, scope))

    def get(self, actor: Actor, id: str) -> Source:
        with self._store.read(actor) as tx:
            return _present(tx.sources.get(id))

    def in_reach(self, actor: Actor, reach: Reach | None = None) -> list[Source]:
        with self._store.read(actor) as tx:
            return tx.sources.in_reach(reach)

    def newest(self, actor: Actor, limit: int, before: ListPosition | None = None) -> list[Source]:
        """Sources before a position, newest first; as fast for the last page as for the first."""
        with self._store.read(actor) as tx:
            return tx.sources.page(limit, before)

    def chunks(self, actor: Actor, id: str, limit: int, offset: int = 0) -> list[Chunk]:
        """Chunks of a source, in text order."""
        with self._store.read(actor) as tx:
            source = _present(tx.sources.get(id))
            owner = owner_of(source)
            return tx.chunks.page(owner, limit, offset) if owner else []

    def refresh(self, actor: Actor, id: str, replacement: NewSource | None = None) -> Source:
        """Read a source again, or new bytes for it. The old content stays until that is done."""
        verb = Verb.REFRESH if replacement is None else Verb.CHANGE
        with self._writing(actor, id, verb) as (tx, held):
            if replacement is not None:
                origin = self._kept(tx, replacement)
                tx.sources.update(replace(held, origin=origin), Operation.EDIT)
            source = tx.sources.queue(held)
            _enqueue(tx, source)
        return source

    def refresh_all(self, actor: Actor, reach: Reach | None = None, *, anew: bool = False) -> int:
        """Queue all sources of the org that are not queued yet.

        With `anew`, unchanged content is chunked and embedded again too.
        """
        busy = (SourceStatus.PENDING, SourceStatus.PROCESSING)
        with self._store.write(actor) as tx:
            own = [s for s in tx.sources.in_reach(reach) if s.org == actor.org]
            chosen = [tx.sources.queue(s) for s in own if s.sync.status not in busy]
            _enqueue(tx, *chosen, anew=anew)
        return len(chosen)

    def remove(self, actor: Actor, id: str, *, purge: bool = False) -> Source:
        """Hide a source until it is restored or, if `purge` is set, delete it with its bytes."""
        verb = Verb.PURGE if purge else Verb.REMOVE
        with self._writing(actor, id, verb, deleted=purge) as (tx, source):
            if owner := owner_of(source):
                tx.chunks.remove(owner)
            gone = replace(source, deleted_at=tx.now)
            if purge:
                tx.sources.erase(source)
                tx.statistics.forget()
            else:
                tx.sources.update(gone, Operation.DELETE)
        if purge:
            self._store.scrub()
        return gone

    def restore(self, actor: Actor, id: str) -> Source:
        with self._writing(actor, id, Verb.REMOVE, deleted=True) as (tx, held):
            back = tx.sources.update(replace(held, deleted_at=None), Operation.RESTORE)
            source = tx.sources.queue(back)
            _enqueue(tx, source)
        return source

    def _kept(self, tx: Transaction, new: NewSource) -> Origin:
        """The origin of a source, after storing its bytes if they were uploaded."""
        origin, data = origin_of(new)
        if data is not None:
            if len(data) > self._max_bytes:
                raise SourceTooLarge(f"The file has more than {self._max_bytes:,} bytes.")
            self._quotas.spend_blobs(tx, [data])
            tx.blobs.put(data, origin.media_type)
        return origin

    @contextmanager
    def _writing(
        self, actor: Actor, id: str, verb: Verb, *, deleted: bool = False
    ) -> Iterator[tuple[Transaction, Source]]:
        """A write transaction with the source locked, after checking the permission."""
        found = self._found(actor, id)
        if found.deleted_at is not None and not deleted:
            raise NotFound(_NO_SOURCE)
        permit(actor, Thing.SOURCE, verb, whose_is(actor, found.agent, found.org))
        with self._store.write(acting_in(actor, found.scope)) as tx:
            source = tx.sources.lock(found.key)
            if source is None or (source.deleted_at is not None and not deleted):
                raise NotFound(_NO_SOURCE)
            yield tx, source

    def _found(self, actor: Actor, id: str) -> Source:
        for reader in (actor, Actor(SYSTEM_ORG, actor.agent, actor.scopes, actor.client)):
            with self._store.read(reader) as tx:
                if source := tx.sources.get(id):
                    return source
        raise NotFound(_NO_SOURCE)


def _present(source: Source | None) -> Source:
    if source is None or source.deleted_at is not None:
        raise NotFound(_NO_SOURCE)
    return source


def _enqueue(tx: Transaction, *sources: Source, anew: bool = False) -> None:
    if sources:
        subjects = [{"source": source.id, "anew": anew} for source in sources]
        tx.runs.start(RunKind.SOURCE, subjects)
