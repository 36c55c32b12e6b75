"""Stores with and without posting lists, on one database."""

from __future__ import annotations

import pytest

from commonplace.storage.port import Store
from commonplace.storage.postings.lists import PostingLists
from tests.postings.library import AT_ONCE, WithoutLists
from tests.stores import Database


@pytest.fixture
def store(database: Database) -> Store:
    """A store whose posting lists begin with the first chunk."""
    return database.open(postings=PostingLists(AT_ONCE))


@pytest.fixture
def plain(database: Database) -> Store:
    """The same database, without its lists."""
    return database.open(postings=WithoutLists())
