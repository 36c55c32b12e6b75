"""Reads queued sources: fetches, extracts, chunks and embeds them, then replaces what they held."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from commonplace.documents.drafts import content_hash, drafts_of, metadata_of, owner_of
from commonplace.embedding.port import ComputedVectors, Embedder, ServingModel, make_vectors
from commonplace.errors import (
    CallStopped,
    CommonplaceError,
    EmbeddingRefused,
    EmbeddingUnavailable,
    SourceUnreadable,
    StorageError,
)
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType
from commonplace.model.source import DocumentState, Source, SourceStatus, SourceType
from commonplace.reading.port import Fetched, Fetcher, Original, Reader, Validators
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.documents")
_UNEXPECTED = "An unexpected error; the server's log has the details."


class SourceReadingService:
    """Reads the sources that a worker claims."""

    def __init__(
        self,
        store: Store,
        model: ServingModel,
        reader: Reader,
        fetcher: Fetcher,
        quotas: QuotaService,
    ) -> None:
        self._store = store
        self._model = model
        self._reader = reader
        self._fetcher = fetcher
        self._quotas = quotas
        self._under_way: dict[str, tuple[int, int]] = {}

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
        if owner := owner_of(source):
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


def _forgotten(document: DocumentState | None) -> DocumentState | None:
    return replace(document, content_hash="") if document else None
