"""Search time over many chunks; long, so only with `make soak`."""

from __future__ import annotations

import hashlib
import statistics
import time

import numpy as np
import pytest
from numpy.typing import NDArray

from commonplace.ingestion.drafts import standing_of
from commonplace.model.chunk import ChunkDraft, Owner, OwnerType
from commonplace.storage.port import Store
from tests.generate import chunk_draft, source_draft
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.documents.asking import ToolAsker
from tests.surfaces.documents.desk import Desk, actor_of
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint, vectors

DIMENSION = 384
MODEL = {"embedding_model": "random", "embedding_dimension": DIMENSION}
KEY = f"random-endpoint@{DIMENSION}"
BATCH = 1000
QUERIES = [f"question number {n}" for n in range(40)]
FEW, MANY = 10_000, 100_000


def vector(text: str) -> NDArray[np.float32]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    raw = np.random.default_rng(seed).standard_normal(DIMENSION).astype(np.float32)
    unit: NDArray[np.float32] = raw / np.linalg.norm(raw)
    return unit


def embed(asked: Asked) -> Answered:
    return vectors([vector(text).tolist() for text in asked.inputs])


def drafts(first: int) -> list[ChunkDraft]:
    return [chunk_draft(f"passage number {first + n}", ordinal=n) for n in range(BATCH)]


def fill(store: Store, desk: Desk, first: int, last: int) -> None:
    """Sources of a thousand chunks each."""
    for start in range(first, last, BATCH):
        with store.write(actor_of(desk.premises.settings)) as tx:
            source = tx.sources.insert(source_draft(f"ks_{start}"))
            owner = Owner(OwnerType.DOCUMENT, tx.sources.put_document(source, "hash", BATCH))
            tx.chunks.replace(owner, standing_of(source), drafts(start))
            for chunk in tx.vectors.of_owner(owner, KEY):
                tx.vectors.put(KEY, chunk, [vector(chunk.text)])


def tend(store: Store) -> None:
    while store.tend(KEY):
        pass


def median_seconds(desk: Desk) -> float:
    desk.search(QUERIES[0], "ws_1")
    taken = []
    for query in QUERIES:
        started = time.perf_counter()
        assert len(desk.search(query, "ws_1")) == 5
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


@pytest.mark.soak
@pytest.mark.requirement("documents.retrieval.sublinear")
def test_ten_times_the_chunks_take_less_than_three_times_as_long(
    open_premises: OpenPremises, inline: None
) -> None:
    with local_endpoint(embed) as model:
        premises = open_premises(embedding_url=model.url, **MODEL)
        desk = Desk(premises, ToolAsker(premises.caller()))
        store = desk.application.ingestion._store
        fill(store, desk, 0, FEW)
        tend(store)
        few = median_seconds(desk)
        fill(store, desk, FEW, MANY)
        tend(store)
        many = median_seconds(desk)
    assert many < 3 * few, f"{few * 1000:.1f} ms with {FEW}, {many * 1000:.1f} ms with {MANY}"
