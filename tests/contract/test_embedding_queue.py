"""The queue of chunks that wait for vectors, on every store: leases, failures, model changes."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from commonplace.errors import Conflict
from commonplace.model.chunk import EmbeddingState, Owner, OwnerType, PendingChunk, Urgency
from commonplace.model.embedding import ModelState
from commonplace.model.query import Filter
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE, MODEL, axis, chunk_draft, embed_all, metadata, put_chunk
from tests.stores import START, Database, SteppingClock

DOCUMENT = Owner(OwnerType.DOCUMENT, 1)
SOON = START + timedelta(minutes=5)


def queue(store: Store, *texts: str, urgency: Urgency = Urgency.FRESH) -> None:
    with store.write(ALICE) as tx:
        for number, text in enumerate(texts):
            owner = Owner(OwnerType.DOCUMENT, 1 + number)
            tx.chunks.replace(owner, metadata(), [chunk_draft(text, urgency=urgency)])


def claim(
    store: Store, limit: int = 10, until: datetime = SOON, urgency: Urgency = Urgency.FRESH
) -> list[PendingChunk]:
    with store.write(ALICE) as tx:
        return tx.vectors.claim(urgency, limit, until)


def texts(claimed: list[PendingChunk]) -> list[str]:
    return [chunk.text for chunk in claimed]


def test_a_claim_brings_what_is_to_be_embedded(store: Store) -> None:
    draft = chunk_draft("the text", context="the heading")
    with store.write(ALICE) as tx:
        tx.chunks.replace(DOCUMENT, metadata(), [draft])
    (chunk,) = claim(store)
    assert (chunk.text, chunk.context, chunk.attempts) == ("the text", "the heading", 1)
    assert (chunk.text_hash, chunk.token_count) == (draft.text_hash, draft.token_count)


def test_claimed_chunks_are_nobody_elses_until_the_lease_ends(
    store: Store, clock: SteppingClock
) -> None:
    queue(store, "one", "two", "three")
    assert texts(claim(store, limit=2)) == ["one", "two"]
    assert texts(claim(store)) == ["three"]
    assert claim(store) == []
    clock.advance(299)
    assert claim(store) == []
    clock.advance(1)
    again = [texts(claim(store, until=SOON + timedelta(hours=1))) for _ in range(4)]
    assert again == [["one"], ["two"], ["three"], []], "one of them may have ended its worker"


def test_urgencies_are_claimed_apart(store: Store) -> None:
    queue(store, "bulk", urgency=Urgency.BULK)
    with store.write(ALICE) as tx:
        put_chunk(tx, 50, "fresh")
    assert texts(claim(store, urgency=Urgency.FRESH)) == ["fresh"]
    assert texts(claim(store, urgency=Urgency.BULK)) == ["bulk"]


def test_a_claim_is_within_the_own_org(store: Store) -> None:
    queue(store, "ours")
    with store.write(EVE) as tx:
        put_chunk(tx, 1, "theirs")
        assert texts(tx.vectors.claim(Urgency.FRESH, 10, SOON)) == ["theirs"]


def test_put_makes_a_chunk_ready(store: Store) -> None:
    queue(store, "one")
    (chunk,) = claim(store)
    with store.write(ALICE) as tx:
        assert tx.vectors.put(MODEL, chunk, [axis(1), axis(2)])
    with store.read(ALICE) as tx:
        (stored,) = tx.chunks.fetch([chunk.key], Filter())
        assert tx.vectors.cosines(MODEL, axis(2), [chunk.key])[chunk.key] > 0.999
    assert stored.state is EmbeddingState.READY
    assert store.due_work() == []


def test_put_refuses_a_text_that_has_changed_or_gone(store: Store) -> None:
    queue(store, "old")
    (chunk,) = claim(store)
    queue(store, "new")
    with store.write(ALICE) as tx:
        assert not tx.vectors.put(MODEL, chunk, [axis(1)])
    (newer,) = claim(store)
    with store.write(ALICE) as tx:
        assert not tx.vectors.put(MODEL, replace(newer, text_hash="other"), [axis(1)])
        assert not tx.vectors.put(MODEL, replace(newer, key=newer.key + 1000), [axis(1)])
        assert tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits == ()
    with store.write(EVE) as tx:
        assert not tx.vectors.put(MODEL, newer, [axis(1)])


def test_put_twice_is_the_same_as_once(store: Store) -> None:
    """A worker whose lease ran out may finish after the one that took over."""
    queue(store, "one")
    (chunk,) = claim(store)
    for _ in range(2):
        with store.write(ALICE) as tx:
            assert tx.vectors.put(MODEL, chunk, [axis(1), axis(2)])
    with store.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1


def test_postponed_chunks_wait_for_their_time_without_counting(
    store: Store, clock: SteppingClock
) -> None:
    queue(store, "one", "two")
    claimed = claim(store)
    with store.write(ALICE) as tx:
        tx.vectors.postpone([chunk.key for chunk in claimed], START + timedelta(seconds=30))
    assert claim(store) == []
    assert store.due_work() == []
    clock.advance(30)
    again = claim(store)
    assert texts(again) == ["one", "two"]
    assert [chunk.attempts for chunk in again] == [1, 1]


def test_postponing_does_not_reopen_what_is_ready(store: Store) -> None:
    queue(store, "one")
    (chunk,) = claim(store)
    with store.write(ALICE) as tx:
        tx.vectors.put(MODEL, chunk, [axis(1)])
        tx.vectors.postpone([chunk.key], START)
    assert claim(store) == []


def test_failures_are_counted_then_given_up_then_retried(
    store: Store, clock: SteppingClock
) -> None:
    queue(store, "one")
    for attempt in range(3):
        (chunk,) = claim(store, until=clock.advance(0) + timedelta(minutes=5))
        assert chunk.attempts == attempt + 1, "counted before it begins"
        with store.write(ALICE) as tx:
            tx.vectors.record_failure(chunk, clock.advance(0) + timedelta(seconds=10), "not now")
        assert claim(store) == []
        with store.read(ALICE) as tx:
            assert tx.chunks.state(DOCUMENT) is EmbeddingState.PENDING
        clock.advance(10)
    (chunk,) = claim(store, until=clock.advance(0) + timedelta(minutes=5))
    with store.write(ALICE) as tx:
        tx.vectors.record_failure(chunk, None, "never")
    clock.advance(10_000)
    assert claim(store) == []
    with store.write(ALICE) as tx:
        assert tx.chunks.failures(10) == [(DOCUMENT, "never")]
        assert tx.vectors.retry_failed() == 1
        assert tx.vectors.retry_failed() == 0
    (chunk,) = claim(store)
    assert (chunk.attempts, chunk.error) == (1, None)


def test_a_late_failure_does_not_undo_anothers_success(store: Store) -> None:
    queue(store, "one")
    (chunk,) = claim(store)
    with store.write(ALICE) as tx:
        tx.vectors.put(MODEL, chunk, [axis(1)])
    with store.write(ALICE) as tx:
        tx.vectors.record_failure(chunk, None, "too late")
    with store.read(ALICE) as tx:
        assert tx.chunks.state(DOCUMENT) is EmbeddingState.READY
        assert tx.chunks.failures(10) == []


def test_a_failure_of_an_old_text_does_not_touch_the_new_one(store: Store) -> None:
    queue(store, "old")
    (chunk,) = claim(store)
    queue(store, "new")
    with store.write(ALICE) as tx:
        tx.vectors.record_failure(chunk, None, "about the old text")
    assert texts(claim(store)) == ["new"]


def test_another_model_reopens_in_portions_and_keeps_old_vectors_meanwhile(store: Store) -> None:
    queue(store, *(f"text {number}" for number in range(5)))
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        assert tx.vectors.reopen(MODEL, 100) == 0
        assert tx.vectors.reopen("model-2", 3) == 3
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 20).hits) == 5
    assert [(w.org, w.urgency) for w in store.due_work()] == [("acme", Urgency.BULK)]
    assert claim(store, urgency=Urgency.FRESH) == []
    assert embed_all(store, ALICE, lambda _: [axis(2)], model="model-2") == 3
    with store.write(ALICE) as tx:
        assert tx.vectors.reopen("model-2", 100) == 2
        assert tx.vectors.reopen("model-2", 100) == 0
    embed_all(store, ALICE, lambda _: [axis(2)], model="model-2")
    with store.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 20).hits) == 5
        assert len(tx.vectors.nearest("model-2", axis(2), Filter(), 10, 20).hits) == 5


def test_what_another_model_has_made_beside_is_taken_over(store: Store) -> None:
    queue(store, *(f"text {number}" for number in range(5)))
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        first, second, *_ = tx.reembedding.without_vectors("model-2", 0, 10)
        assert len(tx.reembedding.without_vectors("model-2", first.key, 2)) == 2
        assert tx.reembedding.add("model-2", first, [axis(2)])
        assert not tx.reembedding.add("model-2", replace(second, text_hash="other"), [axis(2)])
        assert (tx.reembedding.count(MODEL), tx.reembedding.count("model-2")) == (5, 1)
        assert tx.reembedding.without_vectors("model-2", 0, 10)[0] == second
        assert tx.vectors.reopen("model-2", 100) == 5
        assert tx.chunks.counts().ready == 1
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 20).hits) == 5
        assert tx.reembedding.discard(MODEL, 0, 3) is not None
        assert tx.reembedding.count(MODEL) == 2
        assert tx.reembedding.discard(MODEL, 0, 100) is None
        assert tx.reembedding.count(MODEL) == 0


def test_only_the_model_that_serves_counts_as_embedded(store: Store) -> None:
    queue(store, "text")
    (chunk,) = claim(store)
    with store.write(ALICE) as tx:
        tx.models.put("model-2", ModelState.SERVING)
        assert not tx.vectors.put(MODEL, chunk, [axis(1)])
        assert tx.reembedding.count(MODEL) == 0
        assert tx.vectors.put("model-2", chunk, [axis(1)])
        assert tx.chunks.counts().ready == 1


def test_one_model_serves_and_one_is_prepared(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.models.put("a", ModelState.SERVING)
        tx.models.put("b", ModelState.PREPARING)
        tx.models.put("old", ModelState.RETIRED)
        tx.models.put("older", ModelState.RETIRED)
    with pytest.raises(Conflict), store.write(ALICE) as tx:
        tx.models.put("c", ModelState.SERVING)
    with store.write(EVE) as tx:
        tx.models.put("a", ModelState.RETIRED)
        tx.models.put("b", ModelState.SERVING)
        tx.models.forget("older")
    with store.read(ALICE) as tx:
        assert tx.models.in_state(ModelState.SERVING) == "b"
        assert tx.models.in_state(ModelState.PREPARING) is None
        assert [m.key for m in tx.models.all()] == ["a", "b", "old"]


def test_reopened_chunks_in_portions_move_on(store: Store) -> None:
    """Each portion is of chunks that were not reopened yet."""
    queue(store, *(f"text {number}" for number in range(5)))
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        assert [tx.vectors.reopen("model-2", 2) for _ in range(4)] == [2, 2, 1, 0]


def test_two_claimers_never_get_the_same_chunk(database: Database) -> None:
    stores = [database.open(), database.open()]
    queue(stores[0], *(f"text {number}" for number in range(60)))
    start = threading.Barrier(4)

    def work(store: Store) -> list[int]:
        start.wait()
        mine: list[int] = []
        while claimed := claim(store, limit=3):
            mine += [chunk.key for chunk in claimed]
        return mine

    with ThreadPoolExecutor(4) as pool:
        shares = list(pool.map(work, stores * 2))
    keys = [key for share in shares for key in share]
    assert len(keys) == len(set(keys)) == 60
