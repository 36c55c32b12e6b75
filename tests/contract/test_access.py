"""Who may read and write what: own org, `network`, system; private only its author."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.errors import NotFound, RevisionConflict, TenantMissing
from commonplace.model.actor import Actor
from commonplace.model.change import Operation
from commonplace.model.entry import Entry, Visibility
from commonplace.model.query import Filter
from commonplace.model.run import RunKind
from commonplace.storage.port import CorpusStatistics, LexicalQuery, Store
from tests.generate import ALICE, BOB, EVE, MODEL, SYSTEM, axis, embed_all, entry_draft, put_chunk
from tests.stores import START

AUTHORS = {"alice": ALICE, "bob": BOB, "eve": EVE, "system": SYSTEM}
READABLE = {
    "alice": {"alice-private", "alice-org", "bob-org"},
    "bob": {"bob-private", "alice-org", "bob-org"},
    "eve": {"eve-private", "eve-org"},
    "system": {"system-private"},
}
FOR_ALL = {"alice-network", "bob-network", "eve-network", "system-network", "system-org"}
READERS = tuple(AUTHORS)


@pytest.fixture
def shared(store: Store) -> Store:
    """An entry and a chunk of every author at every visibility."""
    number = 0
    for name, actor in AUTHORS.items():
        with store.write(actor) as tx:
            for visibility in Visibility:
                number += 1
                tx.entries.insert(entry_draft(f"{name}-{visibility.value}", visibility=visibility))
                text = f"common {name}{visibility.value}"
                put_chunk(tx, number, text, visibility=visibility)
        embed_all(store, actor, lambda chunk: [axis(chunk.key)])
    return store


@pytest.mark.parametrize("reader", READERS)
def test_entries_that_a_reader_sees(shared: Store, reader: str) -> None:
    expected = READABLE[reader] | FOR_ALL
    with shared.read(AUTHORS[reader]) as tx:
        listed = {entry.id for entry in tx.entries.page(Filter(), 100, 0)}
        counted = tx.entries.count(Filter())
        got = {id for id in _all_ids() if tx.entries.get(id)}
        by_keys = {entry.id for entry in tx.entries.by_keys(range(1, 20)).values()}
    assert listed == got == by_keys == expected
    assert counted == len(expected)


@pytest.mark.parametrize("reader", READERS)
def test_chunks_that_a_reader_finds(shared: Store, reader: str) -> None:
    expected = {f"common {id.replace('-', '')}" for id in READABLE[reader] | FOR_ALL}
    with shared.read(AUTHORS[reader]) as tx:
        by_words = tx.chunks.lexical(LexicalQuery(terms=("common",)), Filter(), 100)
        by_exact_words = tx.chunks.lexical(LexicalQuery(words=("common",)), Filter(), 100)
        near = tx.vectors.nearest(MODEL, axis(1), Filter(), 100, 200)
        cosines = tx.vectors.cosines(MODEL, axis(1), range(1, 20))
        texts = {chunk.key: chunk.text for chunk in tx.chunks.fetch(range(1, 20), Filter())}
    assert set(texts.values()) == expected
    assert set(by_words) == set(by_exact_words) == set(texts)
    assert {key for key, _ in near.hits} == set(cosines) == set(texts)


def test_an_orgs_own_entry_comes_before_a_shared_one_of_the_same_id(store: Store) -> None:
    with store.write(EVE) as tx:
        tx.entries.insert(entry_draft("same", visibility=Visibility.NETWORK))
    with store.read(ALICE) as tx:
        assert _org(tx.entries.get("same")) == "umbrella"
    with store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("same"))
    with store.read(ALICE) as tx:
        assert _org(tx.entries.get("same")) == "acme"


def test_nobody_writes_what_belongs_to_another_org(shared: Store) -> None:
    with shared.read(ALICE) as tx:
        foreign = [tx.entries.get(id) for id in ("eve-network", "system-org")]
    for entry in foreign:
        assert entry is not None
        with pytest.raises(RevisionConflict), shared.write(ALICE) as tx:
            tx.entries.update(replace(entry, head="mine"), Operation.EDIT)
        with pytest.raises(NotFound), shared.write(ALICE) as tx:
            tx.entries.erase(entry)
        with shared.write(ALICE) as tx:
            assert tx.entries.lock([entry.key]) == []
            assert tx.entries.with_head(entry.kind, entry.id) == []
    with shared.read(EVE) as tx:
        assert tx.entries.get("eve-network") == foreign[0]


def test_chunks_of_another_org_cannot_be_removed_or_replaced(shared: Store) -> None:
    with shared.read(EVE) as tx:
        (theirs,) = [c for c in tx.chunks.fetch(range(1, 20), Filter()) if "evenet" in c.text]
    with shared.write(ALICE) as tx:
        assert tx.chunks.remove(theirs.owner) == 0
        assert tx.chunks.replace(theirs.owner, theirs.metadata, []) == 0
        assert tx.chunks.state(theirs.owner) is None
    with shared.read(EVE) as tx:
        assert tx.chunks.fetch([theirs.key], Filter()) == [theirs]


def test_changes_are_each_orgs_own(shared: Store) -> None:
    with shared.read(EVE) as tx:
        foreign = tx.entries.get("alice-network")
        assert foreign is not None
        assert tx.changes.history(foreign) == []
        assert {change.org for change in tx.changes.since(0, 100)} == {"umbrella"}


def test_blobs_runs_and_statistics_are_each_orgs_own(store: Store) -> None:
    statistics = CorpusStatistics(1, 1, 2.0, {"word": 1}, START)
    with store.write(ALICE) as tx:
        digest = tx.blobs.put(b"mine", "text/plain")
        run = tx.runs.start(RunKind.REBUILD, [{"n": 1}])
        tx.statistics.save(statistics, None)
    with store.write(EVE) as tx:
        assert tx.blobs.get(digest) is None
        tx.blobs.release([digest])
        assert tx.runs.get(run.id) is None
        assert tx.runs.recent(10) == []
        assert tx.runs.claim(START) is None
        tx.runs.finish(run.targets[0])
        assert tx.statistics.load() is None
        assert tx.chunks.counts().total == 0
    with store.read(ALICE) as tx:
        assert tx.blobs.get(digest) == b"mine"
        assert tx.runs.get(run.id) == run


@pytest.mark.parametrize("mode", ["read", "write"])
def test_a_missing_tenant_is_an_error(store: Store, mode: str) -> None:
    nobody = Actor(org="", agent="alice")
    with pytest.raises(TenantMissing), getattr(store, mode)(nobody):
        raise AssertionError("the transaction opened")


def test_org_names_are_values_not_syntax(store: Store) -> None:
    strange = Actor(org="o'rg\"; -- 世界", agent="a'b\"")
    with store.write(strange) as tx:
        tx.entries.insert(entry_draft("n-1"))
        put_chunk(tx, 1, "common text")
    with store.read(strange) as tx:
        assert tx.entries.get("n-1") is not None
        assert len(tx.chunks.lexical(LexicalQuery(terms=("common",)), Filter(), 10)) == 1
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") is None
        assert tx.chunks.lexical(LexicalQuery(terms=("common",)), Filter(), 10) == []


def _all_ids() -> list[str]:
    return [f"{name}-{visibility.value}" for name in AUTHORS for visibility in Visibility]


def _org(entry: Entry | None) -> str | None:
    return entry.org if entry else None
