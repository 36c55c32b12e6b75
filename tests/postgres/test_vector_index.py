"""The index of each model's vectors: made with its first vector, used, and truthful about it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from commonplace.errors import StorageError
from commonplace.model.chunk import PendingChunk, Urgency
from commonplace.model.query import Filter
from commonplace.storage.port import Nearest, Transaction
from commonplace.storage.postgres import session
from commonplace.storage.postgres.connections import connect
from commonplace.storage.postgres.store import PostgresStore
from tests.generate import (
    ALICE,
    EVE,
    MODEL,
    Vector,
    axis,
    embed_all,
    keys_of,
    put_chunk,
    unit_vector,
)
from tests.stores import START
from tests.waiting import eventually

INDEXES = b"""
SELECT indexdef FROM pg_indexes
WHERE schemaname = 'commonplace' AND tablename = 'vectors' AND indexdef LIKE '%hnsw%'
"""
SOMEBODY_WAITS = b"SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted) AS found"
CHUNKS = 400


def _indexes(address: str) -> list[str]:
    with connect(address) as connection:
        return [row["indexdef"] for row in connection.execute(INDEXES)]


def _windows(chunk: PendingChunk) -> list[Vector]:
    """Two windows, so that windows of one chunk compete."""
    return [unit_vector(int(chunk.text)), unit_vector(int(chunk.text) + CHUNKS)]


def _fill(store: PostgresStore) -> None:
    with store.write(ALICE) as tx:
        for number in range(CHUNKS):
            put_chunk(tx, number, str(number), tags=("rare",) if number % 80 == 0 else ())
    embed_all(store, ALICE, _windows)


def _nearest(store: PostgresStore, wanted: Filter, limit: int = 10) -> Nearest:
    with store.read(ALICE) as tx:
        return tx.vectors.nearest(MODEL, unit_vector(7), wanted, limit, 200)


@pytest.fixture
def index_used_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if so few vectors were already too many to compare."""
    monkeypatch.setattr(session, "EXACT_UP_TO", 10)


def test_each_model_has_an_index_of_its_own(address: str, postgres: PostgresStore) -> None:
    assert _indexes(address) == []
    with postgres.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
        put_chunk(tx, 2, "text")
        first, second = tx.vectors.claim(Urgency.FRESH, 10, START)
        assert tx.vectors.put("it's a model", first, [axis(1)])
        assert tx.vectors.put("another", second, [unit_vector(1)[:8], unit_vector(2)[:8]])
    made = sorted(_indexes(address))
    assert any("halfvec(32)" in index and "'it''s a model'" in index for index in made)
    assert any("halfvec(8)" in index and "'another'" in index for index in made)


def _embed_and_fail(tx: Transaction) -> None:
    (chunk,) = tx.vectors.claim(Urgency.FRESH, 10, START)
    tx.vectors.put(MODEL, chunk, [axis(1)])
    raise ZeroDivisionError


def test_an_index_that_was_rolled_back_is_made_again(address: str, postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
    with pytest.raises(ZeroDivisionError), postgres.write(ALICE) as tx:
        _embed_and_fail(tx)
    assert _indexes(address) == []
    embed_all(postgres, ALICE, lambda _: [axis(1)])
    embed_all(postgres, ALICE, lambda _: [axis(1)])
    assert len(_indexes(address)) == 1


def test_first_vectors_of_several_workers_wait_for_each_other(
    address: str, postgres: PostgresStore
) -> None:
    actors = (ALICE, EVE)
    for actor in actors:
        with postgres.write(actor) as tx:
            put_chunk(tx, 1, "text")
    together = Barrier(len(actors))

    def embed(number: int) -> int:
        together.wait()
        return embed_all(postgres, actors[number], lambda _: [axis(1)])

    with ThreadPoolExecutor(len(actors)) as threads:
        assert list(threads.map(embed, range(len(actors)))) == [1, 1]
    assert len(_indexes(address)) == 1


def _somebody_waits(address: str) -> bool:
    with connect(address) as connection:
        (row,) = connection.execute(SOMEBODY_WAITS)
        return bool(row["found"])


def test_who_edits_while_the_first_vectors_are_stored_meets_no_deadlock(
    address: str, postgres: PostgresStore
) -> None:
    with postgres.write(ALICE) as tx:
        edited = put_chunk(tx, 1, "text")
        removed = put_chunk(tx, 2, "another text")
        claimed = tx.vectors.claim(Urgency.FRESH, 10, START)
    first = next(chunk for chunk in claimed if chunk.text == "text")

    def store_first_vector() -> bool:
        with postgres.write(ALICE) as tx:
            return tx.vectors.put(MODEL, first, [axis(1)])

    with ThreadPoolExecutor(1) as thread:
        with postgres.write(ALICE) as tx:
            put_chunk(tx, 1, "text", tags=("edited",))
            stored = thread.submit(store_first_vector)
            eventually(lambda: _somebody_waits(address))
            tx.chunks.remove(removed)
        assert stored.result()
    assert len(_indexes(address)) == 1
    with postgres.read(ALICE) as tx:
        assert len(keys_of(tx, edited, removed)) == 1


def test_an_index_that_others_are_in_the_way_of_is_made_with_the_next_vector(
    address: str, postgres: PostgresStore
) -> None:
    with postgres.write(ALICE) as tx:
        put_chunk(tx, 1, "text")
        put_chunk(tx, 2, "text")
        first, second = tx.vectors.claim(Urgency.FRESH, 10, START)
    with connect(address) as other, other.transaction():
        other.execute(b"LOCK TABLE commonplace.vectors IN ROW EXCLUSIVE MODE")
        with postgres.write(ALICE) as tx:
            assert tx.vectors.put(MODEL, first, [axis(1)])
    assert _indexes(address) == []
    with postgres.write(ALICE) as tx:
        assert tx.vectors.put(MODEL, second, [axis(2)])
    assert len(_indexes(address)) == 1


def test_few_vectors_are_compared_exactly(postgres: PostgresStore) -> None:
    _fill(postgres)
    assert _nearest(postgres, Filter()).exact


def test_the_index_finds_what_a_comparison_of_all_finds(
    postgres: PostgresStore, request: pytest.FixtureRequest
) -> None:
    _fill(postgres)
    exact = _nearest(postgres, Filter())
    request.getfixturevalue("index_used_early")
    found = _nearest(postgres, Filter())
    assert not found.exact
    assert len(dict(found.hits)) == 10
    assert len(set(found.hits) & set(exact.hits)) >= 9


@pytest.mark.usefixtures("index_used_early")
def test_a_filter_that_few_pass_is_answered_exactly(postgres: PostgresStore) -> None:
    _fill(postgres)
    found = _nearest(postgres, Filter(tags=("rare",)))
    assert found.exact
    assert len(found.hits) == CHUNKS // 80
    cosines = [cosine for _, cosine in found.hits]
    assert cosines == sorted(cosines, reverse=True)


@pytest.mark.usefixtures("index_used_early")
def test_more_is_asked_for_than_the_index_can_look_at(postgres: PostgresStore) -> None:
    _fill(postgres)
    assert len(_nearest(postgres, Filter(), limit=CHUNKS).hits) == CHUNKS


def test_a_vector_of_another_length_is_refused(postgres: PostgresStore) -> None:
    with postgres.write(ALICE) as tx:
        for number in (1, 2):
            put_chunk(tx, number, "text")
        first, second = tx.vectors.claim(Urgency.FRESH, 10, START)
        tx.vectors.put(MODEL, first, [axis(1)])
    with pytest.raises(StorageError), postgres.write(ALICE) as tx:
        tx.vectors.put(MODEL, second, [axis(1)[:8]])
