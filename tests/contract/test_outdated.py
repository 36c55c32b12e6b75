"""Unchanged text under a new context, on every store: found by its old vector until it has a new
one."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import (
    ChunkCounts,
    EmbeddingState,
    Owner,
    OwnerType,
    PendingChunk,
    Urgency,
)
from commonplace.model.embedding import ModelState
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery, Store
from tests.generate import ALICE, MODEL, axis, chunk_draft, metadata
from tests.stores import START

SOON = START + timedelta(minutes=5)
OTHER = "other-r1@8"


def put(
    store: Store, context: str, text: str = "one", urgency: Urgency = Urgency.BULK, owner: int = 1
) -> int:
    draft = replace(chunk_draft(text, context=context, urgency=urgency), token_count=len(context))
    with store.write(ALICE) as tx:
        return tx.chunks.replace(
            Owner(OwnerType.DOCUMENT, owner), metadata(language="python"), [draft]
        )


def claimed(store: Store) -> PendingChunk:
    with store.write(ALICE) as tx:
        (chunk,) = tx.vectors.claim(Urgency.BULK, 10, SOON, Urgency.REST_OF_ASIDE)
    return chunk


def embed(store: Store, number: int, *, preview: bool = False) -> PendingChunk:
    chunk = claimed(store)
    with store.write(ALICE) as tx:
        assert tx.vectors.put(MODEL, chunk, [axis(number)], preview=preview)
    return chunk


def near(store: Store, number: int) -> list[int]:
    with store.read(ALICE) as tx:
        hits = tx.vectors.nearest(MODEL, axis(number), Filter(), 5, 20).hits
    return [key for key, cosine in hits if cosine > 0.99]


def found(store: Store, term: str) -> list[int]:
    with store.read(ALICE) as tx:
        return tx.chunks.lexical(LexicalQuery(terms=(term,)), Filter(), 5)


def state(store: Store, key: int) -> EmbeddingState:
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch([key], Filter())
    return chunk.state


def counts(store: Store) -> ChunkCounts:
    with store.read(ALICE) as tx:
        return tx.chunks.counts()


def test_the_old_vector_is_found_until_there_is_a_new_one(store: Store) -> None:
    put(store, "ground")
    old = embed(store, 1)
    assert put(store, "attic") == 1
    assert near(store, 1) == [old.key]
    assert state(store, old.key) is EmbeddingState.PREVIEWED
    assert counts(store) == ChunkCounts(total=1, previewed=1, outdated=1)
    new = claimed(store)
    assert (new.key, new.context, new.attempts, new.token_count) == (old.key, "attic", 1, 5)
    with store.write(ALICE) as tx:
        assert not tx.vectors.put(MODEL, old, [axis(3)]), "computed before the context changed"
        assert tx.vectors.put(MODEL, new, [axis(2)])
    assert (near(store, 1), near(store, 2)) == ([], [old.key])
    assert counts(store) == ChunkCounts(total=1, ready=1)
    assert store.due_work() == []


def test_the_new_context_is_found_by_words_at_once(store: Store) -> None:
    put(store, "ground")
    old = embed(store, 1)
    put(store, "attic")
    assert found(store, "attic") == found(store, "one") == [old.key]
    assert found(store, "ground") == []
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch([old.key], Filter())
        (terms,) = tx.chunks.terms([old.key], Filter())
    assert (chunk.context, terms.terms, terms.context_terms) == ("attic", "one", "attic")


def test_bulk_text_is_previewed_anew(store: Store) -> None:
    put(store, "ground")
    old = embed(store, 1)
    put(store, "attic")
    assert embed(store, 2, preview=True).urgency is Urgency.BULK
    assert (near(store, 1), near(store, 2)) == ([], [old.key])
    assert counts(store) == ChunkCounts(total=1, previewed=1)


def test_other_text_loses_its_vector_at_once(store: Store) -> None:
    put(store, "ground")
    embed(store, 1)
    put(store, "ground", "two")
    assert near(store, 1) == []
    assert counts(store) == ChunkCounts(total=1, pending=1)


def test_equal_texts_keep_as_many_vectors_as_remain(store: Store) -> None:
    owner = Owner(OwnerType.DOCUMENT, 1)
    with store.write(ALICE) as tx:
        drafts = [chunk_draft("one", context=context) for context in ("a", "b")]
        tx.chunks.replace(owner, metadata(), drafts)
        for chunk in tx.vectors.of_owner(owner, None):
            assert tx.vectors.put(MODEL, chunk, [axis(1)])
    with store.write(ALICE) as tx:
        drafts = [chunk_draft("one", context=context) for context in ("c", "a", "d")]
        assert tx.chunks.replace(owner, metadata(), drafts) == 2
        states = [chunk.state for chunk in tx.chunks.page(owner, 10, 0)]
    assert sorted(states) == [
        EmbeddingState.PENDING,
        EmbeddingState.PREVIEWED,
        EmbeddingState.READY,
    ]


def test_a_vector_being_prepared_for_the_old_context_is_not_adopted(store: Store) -> None:
    put(store, "ground")
    old = embed(store, 1)
    with store.write(ALICE) as tx:
        tx.models.put(MODEL, ModelState.SERVING)
        tx.models.put(OTHER, ModelState.PREPARING)
        assert tx.reembedding.add(OTHER, old, [axis(1)])
    put(store, "attic")
    with store.read(ALICE) as tx:
        assert [c.key for c in tx.reembedding.without_vectors(OTHER, 0, 10)] == [old.key]
        assert tx.reembedding.without_vectors(MODEL, 0, 10) == []


def test_text_that_becomes_boilerplate_loses_its_vector(store: Store) -> None:
    put(store, "ground")
    old = embed(store, 1)
    assert put(store, "vendor", urgency=Urgency.NEVER) == 0
    assert near(store, 1) == []
    assert state(store, old.key) is EmbeddingState.LEFT_OUT
    assert put(store, "source") == 1
    assert state(store, old.key) is EmbeddingState.PENDING


def test_text_that_was_given_up_is_tried_again(store: Store) -> None:
    put(store, "ground")
    with store.write(ALICE) as tx:
        (chunk,) = tx.vectors.claim(Urgency.BULK, 10, SOON)
        tx.vectors.record_failure(chunk, None, "Too strange.")
    put(store, "attic")
    again = claimed(store)
    assert (again.key, again.attempts, again.error) == (chunk.key, 1, None)


def test_the_vectors_of_a_copy_are_taken(store: Store) -> None:
    put(store, "ground")
    embed(store, 1)
    put(store, "attic", owner=2)
    copy = embed(store, 2)
    assert put(store, "attic") == 0
    assert near(store, 1) == []
    assert len(near(store, 2)) == 2
    assert counts(store) == ChunkCounts(total=2, ready=2)
    assert copy.owner_key == 2
