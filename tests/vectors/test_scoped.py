"""Nearest-neighbour search with tags and kinds in orgs with posting lists: the lists tell which
chunks to compare, and every other condition still holds."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from commonplace.model.entry import Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import Nearest
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.sqlite.vectors import search
from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes
from tests.generate import ALICE, BOB, EVE, MODEL, axis, embed_all, near, put_chunk, unit_vectors
from tests.postings.library import AT_ONCE, WithoutLists, post_all
from tests.processes import wall_clock
from tests.vectors.library import EARLY, WIDTH, remove, tend

COUNT = 600
FILTERS = (
    Filter(tags=("rare",)),
    Filter(kinds=("item",)),
    Filter(any_tags=("rare", "common")),
    Filter(tags=("rare", "common")),
    Filter(tags=("rare",), kinds=("item",)),
    Filter(tags=("rare",), agent="bob"),
    Filter(tags=("rare",), include_superseded=True, include_expired=True),
    Filter(tags=("absent",)),
)


def opened(home: Path, postings: PostingLists, graphs: str = "vectors") -> SqliteStore:
    return SqliteStore(
        home / "library.db",
        wall_clock,
        lambda: LayeredIndexes(home / graphs, EARLY),
        postings=postings,
    )


def fill(store: SqliteStore) -> None:
    """Chunks that differ in everything that decides whether they may be found."""
    for actor, first in ((ALICE, 0), (BOB, 1)):
        with store.write(actor) as tx:
            for number in range(first, COUNT, 2):
                tags = [name for name, every in (("common", 3), ("rare", 20)) if not number % every]
                put_chunk(
                    tx,
                    number,
                    f"number {number}",
                    tags=tuple(tags),
                    kind="note" if number % 25 else "item",
                    visibility=Visibility.ORG if number % 7 else Visibility.PRIVATE,
                    superseded=number % 11 == 0,
                    expires_at=tx.now - timedelta(days=1) if number % 13 == 0 else None,
                )
    embed(store)


def embed(store: SqliteStore) -> None:
    embed_all(store, ALICE, lambda chunk: [near(axis(0), 0.9 - 0.001 * chunk.key, chunk.key)])


def change(store: SqliteStore) -> None:
    """What happens to chunks after their lists were made."""
    with store.write(ALICE) as tx:
        put_chunk(tx, 20, "number 20", tags=())
        put_chunk(tx, 22, "number 22", tags=("rare",))
        put_chunk(tx, 40, "an edited text", tags=("rare",))
        put_chunk(tx, 2_000, "number 2000", tags=("rare", "common"), kind="item")
    remove(store, [60, 100])
    embed(store)


def asked(store: SqliteStore, wanted: Filter, limit: int) -> Nearest:
    with store.read(ALICE) as tx:
        return tx.vectors.nearest(MODEL, axis(0), wanted, limit, WIDTH)


def assert_the_same(home: Path) -> None:
    """As a search without lists and without a graph: it compares every vector."""
    with_lists = opened(home, PostingLists(AT_ONCE))
    without = opened(home, WithoutLists(), graphs="none")
    for wanted in FILTERS:
        for limit in (3, 200):
            expected = list(dict(asked(without, wanted, limit).hits))
            assert list(dict(asked(with_lists, wanted, limit).hits)) == expected, wanted
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
    assert_the_same(tmp_path)
    change(store)
    assert_the_same(tmp_path)
    post_all(store)
    assert_the_same(tmp_path)


def test_the_lists_answer_without_a_look_at_every_chunk(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tend(store)
    monkeypatch.setattr(search.NearestSearch, "_wanted_keys", _not_asked)
    assert len(asked(store, Filter(kinds=("item",)), 10).hits) == 10


def test_too_many_in_a_scope_are_searched_like_everything(
    tmp_path: Path, store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tend(store)
    monkeypatch.setattr(search, "_MOST_SCOPED", 5)
    assert_the_same(tmp_path)


def test_so_few_in_a_scope_are_compared_exactly(store: SqliteStore) -> None:
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
        hers = tx.vectors.nearest(MODEL, axis(0), Filter(tags=("rare",)), 400, WIDTH).hits
    assert len(hers) == 300
    assert not dict(expected).keys() & dict(hers).keys()


def _not_asked(_: object) -> list[int]:
    raise AssertionError("every chunk was looked at")
