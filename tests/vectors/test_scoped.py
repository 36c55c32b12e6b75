"""Nearest-neighbour search with tags and kinds in orgs with posting lists: the lists tell which
chunks to compare, and every other condition still holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from commonplace.model.query import USUAL_WIDTH, Filter
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.sqlite.vectors import search
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from tests.generate import EVE, MODEL, axis, embed_all, put_chunk, unit_vectors
from tests.postings.library import (
    AT_ONCE,
    WithoutLists,
    asked,
    assert_the_same,
    change,
    fill,
    post_all,
)
from tests.processes import wall_clock
from tests.vectors.library import EARLY, tend


def opened(home: Path, postings: PostingLists, graphs: str = "vectors") -> SqliteStore:
    return SqliteStore(
        home / "library.db",
        wall_clock,
        lambda: LayeredIndexes(home / graphs, EARLY),
        postings=postings,
    )


def assert_exact(home: Path) -> None:
    """As a search without lists and without a graph: it compares every vector."""
    with_lists = opened(home, PostingLists(AT_ONCE))
    without = opened(home, WithoutLists(), graphs="none")
    assert_the_same(with_lists, without)
    with_lists.close()
    without.close()


@pytest.fixture
def store(tmp_path: Path) -> SqliteStore:
    store = opened(tmp_path, PostingLists(AT_ONCE))
    fill(store)
    post_all(store)
    return store


@pytest.mark.parametrize("graph", [False, True])
def test_filters_find_the_same_with_lists_and_without(
    tmp_path: Path, store: SqliteStore, graph: bool
) -> None:
    if graph:
        tend(store)
    assert_exact(tmp_path)
    change(store)
    assert_exact(tmp_path)
    post_all(store)
    assert_exact(tmp_path)


def test_the_lists_answer_without_a_look_at_every_chunk(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tend(store)
    monkeypatch.setattr(search.NearestSearch, "_wanted_keys", _not_asked)
    assert len(asked(store, Filter(kinds=("item",)), 10).hits) == 10


def test_many_vectors_in_a_scope_are_searched_without_the_lists(
    tmp_path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tend(store)
    monkeypatch.setattr(search, "MOST_SCOPED", 5)
    assert_exact(tmp_path)


def test_few_vectors_in_a_scope_are_compared_exactly(store: SqliteStore) -> None:
    tend(store)
    assert asked(store, Filter(tags=("rare",)), 10).exact
    assert not asked(store, Filter(any_tags=("common",)), 10).exact


def test_another_org_is_never_in_the_scope(store: SqliteStore) -> None:
    with store.write(EVE) as tx:
        for number in range(300):
            put_chunk(tx, 5_000 + number, f"number {number}", tags=("rare",))
    embed_all(store, EVE, lambda chunk: unit_vectors(1, seed=chunk.key))
    post_all(store)
    expected = asked(store, Filter(tags=("rare",)), 200).hits
    with store.read(EVE) as tx:
        hers = tx.vectors.nearest(MODEL, axis(0), Filter(tags=("rare",)), 400, USUAL_WIDTH).hits
    assert len(hers) == 300
    assert not dict(expected).keys() & dict(hers).keys()


def _not_asked(_: object) -> list[int]:
    raise AssertionError("every chunk was looked at")
