"""Finding chunks by their vectors on every store, with and without filters."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.entry import Place, Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import Nearest, Store
from tests.generate import (
    ALICE,
    BOB,
    EVE,
    MODEL,
    Vector,
    axis,
    chunk_draft,
    embed_all,
    metadata,
    near,
    put_chunk,
    text_of,
    unit_vectors,
)
from tests.stores import Database

MANY = 2000
ANY = Filter()
CROWD = 150
WIDTH = 64
DOCUMENT = Owner(OwnerType.DOCUMENT, 1)


def fill(store: Store, vectors: list[Vector], owner: Owner = DOCUMENT) -> list[int]:
    """A chunk for each vector; the keys in the order of the vectors."""
    name = "text" if owner == DOCUMENT else f"text of {owner.key}"
    drafts = [chunk_draft(f"{name} {n}", ordinal=n) for n in range(len(vectors))]
    with store.write(ALICE) as tx:
        tx.chunks.replace(owner, metadata(), drafts)
    with store.read(ALICE) as tx:
        chunks = [c for c in tx.chunks.fetch(range(1, 10_000), Filter()) if c.owner == owner]
    numbers = {chunk.key: chunk.ordinal for chunk in chunks}
    embed_all(store, ALICE, lambda chunk: [vectors[numbers[chunk.key]]])
    return sorted(numbers, key=numbers.__getitem__)


def nearest(store: Store, query: Vector, wanted: Filter = ANY, limit: int = 10) -> Nearest:
    with store.read(ALICE) as tx:
        return tx.vectors.nearest(MODEL, query, wanted, limit, WIDTH)


def keys(found: Nearest) -> list[int]:
    return [key for key, _ in found.hits]


def test_nearest_first_with_their_cosines(store: Store) -> None:
    query = axis(0)
    expected = [0.95, 0.8, 0.5, 0.1, -0.4]
    stored = fill(store, [near(query, cosine, seed) for seed, cosine in enumerate(expected)])
    found = nearest(store, query)
    assert keys(found) == stored
    assert [cosine for _, cosine in found.hits] == pytest.approx(expected, abs=1e-3)
    assert keys(nearest(store, query, limit=2)) == stored[:2]


def test_nothing_stored_or_another_model_gives_nothing(store: Store) -> None:
    assert nearest(store, axis(0)).hits == ()
    stored = fill(store, [axis(0)])
    with store.read(ALICE) as tx:
        assert tx.vectors.nearest("another-model", axis(0), Filter(), 5, WIDTH).hits == ()
        assert tx.vectors.cosines("another-model", axis(0), stored) == {}


def test_agreement_with_a_full_comparison(store: Store) -> None:
    vectors = unit_vectors(400, seed=1)
    stored = fill(store, vectors)
    for query in unit_vectors(5, seed=2):
        cosines = np.stack(vectors) @ query
        expected = [stored[place] for place in np.argsort(-cosines)[:10]]
        assert len(set(keys(nearest(store, query))) & set(expected)) >= 9


def test_a_chunk_counts_once_with_its_best_window(store: Store) -> None:
    query = axis(0)
    windows = {1: (0.2, 0.9, 0.5), 2: (0.7, 0.6), 3: (0.85,)}
    with store.write(ALICE) as tx:
        for number in windows:
            put_chunk(tx, number, f"chunk {number}")
    with store.read(ALICE) as tx:
        owners = {c.key: c.owner.key for c in tx.chunks.fetch(range(1, 100), Filter())}
    embed_all(
        store,
        ALICE,
        lambda chunk: [
            near(query, cosine, seed) for seed, cosine in enumerate(windows[owners[chunk.key]])
        ],
    )
    found = nearest(store, query)
    assert [owners[key] for key in keys(found)] == [1, 3, 2]
    assert [cosine for _, cosine in found.hits] == pytest.approx([0.9, 0.85, 0.7], abs=1e-3)
    with store.read(ALICE) as tx:
        cosines = tx.vectors.cosines(MODEL, query, [*owners, 999])
    assert cosines == pytest.approx(dict(found.hits), abs=1e-3)


def test_the_mean_of_a_document_is_that_of_vectors_all_over_it(store: Store) -> None:
    query, other = axis(0), Owner(OwnerType.DOCUMENT, 2)
    fill(store, [near(query, cosine, seed) for seed, cosine in enumerate((0.9, 0.1, 0.5, 0.3))])
    fill(store, [near(query, 0.7)], other)
    with store.read(ALICE) as tx:
        means = partial(tx.vectors.mean_cosines, MODEL, query)
        assert means([1, 2, 3], 8) == pytest.approx({1: 0.45, 2: 0.7}, abs=1e-3)
        assert means([1], 2) == pytest.approx({1: 0.7}, abs=1e-3)
        assert means([1], 3) == pytest.approx({1: 0.7}, abs=1e-3)
        assert means([], 8) == {}
        assert tx.vectors.mean_cosines("another-model", query, [1], 8) == {}
    with store.read(EVE) as tx:
        assert tx.vectors.mean_cosines(MODEL, query, [1, 2], 8) == {}


def test_many_windows_of_one_chunk_do_not_crowd_out_others(store: Store) -> None:
    query = axis(0)
    with store.write(ALICE) as tx:
        for number in range(6):
            put_chunk(tx, number, f"chunk {number}")

    def windows(text: str) -> list[Vector]:
        if text == "chunk 0":
            return [near(query, 0.99, seed) for seed in range(200)]
        return [near(query, 0.5, int(text[-1]))]

    embed_all(store, ALICE, lambda chunk: windows(chunk.text))
    assert len(nearest(store, query, limit=5).hits) == 5


def test_one_of_two_thousand_behind_a_filter(store: Store) -> None:
    """The wanted one is the farthest, so the nearest without a filter never hold it."""
    query, rare = axis(0), Owner(OwnerType.DOCUMENT, 2)
    cosines = np.linspace(0.95, 0.2, MANY - 1)
    stored = fill(store, [near(query, float(c), seed) for seed, c in enumerate(cosines)])
    (last,) = fill(store, [near(query, 0.1)], rare)
    for given, wanted in (
        ({"tags": ("rare",)}, Filter(tags=("rare",))),
        ({"kind": "item"}, Filter(kinds=("item",))),
        ({"place": Place(project="rare")}, Filter(place=Place(project="rare"))),
    ):
        with store.write(ALICE) as tx:
            assert tx.chunks.replace(rare, metadata(**given), [chunk_draft("text of 2 0")]) == 0
        ((key, cosine),) = nearest(store, query, wanted).hits
        assert key == last
        assert cosine == pytest.approx(0.1, abs=1e-3)
    assert nearest(store, query, Filter(tags=("absent",))).hits == ()
    assert keys(nearest(store, query, limit=3)) == stored[:3]


def test_private_chunks_of_others_do_not_crowd_out_the_own(store: Store) -> None:
    query = axis(0)
    with store.write(BOB) as tx:
        for number in range(CROWD):
            put_chunk(tx, number, text_of(number), visibility=Visibility.PRIVATE)
    with store.write(ALICE) as tx:
        put_chunk(tx, 999, "mine", visibility=Visibility.PRIVATE)
    embed_all(store, ALICE, lambda c: [near(query, 0.2 if c.text == "mine" else 0.9, c.key)])
    found = nearest(store, query)
    with store.read(ALICE) as tx:
        (chunk,) = tx.chunks.fetch(keys(found), Filter())
    assert chunk.text == "mine"


def test_other_orgs_do_not_crowd_out_the_own(store: Store) -> None:
    query = axis(0)
    with store.write(EVE) as tx:
        for number in range(CROWD):
            put_chunk(tx, number, text_of(number))
    embed_all(store, EVE, lambda chunk: [near(query, 0.9, chunk.key)])
    with store.write(ALICE) as tx:
        put_chunk(tx, 999, "mine")
    embed_all(store, ALICE, lambda _: [near(query, 0.2)])
    assert len(nearest(store, query).hits) == 1


def test_removed_chunks_are_never_found_again(database: Database) -> None:
    store, other = database.open(), database.open()
    query = axis(0)
    stored = fill(store, [near(query, 0.9, seed) for seed in range(50)])
    assert len(nearest(other, query, limit=50).hits) == 50
    with store.write(ALICE) as tx:
        odd = [chunk_draft(f"text {number}", ordinal=number) for number in range(1, 50, 2)]
        tx.chunks.replace(DOCUMENT, metadata(), odd)
    third = database.open()
    for reading in (store, other, third):
        assert set(keys(nearest(reading, query, limit=50))) == set(stored[1::2])
        with reading.read(ALICE) as tx:
            assert set(tx.vectors.cosines(MODEL, query, stored)) == set(stored[1::2])
    with store.write(ALICE) as tx:
        tx.chunks.remove(DOCUMENT)
    for reading in (store, other, third):
        assert nearest(reading, query).hits == ()


def test_new_vectors_are_found_by_whoever_searched_before(database: Database) -> None:
    store, other = database.open(), database.open()
    for number in range(5):
        with store.write(ALICE) as tx:
            put_chunk(tx, number, f"text {number}")
        embed_all(store, ALICE, lambda _: [axis(1)])
        assert len(nearest(other, axis(1)).hits) == number + 1


def test_vectors_of_two_models_stand_side_by_side(database: Database) -> None:
    store, other = database.open(), database.open()
    fill(store, [axis(1)])
    assert nearest(other, axis(1)).hits[0][1] == pytest.approx(1, abs=1e-3)
    with store.write(ALICE) as tx:
        assert tx.vectors.reopen("model-2", 10) == 1
    embed_all(store, ALICE, lambda _: [axis(2)], model="model-2")
    with other.read(ALICE) as tx:
        assert len(tx.vectors.nearest(MODEL, axis(1), Filter(), 5, WIDTH).hits) == 1
        ((_, cosine),) = tx.vectors.nearest("model-2", axis(2), Filter(), 5, WIDTH).hits
    assert cosine == pytest.approx(1, abs=1e-3)
