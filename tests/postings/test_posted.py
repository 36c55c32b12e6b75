"""Posting lists on both stores: whatever happens to chunks, and to those who keep the lists,
searches find what the text index finds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import cast

import pytest

from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkMetadata, Owner, OwnerType
from commonplace.model.entry import Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import LexicalQuery, Store
from commonplace.storage.postings.blocks import PostingBlock
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.postings.rows import place_of, segment_of, tokens_of, unposted_of
from commonplace.storage.postings.search import PostedSession
from commonplace.storage.postings.segments import block_of
from commonplace.storage.postings.tokens import TERM, list_number
from commonplace.storage.session import Session
from commonplace.text.analyse import exact_words, query_terms, trigrams
from tests.generate import ALICE, BOB, EVE, chunk_draft, metadata, put_chunk
from tests.postings.library import AT_ONCE, post_all
from tests.stores import Database

MANY = 1000
FILTERS = (
    Filter(),
    Filter(tags=("red",)),
    Filter(any_tags=("red", "blue")),
    Filter(kinds=("note",), tags=("blue",)),
    Filter(agent="bob"),
)
WORDS = ("brown", "fox", "bear", "sleeps", "quickly", "parseConfig", "東京都")


def text_of(number: int) -> str:
    chosen = [word for place, word in enumerate(WORDS) if number >> place & 1]
    return " ".join(chosen * (1 + number % 3)) or "nothing"


def put(store: Store, numbers: range, actor: Actor = ALICE) -> None:
    with store.write(actor) as tx:
        for number in numbers:
            tags = ("red",) if number % 2 else ("blue",)
            put_chunk(tx, number, text_of(number), tags=tags)


def asked(text: str) -> list[LexicalQuery]:
    return [
        LexicalQuery(terms=tuple(query_terms(text))),
        LexicalQuery(words=tuple(exact_words(text))),
        LexicalQuery(grams=tuple(trigrams(text))),
    ]


QUERIES = [*asked("fox bear"), LexicalQuery(terms=tuple(query_terms("quickly sleeps brown")))]
ASKED = [(ALICE, wanted) for wanted in FILTERS] + [(BOB, Filter()), (EVE, Filter())]


def found(store: Store, query: LexicalQuery, wanted: Filter, actor: Actor, limit: int) -> list[int]:
    with store.search(actor) as tx:
        return tx.chunks.lexical(query, wanted, limit)


def assert_the_same(store: Store, plain: Store) -> None:
    for (actor, wanted), query in product(ASKED, QUERIES):
        lists = found(store, query, wanted, actor, MANY)
        text = found(plain, query, wanted, actor, MANY)
        assert sorted(lists) == sorted(text), (actor.agent, wanted, query)
        assert len(lists) == len(set(lists))


def segments(store: Store, actor: Actor = ALICE) -> int:
    with store.read(actor) as tx:
        return len(session_of(tx).rows("ready_segments", most=1))


def test_lists_find_what_the_text_index_finds(store: Store, plain: Store) -> None:
    put(store, range(1, 100))
    put(store, range(100, 130), EVE)
    post_all(store)
    assert segments(store)
    assert segments(store, EVE)
    assert_the_same(store, plain)


def test_the_best_are_the_same(database: Database, store: Store, plain: Store) -> None:
    """FTS5 ranks by the same rule; of equal ones either may come first."""
    if database.dialect != "sqlite":
        return
    put(store, range(1, 120))
    post_all(store)
    for query in QUERIES[:2]:
        lists = found(store, query, Filter(), ALICE, 8)
        text = found(plain, query, Filter(), ALICE, 8)
        with store.read(ALICE) as tx:
            chunks = tx.chunks.fetch(range(1, 500), Filter())
        by_key = {chunk.key: sorted(chunk.text.split()) for chunk in chunks}
        assert sorted(by_key[key] for key in lists) == sorted(by_key[key] for key in text)


def test_what_came_since_is_found_at_once(store: Store, plain: Store) -> None:
    put(store, range(1, 40))
    post_all(store)
    put(store, range(40, 60))
    assert_the_same(store, plain)


def change(
    store: Store, number: int, shown: ChunkMetadata, text: str | None = None, context: str = ""
) -> None:
    with store.write(ALICE) as tx:
        owner = Owner(OwnerType.DOCUMENT, number)
        draft = chunk_draft(text or text_of(number), context=context)
        tx.chunks.replace(owner, shown, [draft])


CHANGES: dict[str, Callable[[Store], None]] = {
    "another tag": lambda store: change(store, 7, metadata(tags=("blue", "green"))),
    "another kind": lambda store: change(store, 7, replace(metadata(), kind="skill")),
    "superseded": lambda store: change(store, 7, replace(metadata(), superseded=True)),
    "private": lambda store: change(store, 7, replace(metadata(), visibility=Visibility.PRIVATE)),
    "shared": lambda store: change(store, 7, replace(metadata(), visibility=Visibility.NETWORK)),
    "another context": lambda store: change(store, 7, metadata(), context="fox fox bear"),
    "another text": lambda store: change(store, 7, metadata(), "fox fox bear"),
    "gone": lambda store: remove(store, 7),
}


def remove(store: Store, number: int) -> None:
    with store.write(ALICE) as tx:
        tx.chunks.remove(Owner(OwnerType.DOCUMENT, number))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_counts_at_once_and_when_it_is_posted(
    store: Store, plain: Store, name: str
) -> None:
    put(store, range(1, 40))
    post_all(store)
    CHANGES[name](store)
    assert_the_same(store, plain)
    post_all(store)
    assert_the_same(store, plain)


def test_everything_may_go_and_come_again(store: Store, plain: Store) -> None:
    put(store, range(1, 40))
    post_all(store)
    for number in range(1, 40):
        remove(store, number)
    assert_the_same(store, plain)
    post_all(store)
    put(store, range(1, 30))
    post_all(store)
    assert_the_same(store, plain)


def work_of(database: Database) -> Iterator[Store]:
    """One process after the other, each of which dies one step later than the one before."""
    for steps in range(1, 60, 2):
        database.clock.advance(120)
        store = database.open(postings=PostingLists(AT_ONCE))
        did = 0
        while did < steps and store.maintain_postings():
            did += 1
        yield store
        if did < steps:
            return


def test_who_keeps_the_lists_may_die_at_any_step(database: Database, plain: Store) -> None:
    put(plain, range(1, 50))
    for number, store in enumerate(work_of(database)):
        if number % 5 == 0:
            assert_the_same(store, plain)
            change(store, 1 + number, metadata(tags=("red",)))
            put(store, range(200 + number, 202 + number))
    assert segments(plain)
    assert_the_same(store, plain)


def test_two_who_keep_the_lists_do_no_harm(database: Database, plain: Store) -> None:
    """Two workers at once are not meant to be; a lease may run out while somebody is busy."""
    put(plain, range(1, 60))
    two = [database.open(postings=PostingLists(AT_ONCE)) for _ in range(2)]
    for turn in range(200):
        store = two[turn % 2]
        lists = store._postings  # type: ignore[attr-defined]
        lists.work_waits(store)
        lists.step(store)
        if turn % 50 == 10:
            put(plain, range(300 + turn, 310 + turn))
    assert_the_same(two[0], plain)
    post_all(two[0])
    assert segments(plain)
    assert_the_same(two[1], plain)


def holders_of(session: Session, token: str) -> int:
    """How many chunks the stored lists say to have a term."""
    number = list_number(TERM, token)
    holders = 0
    for segment in map(segment_of, session.rows("posting_segments")):
        place = place_of(segment.id, block_of(number, segment.shape.blocks))
        for row in session.rows("posting_blocks", places=session.codec.array([place])):
            one = PostingBlock(row["data"]).read(number)
            holders += len(one.places) if one else 0
    return holders


def session_of(tx: object) -> Session:
    """What stands behind a transaction: lists have no place in the port."""
    session: Session = tx._session  # type: ignore[attr-defined]
    return session


def test_without_lists_everything_is_found_and_they_are_made_again(
    store: Store, plain: Store
) -> None:
    put(store, range(1, 40))
    post_all(store)
    with plain.write(ALICE) as tx:
        session = session_of(tx)
        rows = session.rows("posting_segments")
        session.run("remove_segments", segments=session.codec.array([r["segment"] for r in rows]))
        session.run("end_postings")
    assert not segments(store)
    assert_the_same(store, plain)
    put(store, range(40, 45))
    post_all(store)
    assert segments(store)
    assert_the_same(store, plain)


def test_a_small_org_has_no_lists_and_no_queue(database: Database) -> None:
    thresholds = replace(AT_ONCE, begin=100)
    store = database.open(postings=PostingLists(thresholds))
    put(store, range(1, 50))
    post_all(store)
    with store.read(ALICE) as tx:
        assert not session_of(tx).rows("unposted_keys", most=10)
    assert not segments(store)
    put(store, range(50, 140))
    post_all(store)
    assert segments(store)


def test_a_chunk_that_waits_to_be_posted_is_as_long_as_it_will_be(store: Store) -> None:
    post_all(store)
    put(store, range(1, 40))
    with store.read(ALICE) as tx:
        session = session_of(tx)
        posted = cast("PostedSession", session)
        rows = posted.unposted_matches(QUERIES[0], Filter(), 0)
        keys = session.codec.array([row["key"] for row in rows])
        feed = session.rows("tokens_of_chunks", keys=keys)
        assert rows
        assert [unposted_of(row).length for row in rows] == [tokens_of(row).length for row in feed]


def test_postgresql_has_lists_earlier_than_sqlite(database: Database) -> None:
    store = database.open()
    put(store, range(1, 520))
    post_all(store)
    assert bool(segments(store)) == (store.health().dialect == "postgresql")


def test_an_org_of_middle_size_asks_its_lists_for_terms_alone(
    database: Database, plain: Store
) -> None:
    lists = PostingLists(replace(AT_ONCE, everything=1000, look_again_seconds=60.0))
    store = database.open(postings=lists)
    put(store, range(1, 100))
    post_all(store)
    terms, words, grams = asked("fox bear")
    with store.read(ALICE) as tx:
        session = cast("PostedSession", session_of(tx))
        for _ in range(2):
            assert lists.search(ALICE.org, session, terms, Filter(), MANY)
            for query in (words, grams):
                assert lists.search(ALICE.org, session, query, Filter(), MANY) is None
    assert_the_same(store, plain)


def test_erased_is_erased_from_the_lists(store: Store) -> None:
    put(store, range(1, 40))
    change(store, 7, metadata(), "xylophone brown")
    post_all(store)
    term = query_terms("xylophone")[0]
    with store.read(ALICE) as tx:
        assert holders_of(session_of(tx), term) == 1
    remove(store, 7)
    store.scrub()
    with store.read(ALICE) as tx:
        assert holders_of(session_of(tx), term) == 0
        assert not any(len(row["gone"]) for row in session_of(tx).rows("posting_segments"))
        assert not session_of(tx).rows("unposted_keys", most=10)


_SMALL = """
import sys
from datetime import UTC, datetime
from pathlib import Path

from commonplace.storage.sqlite.store import SqliteStore
from tests.generate import ALICE, put_chunk

store = SqliteStore(Path(sys.argv[1]), lambda: datetime.now(UTC), indexes=dict)
with store.write(ALICE) as tx:
    put_chunk(tx, 1, "brown fox")
while store.maintain_postings():
    pass
store.close()
print("commonplace.storage.postings.upkeep" in sys.modules)
"""


def test_looking_after_a_small_org_loads_nothing_heavy(tmp_path: Path) -> None:
    """What makes lists needs numpy, which an idle server does without."""
    command = [sys.executable, "-c", _SMALL, str(tmp_path / "small.db")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
