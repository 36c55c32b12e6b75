"""Sources on both stores: who sees them, what is recorded, and which reading of them counts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.errors import NotFound, RevisionConflict
from commonplace.model.actor import Actor
from commonplace.model.change import Operation
from commonplace.model.entry import Place
from commonplace.model.query import ListPosition, Reach
from commonplace.model.source import (
    DocumentState,
    Origin,
    Source,
    SourceScope,
    SourceStatus,
    SourceType,
    Sync,
)
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE, SYSTEM, source_draft
from tests.stores import SteppingClock


def added(store: Store, id: str, actor: Actor = ALICE, **changes: object) -> Source:
    with store.write(actor) as tx:
        return tx.sources.insert(source_draft(id, **changes))


def in_reach(store: Store, *reach: str, actor: Actor = ALICE) -> list[str]:
    with store.read(actor) as tx:
        return [source.id for source in tx.sources.in_reach(Reach(*reach) if reach else None)]


def test_a_source_is_read_back_as_it_was_given(store: Store) -> None:
    place = Place("ws_1", "sp_1")
    source = added(store, "ks_1", scope=SourceScope.SPACE, place=place, media_type="text/plain")
    assert source.place == place
    assert source.origin == Origin(SourceType.FILE, "ks_1.txt", None, "text/plain")
    assert (source.name, source.sync, source.document) == ("Name of ks_1", Sync(), None)
    with store.read(ALICE) as tx:
        assert tx.sources.get("ks_1") == source


def test_reach_is_system_and_workspace_and_the_named_space(
    store: Store, clock: SteppingClock
) -> None:
    added(store, "ks_system", SYSTEM, scope=SourceScope.SYSTEM, place=Place())
    for name, place in {
        "ws": Place("ws_1"),
        "sp": Place("ws_1", "sp_1"),
        "other-sp": Place("ws_1", "sp_2"),
        "other-ws": Place("ws_2"),
        "same-sp": Place("ws_2", "sp_1"),
    }.items():
        clock.advance(1)
        scope = SourceScope.SPACE if place.space else SourceScope.WORKSPACE
        added(store, f"ks_{name}", scope=scope, place=place)
    added(store, "ks_foreign", EVE)
    assert in_reach(store, "ws_1") == ["ks_ws", "ks_system"]
    assert in_reach(store, "ws_1", "sp_1") == ["ks_sp", "ks_ws", "ks_system"]
    assert in_reach(store, "ws_3", "sp_1") == ["ks_system"]
    assert len(in_reach(store)) == 6
    assert in_reach(store, "ws_1", actor=EVE) == ["ks_foreign", "ks_system"]


def test_what_came_from_the_same_origin_to_the_same_place_is_found(store: Store) -> None:
    place, scope = Place("ws_1"), SourceScope.WORKSPACE
    added(store, "ks_1", place=place)
    latest = added(store, "ks_2", place=place, locator="ks_1.txt")
    added(store, "ks_foreign", EVE, place=place, locator="ks_1.txt")
    with store.write(ALICE) as tx:
        origin = latest.origin
        assert tx.sources.of_origin(origin, scope, place) == latest
        assert tx.sources.of_origin(origin, scope, Place("ws_2")) is None
        assert tx.sources.of_origin(replace(origin, locator="other.txt"), scope, place) is None
        assert tx.sources.of_origin(replace(origin, digest="00"), scope, place) is None
        assert tx.sources.settle(replace(latest, sync=Sync(SourceStatus.ERROR, error="unread")))
        first = tx.sources.of_origin(origin, scope, place)
        assert first is not None
        assert first.id == "ks_1"


def test_pages_go_on_where_the_one_before_ended(store: Store, clock: SteppingClock) -> None:
    added(store, "ks_system", SYSTEM, scope=SourceScope.SYSTEM, place=Place())
    added(store, "ks_foreign", EVE)
    for name in ("ks_1", "ks_2"):
        added(store, name)
    clock.advance(1)
    added(store, "ks_3")
    with store.read(ALICE) as tx:
        first = tx.sources.page(2, None)
        mark = ListPosition(first[-1].created_at, first[-1].key)
        second = tx.sources.page(2, mark)
        last = second[-1]
        assert [one.id for one in (*first, *second)] == ["ks_3", "ks_2", "ks_1", "ks_system"]
        assert tx.sources.page(2, ListPosition(last.created_at, last.key)) == []


def test_other_orgs_neither_read_nor_change_a_source(store: Store) -> None:
    source = added(store, "ks_1")
    with store.write(EVE) as tx:
        assert tx.sources.get("ks_1") is None
        assert tx.sources.lock(source.key) is None
        assert not tx.sources.settle(source)
        with pytest.raises(NotFound):
            tx.sources.queue(source)
        with pytest.raises(NotFound):
            tx.sources.erase(source)


def test_an_outdated_reading_does_not_count(store: Store) -> None:
    first = added(store, "ks_1")
    with store.write(ALICE) as tx:
        again = tx.sources.queue(first)
        assert again.sync.generation == 2
        ready = Sync(SourceStatus.READY, generation=1, synced_at=tx.now)
        assert not tx.sources.settle(replace(first, sync=ready))
        newer = replace(again, sync=replace(ready, generation=2, etag='"e"'))
        assert tx.sources.settle(newer)
    with store.read(ALICE) as tx:
        assert tx.sources.get("ks_1") == newer


def test_the_document_is_one_and_changes_with_the_content(store: Store) -> None:
    source = added(store, "ks_1")
    with store.write(ALICE) as tx:
        key = tx.sources.put_document(source, "one", 3)
        assert tx.sources.put_document(source, "two", 5) == key
        (found,) = tx.sources.of_documents([key, key + 1]).values()
    assert (found.id, found.document) == ("ks_1", DocumentState(key, "two", 5))
    with store.read(EVE) as tx:
        assert tx.sources.of_documents([key]) == {}


def test_what_was_given_is_recorded_when_it_changes(store: Store) -> None:
    with store.write(ALICE) as tx:
        digest = tx.blobs.put(b"old", "text/plain")
        source = tx.sources.insert(source_draft("ks_1", digest=digest))
        new = replace(source.origin, digest=tx.blobs.put(b"new", "text/plain"))
        after = tx.sources.update(replace(source, origin=new), Operation.EDIT)
        assert (after.revision, tx.blobs.get(digest)) == (2, None)
        with pytest.raises(RevisionConflict):
            tx.sources.update(source, Operation.EDIT)
        changes = [c for c in tx.changes.since(0, 100) if c.entity == "source"]
    assert [(c.operation, c.entity_id, c.revision) for c in changes] == [
        (Operation.CREATE, "ks_1", 1),
        (Operation.EDIT, "ks_1", 2),
    ]
    assert changes[1].before is not None
    assert changes[1].before["digest"] == digest


def test_erasing_leaves_bytes_that_another_source_stands_on(store: Store) -> None:
    with store.write(ALICE) as tx:
        digest = tx.blobs.put(b"shared", "text/plain")
        sources = [tx.sources.insert(source_draft(id, digest=digest)) for id in ("ks_1", "ks_2")]
        tx.sources.erase(sources[0])
        assert tx.blobs.get(digest) == b"shared"
        tx.sources.erase(sources[1])
        assert tx.blobs.get(digest) is None
        assert tx.sources.get("ks_1") is None
        erased = [c for c in tx.changes.since(0, 100) if c.entity_id == "ks_1"]
    assert [c.operation for c in erased] == [Operation.CREATE, Operation.PURGE]
    assert all(change.before is None for change in erased)
