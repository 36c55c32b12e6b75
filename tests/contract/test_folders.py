"""What folders ask of a store: bytes that are missing or unused, chunks under another path, vectors
that a chunk takes over from one that says the same."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import (
    ChunkDraft,
    ChunkMetadata,
    EmbeddingState,
    Owner,
    OwnerType,
    Urgency,
)
from commonplace.model.entry import Place
from commonplace.model.query import ANYTHING, Filter
from commonplace.model.workspace import FileState, KnowledgeType, ResourceDraft, ResourceKind
from commonplace.storage.port import LexicalQuery, Store, Transaction
from tests.generate import ALICE, EVE, MODEL, axis, chunk_draft, embed_all

PUSHED = ResourceDraft("res_1", ResourceKind.PUSHED, KnowledgeType.CODE, "push://p/src", "src")


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def state(path: str, data: bytes) -> FileState:
    return FileState(0, path, "h", 1, len(data), 0, None, digest(data))


def metadata(path: str) -> ChunkMetadata:
    return ChunkMetadata(kind="file", agent="alice", place=Place(resource=1), path=path)


def named(path: str) -> ChunkDraft:
    """A chunk whose file is found by the words of its path."""
    draft = chunk_draft("refund")
    return replace(draft, indexed=replace(draft.indexed, context_terms=path))


def owner(key: int) -> Owner:
    return Owner(OwnerType.DOCUMENT, key)


def found(tx: Transaction, word: str) -> int:
    return len(tx.chunks.lexical(LexicalQuery(terms=(word,)), ANYTHING, 10))


def test_bytes_that_are_missing_are_named_once(store: Store) -> None:
    with store.write(ALICE) as tx:
        kept = tx.blobs.put(b"kept", "text/plain")
        asked = [digest(b"x"), kept, digest(b"y"), digest(b"x")]
        assert tx.blobs.missing(asked) == [digest(b"x"), digest(b"y")]
        assert tx.blobs.missing([]) == []
    with store.write(EVE) as tx:
        assert tx.blobs.missing([kept]) == [kept]


def test_bytes_are_released_once_no_file_stands_on_them(store: Store) -> None:
    with store.write(ALICE) as tx:
        resource = tx.resources.insert(PUSHED)
        for data in (b"old", b"shared"):
            tx.blobs.put(data, "text/plain")
        tx.files.put(resource.key, state("a", b"old"))
        tx.files.put(resource.key, state("b", b"shared"))
        tx.blobs.release([digest(b"old"), digest(b"shared")])
        assert tx.blobs.missing([digest(b"old"), digest(b"shared")]) == []
        tx.files.put(resource.key, state("a", b"shared"))
        tx.blobs.release([digest(b"old")])
        assert tx.blobs.missing([digest(b"old"), digest(b"shared")]) == [digest(b"old")]


def test_a_chunk_under_another_path_is_found_by_its_words(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.chunks.replace(owner(1), metadata("oldname"), [named("oldname")])
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        (before,) = tx.chunks.page(owner(1), 10, 0)
        tx.chunks.replace(owner(1), metadata("newname"), [named("newname")])
    with store.read(ALICE) as tx:
        (after,) = tx.chunks.page(owner(1), 10, 0)
        assert (found(tx, "oldname"), found(tx, "newname"), found(tx, "refund")) == (0, 1, 1)
        assert tx.chunks.terms([after.key], ANYTHING)[0].context_terms == "newname"
        assert (after.key, after.metadata.path) == (before.key, "newname")
        assert after.state is EmbeddingState.READY


def test_the_same_text_is_embedded_once_also_where_both_wait(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number in (1, 2):
            tx.chunks.replace(owner(number), metadata("a"), [chunk_draft("refund")])
        until = tx.now + timedelta(seconds=60)
        (first,) = tx.vectors.claim(Urgency.FRESH, 1, until)
    with store.write(ALICE) as tx:
        tx.vectors.put(MODEL, first, [axis(1)])
        assert tx.vectors.claim(Urgency.FRESH, 10, until) == []
        assert tx.chunks.counts().pending == 0
    with store.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 10).hits) == 2


def test_the_same_text_in_another_document_takes_over_its_vectors(store: Store) -> None:
    with store.write(ALICE) as tx:
        assert tx.chunks.replace(owner(1), metadata("a"), [chunk_draft("refund")]) == 1
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        assert tx.chunks.replace(owner(2), metadata("b"), [chunk_draft("refund")]) == 0
        assert tx.chunks.replace(owner(3), metadata("c"), [chunk_draft("other")]) == 1
    with store.read(ALICE) as tx:
        nearest = tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 10)
        assert len(nearest.hits) == 2
    with store.write(EVE) as tx:
        mine = replace(metadata("a"), agent="eve")
        assert tx.chunks.replace(owner(4), mine, [chunk_draft("refund")]) == 1
