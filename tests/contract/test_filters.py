"""Every field of a filter, on every read path that takes one, on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from commonplace.model.change import Operation
from commonplace.model.entry import EntryKind, Place
from commonplace.model.query import NO_LANGUAGE, Filter, ProjectFilter
from commonplace.storage.port import LexicalQuery, Store
from tests.generate import (
    ALICE,
    BOB,
    MODEL,
    axis,
    chunk_draft,
    embed_all,
    entry_draft,
    metadata_of,
    owner_of,
    put_chunk,
)
from tests.stores import START, SteppingClock

TAG = "tag 'with\" \\ %_ ü"
WANTED = {
    "nothing": (Filter(), {"plain", "item", "tagged", "both", "placed", "bobs", "expiring"}),
    "one kind": (Filter(kinds=("item",)), {"item"}),
    "either kind": (
        Filter(kinds=("item", "note")),
        {"plain", "item", "tagged", "both", "placed", "bobs", "expiring"},
    ),
    "no such kind": (Filter(kinds=("unheard",)), set()),
    "a tag": (Filter(tags=("red",)), {"tagged", "both"}),
    "all of the tags": (Filter(tags=("red", TAG)), {"both"}),
    "any of the tags": (Filter(any_tags=("red", "unheard")), {"tagged", "both"}),
    "any of no tags that exist": (Filter(any_tags=("unheard", "%")), set()),
    "all of some and any of others": (Filter(tags=("red",), any_tags=(TAG, "unheard")), {"both"}),
    "a category": (Filter(categories=("win",)), {"item"}),
    "either category": (Filter(categories=("win", "gotcha")), {"item", "plain"}),
    "no such category": (Filter(categories=("unheard",)), set()),
    "part of a tag": (Filter(tags=("re",)), set()),
    "a pattern is no tag": (Filter(tags=("%",)), set()),
    "workspace": (Filter(place=Place(workspace="ws")), {"placed"}),
    "space": (Filter(place=Place(space="sp")), {"placed"}),
    "project": (Filter(place=Place(project="pr")), {"placed"}),
    "whole place": (Filter(place=Place("ws", "sp", "pr")), {"placed"}),
    "another place": (Filter(place=Place("ws", "other", "pr")), set()),
    "agent": (Filter(agent="bob"), {"bobs"}),
    "superseded too": (
        Filter(include_superseded=True),
        {"plain", "item", "tagged", "both", "placed", "bobs", "expiring", "superseded"},
    ),
    "expired too": (
        Filter(include_expired=True),
        {"plain", "item", "tagged", "both", "placed", "bobs", "expiring", "expired"},
    ),
    "within a project": (Filter(within=ProjectFilter(("PR", "elsewhere"))), {"placed"}),
    "within a workspace": (Filter(within=ProjectFilter(("Ws",))), {"placed"}),
    "within a project's folders": (Filter(within=ProjectFilter(("none",), (7,))), {"item"}),
    "since": (Filter(since=START + timedelta(seconds=0.5)), {"bobs"}),
    "until": (
        Filter(until=START + timedelta(seconds=0.5)),
        {"plain", "item", "tagged", "both", "placed", "expiring"},
    ),
    "several at once": (Filter(kinds=("note",), tags=("red",), agent="alice"), {"tagged", "both"}),
}


@pytest.fixture
def filled(store: Store, clock: SteppingClock) -> Store:
    drafts = (
        entry_draft("plain", category="gotcha"),
        entry_draft("item", EntryKind.ITEM, category="win", place=Place(resource=7)),
        entry_draft("tagged", tags=("red",)),
        entry_draft("both", tags=(TAG, "blue", "red")),
        entry_draft("placed", place=Place("ws", "sp", "pr")),
        entry_draft("superseded"),
        entry_draft("expired", expires_at=START + timedelta(seconds=1)),
        entry_draft("expiring", expires_at=START + timedelta(seconds=2)),
    )
    with store.write(ALICE) as tx:
        entries = [tx.entries.insert(draft) for draft in drafts]
        entries[5] = tx.entries.update(replace(entries[5], head="plain"), Operation.SUPERSEDE)
    clock.advance(0.5)
    with store.write(BOB) as tx:
        entries.append(tx.entries.insert(entry_draft("bobs")))
    with store.write(ALICE) as tx:
        for entry in entries:
            draft = chunk_draft(f"common {entry.id}")
            tx.chunks.replace(owner_of(entry), metadata_of(entry), [draft])
    embed_all(store, ALICE, lambda _: [axis(1)])
    clock.advance(1)
    return store


@pytest.mark.parametrize("case", WANTED)
def test_a_filter_means_the_same_everywhere(filled: Store, case: str) -> None:
    wanted, expected = WANTED[case]
    with filled.read(ALICE) as tx:
        page = [entry.id for entry in tx.entries.page(wanted, 100, 0)]
        count = tx.entries.count(wanted)
        by_term = tx.chunks.lexical(LexicalQuery(terms=("common",)), wanted, 100)
        by_word = tx.chunks.lexical(LexicalQuery(words=("common",)), wanted, 100)
        near = [key for key, _ in tx.vectors.nearest(MODEL, axis(1), wanted, 50, 100).hits]
        fetched = {chunk.key: chunk.text for chunk in tx.chunks.fetch(range(1, 100), wanted)}
    assert set(page) == expected
    assert count == len(page) == len(expected)
    assert {text.removeprefix("common ") for text in fetched.values()} == expected
    for keys in (by_term, by_word, near):
        assert len(keys) == len(expected)
        assert set(keys) == set(fetched)


def test_languages_are_of_chunks(store: Store) -> None:
    with store.write(ALICE) as tx:
        for number, language in enumerate((None, "python", "go"), start=1):
            put_chunk(tx, number, "common", language=language)
    embed_all(store, ALICE, lambda _: [axis(1)])
    for languages, owners in (
        ((), {1, 2, 3}),
        (("go",), {3}),
        (("go", "python"), {2, 3}),
        ((NO_LANGUAGE,), {1}),
        ((NO_LANGUAGE, "go"), {1, 3}),
    ):
        wanted = Filter(languages=languages)
        with store.read(ALICE) as tx:
            keys = tx.chunks.lexical(LexicalQuery(terms=("common",)), wanted, 10)
            near = {key for key, _ in tx.vectors.nearest(MODEL, axis(1), wanted, 10, 20).hits}
            assert {chunk.owner.key for chunk in tx.chunks.fetch(keys, Filter())} == owners
            assert near == set(keys)


@pytest.mark.parametrize("stored", ["Shop", "Größe Nord", "ÉTÉ", "Über Öfen", "magasin été"])
def test_a_project_is_named_in_any_case(store: Store, stored: str) -> None:
    with store.write(ALICE) as tx:
        put_chunk(tx, 1, "common", place=Place(project=stored))
        put_chunk(tx, 2, "common", place=Place(workspace=stored))
        put_chunk(tx, 3, "common", place=Place("another", project="other"))
    for named in (stored, stored.lower(), stored.upper().replace("SS", "ß"), stored.title()):
        wanted = Filter(within=ProjectFilter((named,)))
        with store.read(ALICE) as tx:
            keys = tx.chunks.lexical(LexicalQuery(terms=("common",)), wanted, 9)
            owners = {chunk.owner.key for chunk in tx.chunks.fetch(keys, Filter())}
        assert owners == {1, 2}, named


def test_an_entry_expires_at_its_moment(store: Store, clock: SteppingClock) -> None:
    moment = START + timedelta(seconds=10)
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("n-1", expires_at=moment))
        put_chunk(tx, 1, "common", expires_at=moment)
    for advance, seen in ((9.999999, 1), (0.000001, 0)):
        clock.advance(advance)
        with store.read(ALICE) as tx:
            assert tx.entries.count(Filter()) == seen
            assert len(tx.chunks.lexical(LexicalQuery(terms=("common",)), Filter(), 9)) == seen
