"""What a search costs over many chunks: in what it looks at always, in time with `make soak`."""

from __future__ import annotations

import hashlib
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from commonplace.bootstrap import stores
from commonplace.documents.drafts import metadata_of
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType
from commonplace.settings import Settings
from commonplace.storage.port import Nearest
from commonplace.storage.postgres import session as postgres_session
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.sqlite.vectors.engine import Index
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from commonplace.storage.sqlite.vectors.tending import STANDARD_THRESHOLDS
from tests.generate import chunk_draft, source_draft
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import ToolAsker
from tests.surfaces.documents.desk import Desk, actor_of
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

# Neighbours of few dimensions are few: a graph of thousands shows what one of millions does.
DIMENSION, SMALL_DIMENSION = 384, 8
BATCH = 250
QUERIES = [f"question number {n}" for n in range(40)]
FEW, MANY = 10_000, 100_000
# Inserting into PostgreSQL's own graph takes longer.
SMALL_FEW = {"sqlite": 1_500, "postgres": 250}


# For so few the planner rather sorts all of them.
PLANNED_AS_FOR_MANY = "SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off"
ROWS_READ = """
    SELECT sum(seq_tup_read + idx_tup_fetch)::bigint AS read FROM pg_stat_xact_user_tables
    WHERE relname LIKE 'vectors%'
"""


def model_of(dimension: int) -> str:
    return f"random-endpoint@{dimension}"


def vector(text: str, dimension: int) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    raw = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    unit: NDArray[np.float32] = raw / np.linalg.norm(raw)
    return unit


@contextmanager
def random_desk(open_premises: OpenPremises, dimension: int) -> Iterator[Desk]:
    def embed(asked: Asked) -> Answered:
        return vectors([vector(text, dimension).tolist() for text in asked.inputs])

    with local_endpoint(embed) as model:
        premises = open_premises(
            embedding_url=model.url, embedding_model="random", embedding_dimension=dimension
        )
        yield Desk(premises, ToolAsker(premises.caller()))


def drafts(first: int) -> list[ChunkDraft]:
    return [chunk_draft(f"passage number {first + n}", ordinal=n) for n in range(BATCH)]


def fill(desk: Desk, dimension: int, first: int, last: int) -> None:
    """Sources of some hundred chunks each, and whatever graph the store makes of their vectors."""
    store, model = desk.application.documents._store, model_of(dimension)
    for start in range(first, last, BATCH):
        with store.write(actor_of(desk.premises.settings)) as tx:
            source = tx.sources.insert(source_draft(f"ks_{start}"))
            owner = Owner(OwnerType.DOCUMENT, tx.sources.put_document(source, "hash", BATCH))
            tx.chunks.replace(owner, metadata_of(source), drafts(start))
            for chunk in tx.vectors.of_owner(owner, model):
                tx.vectors.put(model, chunk, [vector(chunk.text, dimension)])
    while store.maintain_vectors(model):
        pass


def median_seconds(desk: Desk) -> float:
    desk.search(QUERIES[0], "ws_1")
    taken = []
    for query in QUERIES:
        started = time.perf_counter()
        assert len(desk.search(query, "ws_1")) == 5
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def _rows_read(session: PostgresSession) -> int:
    (row,) = session._connection.execute(ROWS_READ).fetchall()
    return int(row["read"])


@pytest.fixture
def looked_at(dialect: str, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Vectors that each search compared or read, where a store asks its graph early."""
    early = replace(STANDARD_THRESHOLDS, exact_up_to=SMALL_FEW[dialect] // 2)
    counts: list[int] = []
    search, nearest = Index.search, PostgresSession.nearest

    def indexes(settings: Settings) -> LayeredIndexes:
        return LayeredIndexes(settings.home / "vectors", early)

    def compared(self: Index, *given: Any, **named: Any) -> Any:
        found = search(self, *given, **named)
        counts.append(found.computed_distances)
        return found

    def read(self: PostgresSession, *given: Any) -> Nearest:
        self._connection.execute(PLANNED_AS_FOR_MANY)
        before = _rows_read(self)
        found = nearest(self, *given)
        counts.append(_rows_read(self) - before)
        return found

    monkeypatch.setattr(stores, "_layered_indexes", indexes)
    monkeypatch.setattr(postgres_session, "EXACT_UP_TO", early.exact_up_to)
    monkeypatch.setattr(Index, "search", compared)
    monkeypatch.setattr(PostgresSession, "nearest", read)
    return counts


@pytest.mark.requirement("documents.retrieval.sublinear")
def test_ten_times_the_chunks_are_less_than_three_times_the_work(
    open_premises: OpenPremises, inline: None, dialect: str, looked_at: list[int]
) -> None:
    few = SMALL_FEW[dialect]

    def work(desk: Desk) -> float:
        looked_at.clear()
        for query in QUERIES:
            assert len(desk.search(query, "ws_1")) == 5
        return statistics.median(looked_at)

    with random_desk(open_premises, SMALL_DIMENSION) as desk:
        fill(desk, SMALL_DIMENSION, 0, few)
        before = work(desk)
        fill(desk, SMALL_DIMENSION, few, 10 * few)
        after = work(desk)
    assert after < 3 * before, f"{before:.0f} of {few}, {after:.0f} of {10 * few}"


@pytest.mark.soak
@pytest.mark.requirement("documents.retrieval.sublinear")
def test_ten_times_the_chunks_take_less_than_three_times_as_long(
    open_premises: OpenPremises, inline: None
) -> None:
    with random_desk(open_premises, DIMENSION) as desk:
        fill(desk, DIMENSION, 0, FEW)
        few = median_seconds(desk)
        fill(desk, DIMENSION, FEW, MANY)
        many = median_seconds(desk)
    assert many < 3 * few, f"{few * 1000:.1f} ms with {FEW}, {many * 1000:.1f} ms with {MANY}"
