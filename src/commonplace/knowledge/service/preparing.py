"""Checks and embeds content before the transaction that stores it opens."""

from __future__ import annotations

import logging
from collections.abc import Collection

from commonplace.embedding.port import Embedder, ServingModel, make_beginning
from commonplace.errors import EmbeddingUnavailable
from commonplace.knowledge.offloading import SHORT_ENOUGH, drafts_in, question_of
from commonplace.knowledge.passages import cut, text_of
from commonplace.knowledge.rules import LONG_AGO, checked
from commonplace.knowledge.service.writes import owner_of
from commonplace.knowledge.values import Prepared
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import ChunkDraft, Urgency
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.reading.port import TextProcess
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.knowledge")


class EntryChunks:
    """Makes the chunks of an entry; those of a long entry in a child process."""

    def __init__(self, texts: TextProcess) -> None:
        self._texts = texts

    def of(
        self, actor: Actor, kind: EntryKind, content: EntryContent, call: Call
    ) -> list[ChunkDraft]:
        text = text_of(kind, content)
        if len(text.searched) <= SHORT_ENOUGH:
            return cut(text, Urgency.FRESH)
        return drafts_in(self._texts.ask(actor, question_of(text), text.searched, call))


class Preparation:
    """Checks and embeds outside any transaction; an unavailable model is not an error."""

    def __init__(self, store: Store, model: ServingModel, chunks: EntryChunks) -> None:
        self._store = store
        self._model = model
        self._chunks = chunks

    def prepare(self, actor: Actor, kind: EntryKind, content: EntryContent, call: Call) -> Prepared:
        return self._prepared(self._model.current(), actor, kind, content, call)

    def prepare_revision(
        self, actor: Actor, entry: Entry, content: EntryContent, call: Call
    ) -> Prepared:
        """Prepare a revision; texts that the entry already has are not embedded again."""
        embedder = self._model.current()
        with self._store.read(actor) as tx:
            embedded = tx.vectors.embedded_texts(owner_of(entry), embedder.identity.key)
        return self._prepared(embedder, actor, entry.kind, content, call, embedded)

    def _prepared(
        self,
        embedder: Embedder,
        actor: Actor,
        kind: EntryKind,
        content: EntryContent,
        call: Call,
        embedded: Collection[str] = (),
    ) -> Prepared:
        """Check and embed; texts whose hash is in `embedded` have vectors already.

        Of a long text, only the beginning is embedded now; the worker does the rest.
        """
        ready = checked(content, LONG_AGO)
        drafts = self._chunks.of(actor, kind, ready, call)
        new = [draft for draft in drafts if draft.text_hash not in embedded]
        try:
            made = make_beginning(embedder, new, call)
        except EmbeddingUnavailable as error:
            _LOG.warning("not embedded at once", extra={"reason": error.message})
            return Prepared(kind, ready, drafts)
        return Prepared(kind, ready, drafts, made.model, made.windows, made.previewed)
