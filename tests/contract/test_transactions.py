"""Transactions on every store: all or nothing, one moment, and one writer of a row at a time."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial

import pytest

from commonplace.errors import RevisionConflict, StorageError, StorageUnavailable
from commonplace.model.change import Operation
from commonplace.model.chunk import Urgency
from commonplace.model.entry import Entry
from commonplace.model.query import Filter
from commonplace.model.run import RunKind
from commonplace.storage.port import LexicalQuery, Store, Transaction
from tests.generate import ALICE, BOB, MODEL, axis, embed_all, entry_draft, put_chunk
from tests.stores import START, Database, SteppingClock


class Interrupted(Exception):
    """Something goes wrong in the middle."""


def interrupt(store: Store, *steps: Callable[[Transaction], object]) -> None:
    """Take the steps in one write transaction, and fail at its end."""
    with pytest.raises(Interrupted), store.write(ALICE) as tx:
        _then_fail(tx, steps)


def _then_fail(tx: Transaction, steps: Sequence[Callable[[Transaction], object]]) -> None:
    for step in steps:
        step(tx)
    raise Interrupted


def test_a_failed_write_leaves_nothing(store: Store) -> None:
    interrupt(
        store,
        lambda tx: tx.entries.insert(entry_draft("n-1")),
        lambda tx: put_chunk(tx, 1, "some text"),
        lambda tx: tx.blobs.put(b"bytes", "text/plain"),
        lambda tx: tx.runs.start(RunKind.REBUILD, [{}]),
    )
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 0
        assert tx.chunks.counts().total == 0
        assert tx.chunks.lexical(LexicalQuery(terms=("text",)), Filter(), 10) == []
        assert tx.blobs.get(hashlib.sha256(b"bytes").hexdigest()) is None
        assert tx.runs.recent(10) == []
        assert tx.changes.since(0, 10) == []
    assert store.due_work() == []


def test_what_is_spent_last_commits_with_the_rest_or_not_at_all(store: Store) -> None:
    interrupt(store, lambda tx: tx.usage.spend_last("m", "2026-01", 5))
    for amount in (2, 3):
        with store.write(ALICE) as tx:
            tx.usage.spend_last("m", "2026-01", amount)
            put_chunk(tx, amount, "some text")
    with store.write(ALICE) as tx:
        assert not tx.usage.spend("m", "2026-01", limit=5)
        assert tx.usage.spend("m", "2026-01", limit=6)
    with pytest.raises(StorageError):
        _spend_too_much(store)
    with store.read(ALICE) as tx:
        assert tx.usage.used("m", "2026-01") == 6
        assert tx.entries.count(Filter()) == 0
        assert tx.chunks.counts().pending == 2


def _spend_too_much(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.usage.spend_last("m", "2026-01", 2**63 - 1)
        tx.entries.insert(entry_draft("n-1"))


def test_a_store_is_usable_after_failures(store: Store) -> None:
    for number in range(12):
        interrupt(store, partial(_insert, id=f"n-{number}"))
    for number in range(12):
        with store.write(ALICE) as tx:
            tx.entries.insert(entry_draft(f"n-{number}"))
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 12


def test_vectors_of_a_rolled_back_write_are_never_found(store: Store) -> None:
    def embed_and_search(tx: Transaction) -> None:
        for chunk in tx.vectors.claim(Urgency.FRESH, 10, START):
            tx.vectors.put(MODEL, chunk, [axis(1)])
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1

    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "first")
    interrupt(store, embed_and_search)
    with store.read(ALICE) as tx:
        assert tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits == ()
    embed_all(store, ALICE, lambda _: [axis(2)])
    with store.read(ALICE) as tx:
        ((_, cosine),) = tx.vectors.nearest(MODEL, axis(2), Filter(), 5, 20).hits
    assert cosine == pytest.approx(1, abs=1e-3)


def test_a_transaction_has_one_actor_and_one_moment(store: Store, clock: SteppingClock) -> None:
    with store.write(ALICE) as tx:
        clock.advance(60)
        entry = tx.entries.insert(entry_draft("n-1"))
        assert (tx.actor, tx.now) == (ALICE, START)
    assert entry.created_at == START


def test_a_read_transaction_cannot_write(store: Store) -> None:
    with pytest.raises(StorageError), store.read(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 0


def test_a_reader_sees_one_state_while_others_write(database: Database) -> None:
    store, other = database.open(), database.open()
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    with store.read(ALICE) as reading:
        assert reading.entries.count(Filter()) == 1
        with other.write(ALICE) as tx:
            tx.entries.insert(entry_draft("n-2"))
        assert reading.entries.count(Filter()) == 1
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 2


def test_of_two_writers_with_the_same_revision_one_wins(database: Database) -> None:
    stores = [database.open(), database.open()]
    with stores[0].write(ALICE) as tx:
        entry = tx.entries.insert(entry_draft("n-1"))
    outcomes: list[str] = []
    barrier = threading.Barrier(len(stores))

    def edit(store: Store, name: str) -> None:
        barrier.wait()
        try:
            with store.write(BOB) as tx:
                tx.entries.update(_titled(entry, name), Operation.EDIT)
            outcomes.append(name)
        except RevisionConflict:
            outcomes.append("conflict")

    _together([(edit, store, f"writer-{n}") for n, store in enumerate(stores)])
    with stores[0].read(ALICE) as tx:
        final = tx.entries.get("n-1")
    assert final is not None
    assert final.revision == 2
    assert sorted(outcomes) == sorted(["conflict", final.content.title])


def test_lock_makes_other_writers_wait(database: Database) -> None:
    """Each adds one to a number that it has read under the lock: none is lost."""
    stores = [database.open(), database.open()]
    with stores[0].write(ALICE) as tx:
        entry = tx.entries.insert(entry_draft("n-1", attributes={"n": 0}))

    def increment(store: Store, times: str) -> None:
        for _ in range(int(times)):
            with store.write(ALICE) as tx:
                (held,) = tx.entries.lock([entry.key])
                content = replace(held.content, attributes={"n": held.content.attributes["n"] + 1})
                tx.entries.update(replace(held, content=content), Operation.EDIT)

    _together([(increment, store, "10") for store in stores])
    with stores[0].read(ALICE) as tx:
        final = tx.entries.get("n-1")
    assert final is not None
    assert final.content.attributes == {"n": 20}


def test_many_threads_share_one_store(store: Store) -> None:
    def insert(store: Store, name: str) -> None:
        for number in range(5):
            with store.write(ALICE) as tx:
                tx.entries.insert(entry_draft(f"{name}-{number}"))
            with store.read(ALICE) as tx:
                assert tx.entries.get(f"{name}-{number}") is not None

    _together([(insert, store, f"thread{n}") for n in range(8)])
    with store.read(ALICE) as tx:
        assert tx.entries.count(Filter()) == 40


def test_a_closed_store_says_so(database: Database) -> None:
    store = database.open()
    store.close()
    with pytest.raises(StorageUnavailable), store.read(ALICE):
        raise AssertionError("the transaction opened")


def _insert(tx: Transaction, id: str) -> Entry:
    return tx.entries.insert(entry_draft(id))


def _titled(entry: Entry, title: str) -> Entry:
    return replace(entry, content=replace(entry.content, title=title))


Work = tuple[Callable[[Store, str], None], Store, str]


def _together(work: Sequence[Work]) -> None:
    """Run in threads; an error in any of them is an error of the test."""
    with ThreadPoolExecutor(len(work)) as pool:
        for future in [pool.submit(function, store, name) for function, store, name in work]:
            future.result()
