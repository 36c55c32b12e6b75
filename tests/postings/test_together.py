"""Several who keep the lists of an org at once: nothing that can be found is lost, and a purge
ends."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import psycopg
import pytest

from commonplace.model.chunk import Owner, OwnerType
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery, Store
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.postings.upkeep import PostingUpkeep, Sessions
from commonplace.storage.session import Session
from commonplace.text.analyse import query_terms
from tests.generate import ALICE, metadata, put_chunk
from tests.postings.library import AT_ONCE, post_all
from tests.postings.test_posted import assert_the_same, change, found, holders_of, put, session_of
from tests.stores import Database
from tests.waiting import eventually

MOST_TURNS = 300
MOST_WRITES = 20


def sessions_of(store: Store) -> Sessions:
    return partial(store.upkeep_session, ALICE.org)  # type: ignore[attr-defined]


def before_writing(store: Store, meddle: Callable[[], object]) -> Sessions:
    """Sessions that let somebody else do something before each write transaction."""

    @contextmanager
    def opened(*, write: bool) -> Iterator[Session]:
        if write:
            meddle()
        with sessions_of(store)(write=write) as session:
            yield session

    return opened


def unfinished(store: Store) -> bool:
    with store.read(ALICE) as tx:
        return bool(session_of(tx).rows("unfinished_segments"))


def holders(store: Store, word: str) -> int:
    (term,) = query_terms(word)
    with store.read(ALICE) as tx:
        return holders_of(session_of(tx), term)


def during_writing(store: Store, meddle: Callable[[], object]) -> Sessions:
    """Sessions that let somebody else do something before each write transaction commits."""

    @contextmanager
    def opened(*, write: bool) -> Iterator[Session]:
        with sessions_of(store)(write=write) as session:
            yield session
            if write:
                meddle()

    return opened


def test_searches_do_not_wait_for_lists_of_a_bulk_load(database: Database, store: Store) -> None:
    """What would wait for the open transaction of the same thread would never come back."""
    put(store, range(1, 60))
    searcher = database.open(postings=PostingLists(AT_ONCE))
    query = LexicalQuery(terms=("brown",))
    everything = sorted(found(searcher, query, Filter(), ALICE, MOST_TURNS))
    assert len(everything) > 1
    answers: list[list[int]] = []

    def search() -> None:
        answers.append(sorted(found(searcher, query, Filter(), ALICE, MOST_TURNS)))

    worker = PostingUpkeep(during_writing(store, search), AT_ONCE)
    while worker.step():
        pass
    assert holders(store, "brown") == len(everything)
    assert len(answers) > AT_ONCE.segment
    assert all(answer == everything for answer in answers)


def test_writers_wait_for_one_step_of_a_bulk_load_at_most(database: Database, store: Store) -> None:
    put(store, range(1, 60))
    writer = database.open(postings=PostingLists(AT_ONCE))
    worker = PostingUpkeep(sessions_of(store), AT_ONCE)
    written = 0
    while written < MOST_WRITES and worker.step():
        with writer.write(ALICE) as tx:
            put_chunk(tx, 1000 + written, "brown fox")
        written += 1
    assert written == MOST_WRITES
    post_all(store)
    assert holders(store, "brown") >= written


def test_what_is_finished_meanwhile_is_not_tidied_away(store: Store, plain: Store) -> None:
    put(store, range(1, 20))
    post_all(store)
    put(store, range(20, 30))
    worker = PostingUpkeep(sessions_of(store), AT_ONCE)
    while not unfinished(store):
        assert worker.step()

    def finish() -> None:
        while unfinished(store):
            worker.step()

    tidier = PostingUpkeep(before_writing(store, finish), AT_ONCE)
    tidier.step()
    tidier.step()
    post_all(store)
    assert_the_same(store, plain)


def test_a_purge_ends_although_others_write(store: Store, plain: Store) -> None:
    put(store, range(1, 40))
    change(store, 7, metadata(), "xylophone brown")
    post_all(store)
    with store.write(ALICE) as tx:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, 7))
    turns = iter(range(1000, 1000 + MOST_TURNS))

    def write() -> None:
        with plain.write(ALICE) as tx:
            put_chunk(tx, next(turns), "brown fox")

    PostingUpkeep(before_writing(store, write), AT_ONCE).erase_gone()
    assert holders(store, "xylophone") == 0
    assert_the_same(store, plain)


def test_a_purge_ends_although_another_drops_the_lists(store: Store, plain: Store) -> None:
    put(store, range(1, 20))
    post_all(store)
    put(store, range(20, 30))
    dropping = PostingUpkeep(sessions_of(store), AT_ONCE)._drop()
    turns = iter(range(MOST_TURNS))

    def drop() -> None:
        next(turns)
        deque(dropping, maxlen=0)

    PostingUpkeep(before_writing(store, drop), AT_ONCE).erase_gone()
    assert not unfinished(store)
    post_all(store)
    assert_the_same(store, plain)


def test_a_purge_while_lists_are_filled_leaves_nothing_behind(store: Store, plain: Store) -> None:
    put(store, range(1, 14))
    change(store, 7, metadata(), "xylophone brown")
    worker = PostingUpkeep(sessions_of(store), AT_ONCE)
    filled_after_reading = 3
    for _ in range(filled_after_reading):
        assert worker.step()
    with store.write(ALICE) as tx:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, 7))
    store.scrub()
    while worker.step():
        pass
    assert holders(store, "xylophone") == 0
    assert_the_same(store, plain)


def test_segments_that_another_has_merged_are_left_to_it(store: Store, plain: Store) -> None:
    apart = PostingUpkeep(sessions_of(store), replace(AT_ONCE, alike=MOST_TURNS))
    for number in range(1, 60, 10):
        put(store, range(number, number + 10))
        while apart.step():
            pass
    other = PostingUpkeep(sessions_of(store), AT_ONCE)
    reads = count(1)

    @contextmanager
    def opened(*, write: bool) -> Iterator[Session]:
        if not write and next(reads) == 2:
            while other.step():
                pass
        with sessions_of(store)(write=write) as session:
            yield session

    late = PostingUpkeep(opened, AT_ONCE)
    late._tidied = True
    while late.step():
        pass
    assert_the_same(store, plain)


class Interrupted:
    """A session during which somebody does something once the segments were read."""

    def __init__(self, session: Session, meddle: Callable[[], object]) -> None:
        self._session = session
        self._meddle = meddle

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def rows(self, statement: str, **values: object) -> list[Any]:
        found = self._session.rows(statement, **values)
        if statement == "posting_segments":
            self._meddle()
        return found


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_what_is_outdated_during_a_merge_stays_outdated(
    database: Database, store: Store, plain: Store
) -> None:
    """On SQLite there is one writer."""
    put(store, range(1, 40))
    change(store, 7, metadata(), context="xylophone")
    post_all(store)
    change(store, 7, metadata(), context="zither")
    poster, merger = (PostingUpkeep(sessions_of(store), AT_ONCE) for _ in range(2))
    posting = poster._post()
    next(posting)
    with ThreadPoolExecutor(1) as pool, psycopg.connect(database.address) as watcher:
        posted: list[Future[deque[None]]] = []

        def post() -> None:
            posted.append(pool.submit(deque, posting, 0))
            waiting = b"SELECT 1 FROM pg_locks WHERE NOT granted"
            eventually(lambda: posted[0].done() or watcher.execute(waiting).fetchone() is not None)

        @contextmanager
        def interrupted(*, write: bool) -> Iterator[Any]:
            with sessions_of(store)(write=write) as session:
                yield Interrupted(session, post) if write and not posted else session

        segments = merger._segments()
        merger._sessions = interrupted
        deque(merger._merge(segments), maxlen=0)
    post_all(store)
    for word, times in (("xylophone", 0), ("zither", 1)):
        query = LexicalQuery(terms=tuple(query_terms(word)))
        assert len(found(store, query, Filter(), ALICE, 10)) == times, word
    assert_the_same(store, plain)
