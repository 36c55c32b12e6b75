"""Large orgs in partitions of their own: the same answers before, during and after the move."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import psycopg
import pytest

from commonplace.model.actor import Actor
from commonplace.model.chunk import PendingChunk
from commonplace.model.entry import Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import CorpusStatistics, LexicalQuery, Store
from commonplace.storage.postgres import partitions
from commonplace.storage.postgres.backups import PostgresBackups
from commonplace.storage.postgres.canonical import PostgresRows
from commonplace.storage.postgres.connections import execute, loaded_statements, owned
from commonplace.storage.postgres.partitions import Partitions
from commonplace.storage.postgres.store import PostgresStore
from commonplace.storage.session import filter_values
from tests.forked import FORKS
from tests.generate import (
    ALICE,
    DIMENSION,
    EVE,
    MODEL,
    SYSTEM,
    Vector,
    embed_all,
    keys_of,
    put_chunk,
    text_of,
    unit_vector,
)
from tests.stores import SteppingClock
from tests.waiting import eventually

LARGE = 60
COUNTS = {ALICE: 90, EVE: 12, SYSTEM: 6}
WORDS = LexicalQuery(terms=("retry", "lease", "vector"))


def windows(chunk: PendingChunk) -> list[Vector]:
    seed = int(chunk.text.split()[0].removeprefix("unique"))
    return [unit_vector(seed), unit_vector(seed + 5_000)]


def fill(store: Store) -> None:
    first = 0
    for actor, count in COUNTS.items():
        with store.write(actor) as tx:
            for number in range(first, first + count):
                shared = Visibility.NETWORK if number % 7 == 0 else Visibility.ORG
                tags = ("rare",) if number % 9 == 0 else ()
                put_chunk(tx, number, text_of(number), visibility=shared, tags=tags)
        embed_all(store, actor, windows)
        count_chunks(store, actor)
        first += count


def count_chunks(store: Store, actor: Actor) -> None:
    with store.write(actor) as tx:
        total = tx.chunks.counts().total
        known = tx.statistics.load()
        tx.statistics.save(CorpusStatistics(total, total, 9.0, {}, tx.now), known)


def answers(store: Store) -> dict[str, object]:
    """What each org is told: found by words, by meaning, by tags; texts, counts, work to do."""
    told: dict[str, object] = {}
    for actor in COUNTS:
        with store.read(actor) as tx:
            keys = tx.chunks.lexical(WORDS, Filter(), 50)
            tagged = tx.chunks.lexical(WORDS, Filter(tags=("rare",)), 50)
            nearest = tx.vectors.nearest(MODEL, unit_vector(7), Filter(), 20, 64)
            rare = tx.vectors.nearest(MODEL, unit_vector(7), Filter(tags=("rare",)), 20, 64)
            told[actor.org] = (
                keys,
                tagged,
                nearest,
                rare,
                tx.chunks.fetch(keys, Filter()),
                tx.chunks.terms(keys, Filter()),
                tx.chunks.without_terms(keys, Filter()),
                tx.vectors.cosines(MODEL, unit_vector(9), keys),
                tx.chunks.counts(),
                tx.chunks.sample(200),
            )
    told["work"] = store.due_work()
    return told


APART_OR_NOT = pytest.mark.parametrize(
    "store", [False, True], ids=["orgs apart", "a network"], indirect=True
)


@pytest.fixture
def store(address: str, request: pytest.FixtureRequest) -> Iterator[PostgresStore]:
    network = getattr(request, "param", False)
    opened = PostgresStore(address, SteppingClock(), 4, network=network)
    fill(opened)
    yield opened
    opened.close()


@pytest.fixture
def steps(address: str, monkeypatch: pytest.MonkeyPatch) -> Partitions:
    monkeypatch.setattr(partitions, "BATCH", 25)
    return Partitions(address, LARGE)


def places(address: str) -> dict[tuple[str, str], int]:
    """How many chunks lie where, by org and table; their texts and vectors must lie with them."""
    query = """
        SELECT c.org, c.tableoid::regclass::text, count(*),
               bool_and(p.part = c.part AND v.part = c.part)
        FROM chunks c
        LEFT JOIN passages p ON p.chunk_key = c.key
        LEFT JOIN vectors v ON v.chunk_key = c.key AND v."window" = 0
        GROUP BY 1, 2"""
    with owned(address) as connection:
        rows = connection.execute(query.encode()).fetchall()
    assert all(row["bool_and"] for row in rows), rows
    return {(row["org"], row["tableoid"]): row["count"] for row in rows}


@APART_OR_NOT
def test_answers_stay_the_same_at_every_step(
    store: PostgresStore, steps: Partitions, address: str
) -> None:
    before, taken = answers(store), 0
    while steps.step():
        taken += 1
        assert answers(store) == before, f"after step {taken}"
    assert taken > COUNTS[ALICE] // partitions.BATCH
    assert places(address) == {
        (ALICE.org, "chunks_2"): COUNTS[ALICE],
        (EVE.org, "chunks_0"): COUNTS[EVE],
        (SYSTEM.org, "chunks_1"): COUNTS[SYSTEM],
    }


@pytest.mark.usefixtures("store")
def test_work_is_found_whatever_the_planner_looks_at_first(steps: Partitions, address: str) -> None:
    """It may look at the names of all tables before it knows which of them are partitions."""
    while steps.step():
        pass
    with owned(address) as connection:
        for way in ("nestloop", "indexscan", "indexonlyscan", "bitmapscan"):
            connection.execute(f"SET LOCAL enable_{way} = off".encode())
        work = execute(connection, "partition_work", {"large": LARGE}).fetchone()
    assert work is not None
    assert (work["moving"], work["large"], work["left_over"]) == (None, None, None)


@APART_OR_NOT
def test_what_is_written_meanwhile_is_kept_and_found(
    store: PostgresStore, steps: Partitions, address: str
) -> None:
    while not any(place == "chunks_2" for _, place in places(address)):
        assert steps.step()
    with store.write(ALICE) as tx:
        put_chunk(tx, 0, text_of(0))  # kept, and no longer shared
        put_chunk(tx, 1, text_of(2001))  # in the place of another
        put_chunk(tx, 2000, text_of(2000))
    embed_all(store, ALICE, windows)
    before = answers(store)
    while steps.step():
        assert answers(store) == before
    with store.read(ALICE) as tx:
        assert tx.chunks.counts().total == COUNTS[ALICE] + 1
        for number, found in ((0, 1), (1, 0), (2000, 1), (2001, 1)):
            words = LexicalQuery(words=(f"unique{number}",))
            assert len(tx.chunks.lexical(words, Filter(), 5)) == found, number
    assert (ALICE.org, "chunks_0") not in places(address)


def _move_forever(address: str) -> None:
    partitions.BATCH = 5
    steps = Partitions(address, LARGE)
    while steps.step():
        pass


def _has_moved(address: str, least: int) -> bool:
    return places(address).get((ALICE.org, "chunks_2"), 0) >= least


def test_a_mover_may_be_killed_at_any_time(store: PostgresStore, address: str) -> None:
    before = answers(store)
    for moved in (1, 20, 45, 70):
        process = FORKS.Process(target=_move_forever, args=(address,))
        process.start()
        eventually(partial(_has_moved, address, moved))
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        assert answers(store) == before
    steps = Partitions(address, LARGE)
    while steps.step():
        pass
    assert answers(store) == before
    assert (ALICE.org, "chunks_0") not in places(address)


def test_writers_and_the_mover_wait_for_each_other(
    store: PostgresStore, steps: Partitions, address: str
) -> None:
    """Every acknowledged write is there in the end, and no chunk twice."""

    def write() -> None:
        for number in range(3000, 3040):
            with store.write(ALICE) as tx:
                put_chunk(tx, number, text_of(number))
            embed_all(store, ALICE, windows)

    with ThreadPoolExecutor(1) as threads:
        writing = threads.submit(write)
        while not writing.done() or steps.step():
            steps.tend()
        writing.result()
    (found,) = [(place, n) for (org, place), n in places(address).items() if org == ALICE.org]
    assert found[0] != "chunks_0"
    assert found[1] == COUNTS[ALICE] + 40


READ_BY = {
    "nearest_vectors": "vectors",
    "nearest_among": "vectors",
    "nearest_passing": "chunks",
    "nearest_exactly": "chunks",
    "fetch_chunks": "chunks",
    "chunk_terms": "chunks",
}


def test_an_org_is_searched_without_its_neighbours_partition(
    store: PostgresStore, steps: Partitions
) -> None:
    """Plans name the tables that they read: of a large org its own, of others the shared one."""
    while steps.step():
        pass
    for actor, own, foreign in ((ALICE, "_2", "_0"), (EVE, "_0", "_2")):
        with store._session(actor, write=False) as session:
            values = {
                "model": MODEL,
                "vector": session.codec.vector(unit_vector(1)),
                "limit": 5,
                "keys": [1, 2, 3],
                **filter_values(Filter(), session.codec),
            }
            for name, table in READ_BY.items():
                sql = loaded_statements()[name].sql.replace("(384)", f"({DIMENSION})")
                cursor = session._execute(name, values, f"EXPLAIN {sql}")
                plan = "\n".join(next(iter(row.values())) for row in cursor)
                assert f"{table}{own}" in plan, plan
                assert f"chunks{foreign}" not in plan, plan
                assert f"vectors{foreign}" not in plan, plan


def test_the_systems_partition_is_read_from_its_first_row_on(address: str) -> None:
    """Before, it would only cost every search the planning."""
    store = PostgresStore(address, SteppingClock(), 4)
    with owned(address) as connection:
        connection.execute(b"INSERT INTO org_partitions (org, settled) VALUES ('system', true)")
        execute(connection, "make_partitions", {})
    assert _parts(store) == [0]
    with store.write(SYSTEM) as tx:
        owner = put_chunk(tx, 1, text_of(1), visibility=Visibility.NETWORK)
    assert _parts(store) == [0, 1]
    with store.read(EVE) as tx:
        assert keys_of(tx, owner)
    store.close()


def _parts(store: PostgresStore) -> list[int]:
    with store._connections.bound(write=False, org=EVE.org) as (_, places):
        found = places["parts"]
    assert isinstance(found, list)
    return sorted(found)


def test_an_erased_org_leaves_no_partition(
    store: PostgresStore, steps: Partitions, address: str
) -> None:
    while steps.step():
        pass
    with PostgresRows(address, SteppingClock()).writing() as records:
        assert records.erase(ALICE.org) > 2 * COUNTS[ALICE]
    assert {org for org, _ in places(address)} == {EVE.org, SYSTEM.org}
    while steps.step():
        pass
    with owned(address) as connection:
        left = connection.execute(b"SELECT to_regclass('chunks_2') AS table_name").fetchone()
    assert left == {"table_name": None}
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, text_of(1))
        assert tx.chunks.counts().total == 1


def test_a_backup_keeps_partitions(
    store: PostgresStore, steps: Partitions, address: str, tmp_path: Path
) -> None:
    while steps.step():
        pass
    told, lie, file = answers(store), places(address), tmp_path / "one.backup"
    backups = PostgresBackups(address, SteppingClock())
    backups.back_up(file, "test")
    backups.restore(file, replace=True)
    assert answers(store) == told
    assert places(address) == lie
    assert not steps.step()
    with store.write(ALICE) as tx:
        put_chunk(tx, 9_000, text_of(9_000))
    assert places(address).get((ALICE.org, "chunks_2")) == COUNTS[ALICE] + 1


def test_an_idle_worker_takes_the_steps(
    store: PostgresStore, steps: Partitions, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "_partitions", steps)
    while store.maintain_vectors(MODEL):
        pass
    assert (ALICE.org, "chunks_2") in places(address)
    assert not store.maintain_vectors(MODEL)


def test_nobody_waits_for_a_partition_to_be_made(
    store: PostgresStore, steps: Partitions, address: str
) -> None:
    """A step that would have to wait is given up, and taken later."""
    with psycopg.connect(address) as reader:
        reader.execute("SELECT count(*) FROM commonplace.chunks")
        assert not steps.tend()
    assert steps.step()


def test_the_shared_partition_is_checked_once_for_what_a_migration_took_over(
    address: str, steps: Partitions, store: PostgresStore
) -> None:
    with owned(address) as connection:
        connection.execute(
            b"ALTER TABLE chunks_0 DROP CONSTRAINT shared_part, "
            b"ADD CONSTRAINT shared_part CHECK (part = 0) NOT VALID"
        )
        assert len(execute(connection, "unchecked_partitions", {}).fetchall()) == 1
    assert steps.step()
    with owned(address) as connection:
        assert execute(connection, "unchecked_partitions", {}).fetchall() == []
