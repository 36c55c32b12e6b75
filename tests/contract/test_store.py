"""A store as a whole: work across tenants, waking up, leases, health, erasing for good."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest

from commonplace.errors import NotFound
from commonplace.knowledge.replays import answer_of
from commonplace.model.capture import ReviewDraft, ReviewStatus
from commonplace.model.chunk import Owner, OwnerType, Urgency
from commonplace.model.entry import Entry, Visibility
from commonplace.model.query import Filter
from commonplace.model.run import RunKind
from commonplace.storage.port import DueWork, Store, Transaction
from tests.generate import (
    ALICE,
    EVE,
    MODEL,
    SYSTEM,
    axis,
    chunk_draft,
    embed_all,
    entry_draft,
    metadata,
    metadata_of,
    owner_of,
    put_chunk,
)
from tests.processes import add_chunk, embed_and_search, running
from tests.stores import START, Database, MakeDatabase, SteppingClock

LONG_ENOUGH = 30.0


def test_waiting_names_orgs_with_due_work_most_urgent_first(
    store: Store, clock: SteppingClock
) -> None:
    assert store.due_work() == []
    with store.write(ALICE) as tx:
        owner = Owner(OwnerType.DOCUMENT, 1)
        tx.chunks.replace(owner, metadata(), [chunk_draft("bulk", urgency=Urgency.BULK)])
    with store.write(EVE) as tx:
        put_chunk(tx, 1, "fresh")
    with store.write(SYSTEM) as tx:
        tx.runs.start(RunKind.REBUILD, [{}])
    assert store.due_work() == [
        DueWork("umbrella", Urgency.FRESH, embeddings=True),
        DueWork("acme", Urgency.BULK, embeddings=True),
        DueWork("system", Urgency.BULK, embeddings=False, targets=True),
    ]
    with store.write(EVE) as tx:
        tx.vectors.claim(Urgency.FRESH, 10, START + timedelta(seconds=60))
    assert [waiting.org for waiting in store.due_work()] == ["acme", "system"]
    clock.advance(60)
    assert store.due_work()[0].org == "umbrella"


def test_fresh_work_of_an_org_hides_its_bulk_work(store: Store) -> None:
    with store.write(ALICE) as tx:
        owner = Owner(OwnerType.DOCUMENT, 1)
        tx.chunks.replace(owner, metadata(), [chunk_draft("bulk", urgency=Urgency.BULK)])
        put_chunk(tx, 2, "fresh")
    assert store.due_work() == [DueWork("acme", Urgency.FRESH, embeddings=True)]


def test_orgs_are_those_that_wrote(store: Store) -> None:
    assert store.orgs() == []
    for actor in (EVE, ALICE):
        with store.write(actor) as tx:
            tx.entries.insert(entry_draft("n-1"))
    with store.read(SYSTEM) as tx:
        tx.entries.get("n-1")
    assert store.orgs() == ["acme", "umbrella"]


def test_an_org_begins_with_its_first_write_whatever_that_writes(store: Store) -> None:
    with store.read(ALICE):
        pass
    assert store.orgs() == []
    with store.write(ALICE) as tx:
        tx.accesses.count([])
    assert store.orgs() == [ALICE.org]


def test_a_first_write_that_is_taken_back_begins_no_org(store: Store) -> None:
    with pytest.raises(NotFound), store.write(ALICE):
        raise NotFound
    assert store.orgs() == []


def test_waiting_for_work_ends_when_its_time_is_over(store: Store) -> None:
    assert not store.await_work(0.01)


def test_work_of_another_thread_wakes(store: Store) -> None:
    _wakes_while_waiting(store, lambda: _queue(store))


def test_work_of_another_store_on_the_same_database_wakes(database: Database) -> None:
    waiting, writing = database.open(), database.open()
    for number in range(2):
        _wakes_while_waiting(waiting, lambda n=number: _queue(writing, n))


def test_work_of_another_process_wakes(database: Database) -> None:
    store = database.open()
    with running(add_chunk, (database.address, "from elsewhere")):
        assert store.await_work(LONG_ENOUGH)
    with store.read(ALICE) as tx:
        assert tx.chunks.counts().total == 1


def test_work_added_after_looking_and_before_waiting_is_noticed(database: Database) -> None:
    waiting, writing = database.open(), database.open()
    assert waiting.due_work() == []
    for number in range(2):
        _queue(writing, number)
        assert waiting.await_work(LONG_ENOUGH)


def test_every_kind_of_work_wakes(store: Store) -> None:
    def start_run() -> None:
        with store.write(ALICE) as tx:
            tx.runs.start(RunKind.REBUILD, [{}])

    def reopen() -> None:
        with store.write(ALICE) as tx:
            assert tx.vectors.reopen("model-2", 10) == 1

    def retry() -> None:
        with store.write(ALICE) as tx:
            (chunk,) = tx.vectors.claim(Urgency.BULK, 10, START)
            tx.vectors.record_failure(chunk, None, "given up")
            assert tx.vectors.retry_failed() == 1

    _queue(store)
    embed_all(store, ALICE, lambda _: [axis(1)])
    for work in (start_run, reopen, retry):
        _wakes_while_waiting(store, work)


def test_a_process_works_on_what_another_wrote(database: Database) -> None:
    store = database.open(clock=SteppingClock(START - timedelta(days=3650)))
    _queue(store)
    with running(embed_and_search, (database.address,)):
        pass
    with store.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1


def test_a_lease_has_one_holder_at_a_time(database: Database, clock: SteppingClock) -> None:
    first, second = database.open(), database.open()
    assert first.take_lease("worker", "one", 10)
    assert not second.take_lease("worker", "two", 10)
    assert second.take_lease("other", "two", 10)
    clock.advance(9)
    assert first.take_lease("worker", "one", 10)
    clock.advance(9.999)
    assert not second.take_lease("worker", "two", 10)
    clock.advance(0.001)
    assert second.take_lease("worker", "two", 10)
    assert not first.take_lease("worker", "one", 10)


def test_a_lease_is_given_back_by_its_holder_only(store: Store) -> None:
    assert store.take_lease("worker", "one", 10)
    store.drop_lease("worker", "two")
    assert not store.take_lease("worker", "two", 10)
    store.drop_lease("worker", "one")
    store.drop_lease("worker", "one")
    assert store.take_lease("worker", "two", 10)


def test_one_of_many_takes_a_lease(database: Database) -> None:
    stores = [database.open(), database.open()]
    start = threading.Barrier(8)

    def take(number: int) -> bool:
        start.wait()
        return stores[number % 2].take_lease("worker", f"holder {number}", 10)

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(take, range(8))) == 1


def test_health_says_what_it_is(store: Store, database: Database) -> None:
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1"))
    health = store.health()
    assert health.dialect == {"sqlite": "sqlite", "postgres": "postgresql"}[database.dialect]
    assert health.version
    assert health.schema_version >= 1
    assert health.size_bytes > 0
    assert health.orgs == 1
    assert store.shared_by_processes == (database.dialect == "postgres")


def test_scrub_leaves_what_is_there(store: Store) -> None:
    _queue(store)
    embed_all(store, ALICE, lambda _: [axis(1)])
    store.scrub()
    with store.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, 20).hits) == 1
        assert tx.chunks.counts().total == 1


def test_a_purge_leaves_no_byte_of_it_in_the_files(make_database: MakeDatabase) -> None:
    """Long enough for overflow pages, edited before, and among others that stay."""
    database = make_database("sqlite")
    store = database.open()
    secret = "hunter2swordfish"
    body = " ".join(f"{secret} padding{number}" for number in range(2000))
    with store.write(ALICE) as tx:
        for number in range(50):
            put_chunk(tx, 1000 + number, f"neighbour {number}")
        entry = tx.entries.insert(entry_draft("n-1", body=body, title=secret, tags=(secret,)))
        drafts = [chunk_draft(body, context=secret), chunk_draft(secret, ordinal=1)]
        tx.chunks.replace(owner_of(entry), metadata_of(entry), drafts)
        _repeat_elsewhere(tx, entry)
    assert secret.encode() in _all_bytes(database)
    with store.write(ALICE) as tx:
        tx.chunks.remove(owner_of(entry))
        tx.entries.erase(entry)
    store.scrub()
    assert secret.encode() not in _all_bytes(database)
    assert secret[:-1].encode() not in _all_bytes(database)
    store.close()
    assert secret.encode() not in _all_bytes(database)


def test_a_purged_secret_is_gone_from_postgres_rows(make_database: MakeDatabase) -> None:
    """Vacuum is the database's own; no statement can read the secret any more."""
    import psycopg

    database = make_database("postgres")
    store = database.open()
    secret = "hunter2swordfish"
    with store.write(ALICE) as tx:
        entry = tx.entries.insert(
            entry_draft("n-1", body=secret, title=secret, visibility=Visibility.NETWORK)
        )
        tx.chunks.replace(owner_of(entry), metadata_of(entry), [chunk_draft(secret)])
        _repeat_elsewhere(tx, entry)
    with store.write(ALICE) as tx:
        tx.chunks.remove(owner_of(entry))
        tx.entries.erase(entry)
    store.scrub()
    with psycopg.connect(database.address) as connection:
        tables = connection.execute(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables "
            "WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
        ).fetchall()
        assert tables
        for (table,) in tables:
            rows = connection.execute(f"SELECT * FROM {table}".encode()).fetchall()
            assert secret not in repr(rows), table


def _repeat_elsewhere(tx: Transaction, entry: Entry) -> None:
    """As the answer to the call that stored it, and as the moment that it was."""
    tx.replays.claim("store.note", "token", tx.now + timedelta(minutes=1))
    tx.replays.settle("store.note", "token", answer_of(entry))
    moment = {"text": entry.content.body}
    review = tx.reviews.add(ReviewDraft("rv-1", "print", moment, 0.9, "high", "not saving"))
    assert review
    tx.reviews.settle(review, ReviewStatus.CONFIRMED, entry.id)


def _queue(store: Store, number: int = 1) -> None:
    with store.write(ALICE) as tx:
        put_chunk(tx, number, f"text {number}")


def _wakes_while_waiting(store: Store, work: object) -> None:
    """The work is done while, or just before, the store waits: both must end the waiting."""
    assert callable(work)
    while store.await_work(0.01):
        continue
    thread = threading.Thread(target=work)
    thread.start()
    woken = store.await_work(LONG_ENOUGH)
    thread.join()
    assert woken


def _all_bytes(database: Database) -> bytes:
    file = Path(database.address)
    return b"".join(found.read_bytes() for found in sorted(file.parent.glob(f"{file.name}*")))
