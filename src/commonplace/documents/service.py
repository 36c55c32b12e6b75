"""Sources: adding and removing them, and reading them in the background."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import uuid4

from commonplace.documents.drafts import content_hash, drafts_of, metadata_of
from commonplace.documents.rules import (
    NewSource,
    acting_in,
    name_of,
    origin_of,
    place_of,
    scope_of,
)
from commonplace.embedding.port import ComputedVectors, Embedder, ServingModel, make_vectors
from commonplace.errors import (
    CallStopped,
    CommonplaceError,
    EmbeddingRefused,
    EmbeddingUnavailable,
    NotFound,
    SourceTooLarge,
    SourceUnreadable,
    StorageError,
)
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.change import Operation
from commonplace.model.chunk import Chunk, ChunkDraft, Owner, OwnerType
from commonplace.model.query import ListPosition, Reach
from commonplace.model.rights import Thing, Verb, Whose, permit, whose_is
from commonplace.model.run import RunKind
from commonplace.model.source import (
    DocumentState,
    Origin,
    Source,
    SourceDraft,
    SourceScope,
    SourceStatus,
    SourceType,
)
from commonplace.reading.port import Fetched, Fetcher, Original, Reader, Validators
from commonplace.storage.port import Store, Transaction

_LOG = logging.getLogger("commonplace.documents")
_UNEXPECTED = "An unexpected error; the server's log has the details."
_NO_SOURCE = "No source with that id."


class DocumentService:
    """Operations on sources. `max_bytes` limits uploaded files."""

    def __init__(
        self,
        store: Store,
        model: ServingModel,
        reader: Reader,
        fetcher: Fetcher,
        quotas: QuotaService,
        max_bytes: int,
    ) -> None:
        self._store = store
        self._model = model
        self._reader = reader
        self._fetcher = fetcher
        self._quotas = quotas
        self._max_bytes = max_bytes
        self._under_way: dict[str, tuple[int, int]] = {}

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
            owner = _owner(source)
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
            if owner := _owner(source):
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

    def progress(self, id: str) -> tuple[int, int] | None:
        """How many chunks are embedded so far, and how many in all, while this process reads the
        source."""
        return self._under_way.get(id)

    def process(self, actor: Actor, subject: Mapping[str, Any], call: Call = PLAIN_CALL) -> None:
        """Read a queued source; any problem with it is stored as its status."""
        source = self._begin(actor, subject["source"])
        if source is None:
            return
        if subject.get("anew"):
            # Treat all of its content as new.
            source = replace(source, document=_forgotten(source.document))
        try:
            self._sync(actor, source, call)
        except (CallStopped, EmbeddingUnavailable, StorageError):
            # The source is fine: the worker will retry.
            raise
        except CommonplaceError as error:
            self._fail(actor, source, error.message)
        except Exception:  # noqa: BLE001 - a source that makes us fail is marked as failed
            _LOG.exception("reading a source failed", extra={"source": source.id})
            self._fail(actor, source, _UNEXPECTED)
        finally:
            self._under_way.pop(source.id, None)

    def set_aside(self, actor: Actor, subject: Mapping[str, Any], reason: str) -> None:
        """Record why a queued source will no longer be read."""
        source = self._begin(actor, subject["source"])
        if source is not None:
            self._fail(actor, source, reason)

    def _begin(self, actor: Actor, id: str) -> Source | None:
        with self._store.write(actor) as tx:
            source = tx.sources.get(id)
            if source is None or source.deleted_at is not None:
                return None
            sync = replace(source.sync, status=SourceStatus.PROCESSING, error=None)
            begun = replace(source, sync=sync)
            return begun if tx.sources.settle(begun) else None

    def _sync(self, actor: Actor, source: Source, call: Call) -> None:
        fetched = self._fetched(actor, source)
        call.check()
        original, validators = fetched.original, fetched.validators
        sync = replace(
            source.sync,
            status=SourceStatus.READY,
            etag=validators.etag,
            last_modified=validators.last_modified,
        )
        ready = replace(source, sync=sync)
        found = content_hash(original.data) if original else ""
        if original is None or (source.document and source.document.content_hash == found):
            self._settle_unchanged(actor, ready)
            return
        extract = self._reader.read(original, call)
        embedder = self._model.current()
        drafts = drafts_of(extract, source.name, embedder.count_tokens)
        if not drafts:
            raise SourceUnreadable("There is no text in it.")
        made = self._embedded(actor, source, drafts, embedder, call)
        self._replace(actor, ready, found, drafts, made)

    def _fetched(self, actor: Actor, source: Source) -> Fetched:
        origin, sync = source.origin, source.sync
        if origin.type is SourceType.URL:
            read_before = source.document is not None and source.document.content_hash
            known = Validators(sync.etag, sync.last_modified) if read_before else Validators()
            return self._fetcher.fetch(origin.locator, known)
        with self._store.read(actor) as tx:
            data = tx.blobs.get(origin.digest or "")
        if data is None:
            raise SourceUnreadable("The uploaded bytes are gone.")
        return Fetched(Original(data, origin.locator, origin.media_type), Validators())

    def _settle_unchanged(self, actor: Actor, source: Source) -> None:
        with self._store.write(actor) as tx:
            tx.sources.settle(replace(source, sync=replace(source.sync, synced_at=tx.now)))

    def _embedded(
        self,
        actor: Actor,
        source: Source,
        drafts: Sequence[ChunkDraft],
        embedder: Embedder,
        call: Call,
    ) -> ComputedVectors:
        """Compute the vectors of new chunks, before anything is replaced."""
        known: set[str] = set()
        if owner := _owner(source):
            with self._store.read(actor) as tx:
                known = tx.vectors.embedded_texts(owner, embedder.identity.key)
        new = {draft.text_hash: draft for draft in drafts if draft.text_hash not in known}
        before = len(drafts) - len(new)

        def progress(done: int, _total: int, _message: str) -> None:
            self._under_way[source.id] = (before + done, len(drafts))

        made = make_vectors(embedder, list(new.values()), replace(call, progress=progress))
        for reason in made.refused.values():
            raise EmbeddingRefused(reason)
        return made

    def _replace(
        self,
        actor: Actor,
        source: Source,
        found: str,
        drafts: Sequence[ChunkDraft],
        made: ComputedVectors,
    ) -> None:
        """Replace chunks and vectors in one transaction, so that searches see either all old or all
        new."""
        with self._store.write(actor) as tx:
            held = tx.sources.lock(source.key)
            if held is None or not tx.sources.settle(
                replace(source, sync=replace(source.sync, synced_at=tx.now))
            ):
                return
            if source.origin.type is SourceType.URL:
                # Uploads were counted when they were uploaded.
                self._quotas.spend_bytes(tx, sum(len(draft.text.encode()) for draft in drafts))
            owner = Owner(OwnerType.DOCUMENT, tx.sources.put_document(source, found, len(drafts)))
            tx.chunks.replace(owner, metadata_of(source), drafts)
            tx.vectors.keep(made, tx.vectors.of_owner(owner, made.model))

    def _fail(self, actor: Actor, source: Source, message: str) -> None:
        sync = replace(source.sync, status=SourceStatus.ERROR, error=message)
        with self._store.write(actor) as tx:
            tx.sources.settle(replace(source, sync=sync))

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


def _owner(source: Source) -> Owner | None:
    return Owner(OwnerType.DOCUMENT, source.document.key) if source.document else None


def _forgotten(document: DocumentState | None) -> DocumentState | None:
    return replace(document, content_hash="") if document else None


def _enqueue(tx: Transaction, *sources: Source, anew: bool = False) -> None:
    if sources:
        subjects = [{"source": source.id, "anew": anew} for source in sources]
        tx.runs.start(RunKind.SOURCE, subjects)
