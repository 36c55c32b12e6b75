"""Previews and boilerplate, on every store: what is known of them, and who goes first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from commonplace.model.chunk import (
    ChunkCounts,
    EmbeddingState,
    Owner,
    OwnerType,
    PendingChunk,
    Unembedded,
    Urgency,
)
from commonplace.model.embedding import ModelState
from commonplace.model.query import Filter
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE, MODEL, axis, chunk_draft, metadata
from tests.stores import START

SOON = START + timedelta(minutes=5)
OTHER = "other-r1@8"


def put(store: Store, key: int, text: str, urgency: Urgency = Urgency.BULK) -> None:
    with store.write(ALICE) as tx:
        owner = Owner(OwnerType.DOCUMENT, key)
        tx.chunks.replace(owner, metadata(language="python"), [chunk_draft(text, urgency=urgency)])


def claimed(store: Store, limit: int = 10) -> list[PendingChunk]:
    with store.write(ALICE) as tx:
        return tx.vectors.claim(Urgency.BULK, limit, SOON, Urgency.REST_OF_ASIDE)


def preview(store: Store, chunk: PendingChunk, model: str = MODEL) -> bool:
    with store.write(ALICE) as tx:
        return tx.vectors.put(model, chunk, [axis(1)], preview=True)


def state(store: Store, key: int) -> EmbeddingState:
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch([key], Filter())
        assert tx.chunks.state(chunk.owner) is chunk.state
        return chunk.state


def counts(store: Store) -> ChunkCounts:
    with store.read(ALICE) as tx:
        return tx.chunks.counts()


def test_what_is_previewed_is_found_and_goes_on_waiting(store: Store) -> None:
    put(store, 1, "one")
    (chunk,) = claimed(store)
    assert (chunk.language, chunk.urgency, chunk.owner_key) == ("python", Urgency.BULK, 1)
    assert preview(store, chunk)
    assert state(store, chunk.key) is EmbeddingState.PREVIEWED
    assert counts(store) == ChunkCounts(total=1, previewed=1)
    with store.read(ALICE) as tx:
        assert tx.chunks.unembedded(10) == Unembedded(previewed=1)
        ((found, _),) = tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits
        assert found == chunk.key
    backlog = store.backlog()
    assert (backlog.chunks, backlog.previewed, backlog.oldest_chunk) == (0, 1, None)
    (again,) = claimed(store)
    assert (again.key, again.urgency, again.attempts) == (chunk.key, Urgency.REST_OF_BULK, 1)
    with store.write(ALICE) as tx:
        assert tx.vectors.put(MODEL, again, [axis(2), axis(3)])
        assert tx.vectors.cosines(MODEL, axis(1), [chunk.key])[chunk.key] < 0.01
    assert state(store, chunk.key) is EmbeddingState.READY
    assert store.due_work() == []


def test_everything_is_previewed_before_anything_is_completed(store: Store) -> None:
    put(store, 1, "a test", Urgency.ASIDE)
    put(store, 2, "a source")
    first = claimed(store, limit=1)
    assert [chunk.text for chunk in first] == ["a source"]
    assert preview(store, first[0])
    then = claimed(store, limit=1)
    assert [chunk.text for chunk in then] == ["a test"]
    assert preview(store, then[0])
    rest = [chunk.text for _ in range(2) for chunk in claimed(store, limit=1)]
    assert rest == ["a source", "a test"]


def test_a_preview_is_refused_where_vectors_would_be(store: Store) -> None:
    put(store, 1, "one")
    (chunk,) = claimed(store)
    assert not preview(store, replace(chunk, text_hash="other"))
    with store.write(EVE) as tx:
        assert not tx.vectors.put(MODEL, chunk, [axis(1)], preview=True)
    with store.write(ALICE) as tx:
        assert tx.vectors.put(MODEL, chunk, [axis(2)])
    assert not preview(store, chunk), "a worker that comes late makes nothing worse"
    assert state(store, chunk.key) is EmbeddingState.READY


def test_who_is_previewed_and_given_up_is_still_found(store: Store) -> None:
    put(store, 1, "one")
    (chunk,) = claimed(store)
    preview(store, chunk)
    (again,) = claimed(store)
    with store.write(ALICE) as tx:
        tx.vectors.record_failure(again, None, "Too strange.")
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1
    assert state(store, chunk.key) is EmbeddingState.FAILED
    assert counts(store) == ChunkCounts(total=1, failed=1)
    with store.write(ALICE) as tx:
        assert tx.vectors.retry_failed() == 1
    assert state(store, chunk.key) is EmbeddingState.PREVIEWED


def test_what_is_sought_goes_first_in_its_own_org(store: Store) -> None:
    for number in range(3):
        put(store, number, f"text {number}", Urgency.ASIDE)
    keys = sorted(chunk.key for chunk in claimed(store, limit=3))
    with store.write(ALICE) as tx:
        tx.vectors.postpone(keys, tx.now)
    with store.write(EVE) as tx:
        tx.vectors.prioritise(keys)
    with store.write(ALICE) as tx:
        assert tx.vectors.claim(Urgency.FRESH, 10, SOON) == []
        tx.vectors.prioritise([keys[2], 10**9])
        (first,) = tx.vectors.claim(Urgency.FRESH, 10, SOON)
    assert (first.key, first.urgency) == (keys[2], Urgency.FRESH)


def test_boilerplate_waits_for_nothing_and_is_counted(store: Store) -> None:
    put(store, 1, "made by a tool", Urgency.NEVER)
    put(store, 2, "one")
    assert [chunk.text for chunk in claimed(store)] == ["one"]
    assert counts(store) == ChunkCounts(total=2, pending=1, left_out=1)
    with store.read(ALICE) as tx:
        assert tx.chunks.state(Owner(OwnerType.DOCUMENT, 1)) is EmbeddingState.LEFT_OUT
        assert [chunk.text for chunk in tx.reembedding.without_vectors(OTHER, 0, 10)] == ["one"]


def test_equal_text_is_embedded_once_unless_it_shares_a_vector_with_neighbours(
    store: Store,
) -> None:
    put(store, 1, "the same", Urgency.ASIDE)
    (aside,) = claimed(store)
    with store.write(ALICE) as tx:
        tx.vectors.put(MODEL, aside, [axis(1)])
    put(store, 2, "the same", Urgency.ASIDE)
    assert claimed(store) == [], "among tests one vector is as good as the other"
    put(store, 3, "the same", Urgency.BULK)
    (source,) = claimed(store)
    assert preview(store, source)
    (rest,) = claimed(store)
    with store.write(ALICE) as tx:
        tx.vectors.put(MODEL, rest, [axis(2)])
    put(store, 4, "the same", Urgency.BULK)
    assert claimed(store) == []
    with store.write(EVE) as tx:
        owner = Owner(OwnerType.DOCUMENT, 5)
        draft = chunk_draft("the same", urgency=Urgency.BULK)
        assert tx.chunks.replace(owner, metadata(), [draft]) == 1, "another org's text is its own"


def test_a_preview_is_not_taken_for_more_when_another_model_has_served_meanwhile(
    store: Store,
) -> None:
    put(store, 1, "one")
    (chunk,) = claimed(store)
    with store.write(ALICE) as tx:
        tx.models.put(MODEL, ModelState.SERVING)
    assert preview(store, chunk)
    with store.write(ALICE) as tx:
        tx.models.put(MODEL, ModelState.RETIRED)
        tx.models.put(OTHER, ModelState.SERVING)
        assert tx.vectors.reopen(OTHER, 10) == 1
        assert tx.vectors.cosines(MODEL, axis(1), [chunk.key]) == {}
        assert [c.key for c in tx.reembedding.without_vectors(MODEL, 0, 10)] == [chunk.key]
    assert state(store, chunk.key) is EmbeddingState.PENDING
