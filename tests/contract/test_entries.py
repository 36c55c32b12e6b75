"""Entries on every store: what is written comes back, and each write leaves its change."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from commonplace.errors import Conflict, NotFound, RevisionConflict
from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryContent, EntryKind, Place, Visibility
from commonplace.model.image import image_of
from commonplace.model.query import Filter, ListPosition
from commonplace.storage.port import Store
from tests.generate import ALICE, BOB, EVE, entry_draft
from tests.stores import START, SteppingClock

EVERYTHING = EntryContent(
    title="Grüße, 世界 🚀",
    body="line one\nline two \\ 'quoted' \"double\" %s :name $1",
    tags=("b", "a", "ünï code", "a'b\"c"),
    visibility=Visibility.NETWORK,
    place=Place("ws", "sp", "pr"),
    confidence=0.25,
    expires_at=START + timedelta(days=3, microseconds=7),
    attributes={"nested": {"list": [1, 2.5, None, True, "ü"]}, "empty": {}},
)


def insert(
    store: Store, id: str = "n-1", kind: EntryKind = EntryKind.NOTE, **content: Any
) -> Entry:
    with store.write(ALICE) as tx:
        return tx.entries.insert(entry_draft(id, kind, **content))


def edited(entry: Entry, **content: Any) -> Entry:
    return replace(entry, content=replace(entry.content, **content))


def test_an_entry_comes_back_as_it_was_written(store: Store) -> None:
    draft = replace(entry_draft("n-1"), content=EVERYTHING, source="cli")
    with store.write(ALICE) as tx:
        inserted = tx.entries.insert(draft)
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") == inserted
    assert inserted.content == EVERYTHING
    assert (inserted.org, inserted.agent, inserted.source) == ("acme", "alice", "cli")
    assert (inserted.revision, inserted.created_at, inserted.updated_at) == (1, START, START)
    assert (inserted.deleted_at, inserted.superseded_by, inserted.head) == (None, None, None)


def test_get_by_kind_and_without(store: Store) -> None:
    insert(store, "same", EntryKind.NOTE)
    item = insert(store, "same", EntryKind.ITEM)
    with store.read(ALICE) as tx:
        assert tx.entries.get("same", EntryKind.ITEM) == item
        assert tx.entries.get("same", EntryKind.SKILL) is None
        assert tx.entries.get("absent") is None
        either = tx.entries.get("same")
    assert either is not None
    assert either.kind is EntryKind.NOTE


def test_a_taken_id_is_a_conflict_in_its_org_and_kind_only(store: Store) -> None:
    insert(store, "taken")
    with pytest.raises(Conflict), store.write(ALICE) as tx:
        tx.entries.insert(entry_draft("taken"))
    insert(store, "taken", EntryKind.PAGE)
    with store.write(EVE) as tx:
        assert tx.entries.insert(entry_draft("taken")).org == "umbrella"


def test_update_replaces_and_counts_the_revision(store: Store, clock: SteppingClock) -> None:
    entry = insert(store)
    later = clock.advance(60)
    wanted = replace(
        edited(entry, title="new", tags=("x",), attributes={"k": 1}),
        superseded_by="n-2",
        head="n-3",
        deleted_at=later,
    )
    with store.write(BOB) as tx:
        updated = tx.entries.update(wanted, Operation.EDIT)
    assert updated == replace(wanted, revision=2, updated_at=later)
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") == updated


def test_update_of_an_old_revision_conflicts_and_writes_nothing(store: Store) -> None:
    entry = insert(store)
    with store.write(ALICE) as tx:
        current = tx.entries.update(edited(entry, title="first"), Operation.EDIT)
    with pytest.raises(RevisionConflict), store.write(ALICE) as tx:
        tx.entries.update(edited(entry, title="second"), Operation.EDIT)
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") == current
        assert len(tx.changes.history(current)) == 2


def test_lock_reads_the_newest_state_in_key_order(store: Store) -> None:
    first, second = insert(store, "n-1"), insert(store, "n-2")
    with store.write(ALICE) as tx:
        newer = tx.entries.update(edited(first, title="newer"), Operation.EDIT)
    with store.write(ALICE) as tx:
        assert tx.entries.lock([second.key, first.key, 999_999]) == [newer, second]
        assert tx.entries.lock([]) == []


def test_by_keys_gives_those_that_exist(store: Store) -> None:
    first, second = insert(store, "n-1"), insert(store, "n-2")
    with store.read(ALICE) as tx:
        assert tx.entries.by_keys([second.key, 999_999, first.key]) == {
            first.key: first,
            second.key: second,
        }
        assert tx.entries.by_keys([]) == {}


def test_with_head_finds_all_predecessors_of_one_kind(store: Store) -> None:
    older = [insert(store, f"n-{number}") for number in range(3)]
    insert(store, "n-head")
    other = insert(store, "n-0", EntryKind.ITEM)
    with store.write(ALICE) as tx:
        for entry in (*older, other):
            tx.entries.update(replace(entry, head="n-head"), Operation.SUPERSEDE)
    with store.write(ALICE) as tx:
        found = tx.entries.with_head(EntryKind.NOTE, "n-head")
        assert [entry.id for entry in found] == ["n-0", "n-1", "n-2"]
        assert tx.entries.with_head(EntryKind.NOTE, "n-1") == []


def test_page_is_newest_first_and_stable_among_equals(store: Store, clock: SteppingClock) -> None:
    for number in range(6):
        insert(store, f"n-{number}")
        clock.advance(number % 2)
    with store.read(ALICE) as tx:
        whole = [entry.id for entry in tx.entries.page(Filter(), 100, 0)]
        pieces = [
            entry.id for offset in (0, 2, 4) for entry in tx.entries.page(Filter(), 2, offset)
        ]
        assert tx.entries.count(Filter()) == 6
        assert tx.entries.page(Filter(), 10, 6) == []
    assert whole == pieces == ["n-5", "n-4", "n-3", "n-2", "n-1", "n-0"]


def test_a_page_goes_on_after_a_mark_whatever_came_meanwhile(
    store: Store, clock: SteppingClock
) -> None:
    for number in range(6):
        insert(store, f"n-{number}")
        clock.advance(number % 2)
    for wanted in (Filter(), Filter(kinds=(EntryKind.NOTE.value,))):
        found: list[str] = []
        mark = None
        while True:
            with store.read(ALICE) as tx:
                page = tx.entries.page(wanted, 2, 0, mark)
            if not page:
                break
            found += [entry.id for entry in page]
            mark = ListPosition(page[-1].created_at, page[-1].key)
            insert(store, f"new-{len(wanted.kinds)}-{len(found)}")
        assert [id for id in found if id.startswith("n-")] == [f"n-{n}" for n in range(5, -1, -1)]


def test_deleted_entries_are_got_but_not_listed(store: Store) -> None:
    entry = insert(store)
    with store.write(ALICE) as tx:
        tx.entries.update(replace(entry, deleted_at=tx.now), Operation.DELETE)
    with store.read(ALICE) as tx:
        deleted = tx.entries.get("n-1")
        assert deleted is not None
        assert deleted.deleted_at == START
        assert tx.entries.page(Filter(), 10, 0) == []
        assert tx.entries.count(Filter()) == 0
        assert tx.entries.keys_after(0, 10) == []


def test_a_deleted_network_entry_is_gone_for_other_orgs(store: Store) -> None:
    entry = insert(store, visibility=Visibility.NETWORK)
    with store.read(EVE) as tx:
        assert tx.entries.get("n-1") == entry
    with store.write(ALICE) as tx:
        tx.entries.update(replace(entry, deleted_at=tx.now), Operation.DELETE)
    with store.read(EVE) as tx:
        assert tx.entries.get("n-1") is None
        assert tx.entries.by_keys([entry.key]) == {}


def test_keys_after_walks_the_orgs_own_entries(store: Store) -> None:
    entries = [insert(store, f"n-{number}") for number in range(5)]
    with store.write(EVE) as tx:
        tx.entries.insert(entry_draft("foreign", visibility=Visibility.NETWORK))
    keys = [entry.key for entry in entries]
    with store.read(ALICE) as tx:
        assert tx.entries.keys_after(0, 3) == keys[:3]
        assert tx.entries.keys_after(keys[2], 3) == keys[3:]
        assert tx.entries.keys_after(keys[4], 3) == []


def test_erase_removes_the_entry_and_blanks_its_history(store: Store) -> None:
    entry = insert(store, body="the secret")
    with store.write(ALICE) as tx:
        entry = tx.entries.update(edited(entry, body="no more"), Operation.EDIT)
    with store.write(ALICE) as tx:
        tx.entries.erase(entry)
    with store.read(ALICE) as tx:
        assert tx.entries.get("n-1") is None
        history = tx.changes.history(entry)
    assert [change.operation for change in history] == [
        Operation.CREATE,
        Operation.EDIT,
        Operation.PURGE,
    ]
    assert [change.before for change in history] == [None, None, None]


def test_erase_of_what_is_gone_is_not_found(store: Store) -> None:
    entry = insert(store)
    with store.write(ALICE) as tx:
        tx.entries.erase(entry)
    with pytest.raises(NotFound), store.write(ALICE) as tx:
        tx.entries.erase(entry)


def test_every_write_leaves_a_change_with_the_state_before(
    store: Store, clock: SteppingClock
) -> None:
    entry = insert(store)
    states = [entry]
    for operation in (Operation.EDIT, Operation.DELETE, Operation.RESTORE, Operation.SUPERSEDE):
        clock.advance(1)
        with store.write(BOB) as tx:
            states.append(tx.entries.update(edited(states[-1], title=operation.value), operation))
    with store.read(ALICE) as tx:
        history = tx.changes.history(entry)
    assert [change.before for change in history] == [None, *map(image_of, states[:-1])]
    assert [change.revision for change in history] == [1, 2, 3, 4, 5]
    assert [change.agent for change in history] == ["alice", "bob", "bob", "bob", "bob"]
    assert [change.at for change in history] == [START + timedelta(seconds=s) for s in range(5)]
    assert {(change.org, change.client, change.entity) for change in history} == {
        ("acme", "test-client", "entry")
    }


def test_changes_since_is_a_feed_in_order(store: Store) -> None:
    for number in range(4):
        insert(store, f"n-{number}")
    with store.read(ALICE) as tx:
        feed = tx.changes.since(0, 100)
        assert [change.entity_id for change in feed] == [f"note/n-{number}" for number in range(4)]
        assert tx.changes.since(0, 2) == feed[:2]
        assert tx.changes.since(feed[1].sequence, 100) == feed[2:]
        assert tx.changes.since(feed[-1].sequence, 100) == []


def test_histories_of_two_kinds_with_one_id_stay_apart(store: Store) -> None:
    note, item = insert(store, "same"), insert(store, "same", EntryKind.ITEM)
    with store.write(ALICE) as tx:
        tx.entries.update(edited(note, title="new"), Operation.EDIT)
    with store.read(ALICE) as tx:
        assert len(tx.changes.history(note)) == 2
        assert len(tx.changes.history(item)) == 1
