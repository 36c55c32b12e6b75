"""Content, checked and embedded before the transaction that stores it opens."""

from __future__ import annotations

import logging
from collections.abc import Collection

from commonplace.embedding.port import Embedder, ServingModel, make_vectors
from commonplace.errors import (
    EmbeddingUnavailable,
)
from commonplace.knowledge.passages import chunks_of
from commonplace.knowledge.rules import LONG_AGO, checked
from commonplace.knowledge.service.writes import owner_of
from commonplace.knowledge.shown import Prepared
from commonplace.model.actor import Actor
from commonplace.model.call import Call
from commonplace.model.chunk import Urgency
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.storage.port import Store

_LOG = logging.getLogger("commonplace.knowledge")


class Preparation:
    """Checks and embeds outside of any transaction; a model that is away is no error."""

    def __init__(self, store: Store, model: ServingModel) -> None:
        self._store = store
        self._model = model

    def prepare(self, kind: EntryKind, content: EntryContent, call: Call) -> Prepared:
        return _prepared(self._model.current(), kind, checked(content, LONG_AGO), call)

    def prepare_anew(
        self, actor: Actor, entry: Entry, content: EntryContent, call: Call
    ) -> Prepared:
        """What the entry says already is embedded already."""
        embedder = self._model.current()
        with self._store.read(actor) as tx:
            embedded = tx.vectors.embedded_texts(owner_of(entry), embedder.identity.key)
        ready = checked(content, LONG_AGO)
        return _prepared(embedder, entry.kind, ready, call, embedded)


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
