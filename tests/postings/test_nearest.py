"""Nearest-neighbour search under filters finds the same with posting lists and without, on both
stores."""

from __future__ import annotations

import pytest

from commonplace.model.query import Filter
from commonplace.storage.port import Store
from commonplace.storage.postgres import session
from tests.postings.library import (
    asked,
    assert_the_same,
    change,
    fill,
    post_all,
)


@pytest.fixture
def store(store: Store) -> Store:
    fill(store)
    post_all(store)
    return store


def test_filters_find_the_same_with_lists_and_without(store: Store, plain: Store) -> None:
    assert_the_same(store, plain)
    change(store)
    assert_the_same(store, plain)
    post_all(store)
    assert_the_same(store, plain)


def test_the_index_of_postgres_finds_what_passes(
    store: Store, plain: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter without scopes: first the nearest of all are checked, then the index goes on."""
    rare = Filter(agent="bob")
    expected = asked(plain, rare, 10)
    monkeypatch.setattr(session, "EXACT_UP_TO", 10)
    for limit in (10, 150):
        found = dict(asked(store, rare, limit).hits)
        assert len(found) == len(asked(plain, rare, limit).hits)
    assert len(dict(asked(store, rare, 10).hits).keys() & dict(expected.hits).keys()) >= 9
