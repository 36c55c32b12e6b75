"""What came right before and after a short entry, on every store."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

from commonplace.model.actor import Actor
from commonplace.model.change import Operation
from commonplace.model.chunk import InSequence, NearInTime, Owner, OwnerType
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind, Place, Visibility
from commonplace.storage.port import Store
from tests.generate import ALICE, BOB, EVE, chunk_draft, keys_of, metadata, text_of
from tests.stores import SteppingClock

TALK = NearInTime(tokens=50, span=timedelta(minutes=5), steps=2)


def said(store: Store, id: str, actor: Actor = ALICE, **content: Any) -> int:
    """An entry with one chunk; the key of the chunk."""
    written = EntryContent(**{"title": "T", "body": id, **content})
    with store.write(actor) as tx:
        entry = tx.entries.insert(EntryDraft(id, EntryKind.NOTE, written))
        owner = Owner(OwnerType.ENTRY, entry.key)
        shown = metadata(agent=actor.agent, visibility=written.visibility, place=written.place)
        tx.chunks.replace(owner, shown, [chunk_draft(text_of(entry.key))])
        return keys_of(tx, owner)[0]


def said_at_once(store: Store, ids: list[str]) -> list[int]:
    """Entries of one transaction, which have the same moment; the keys of their chunks."""
    keys = []
    with store.write(ALICE) as tx:
        for id in ids:
            written = EntryContent(title="T", body=id)
            entry = tx.entries.insert(EntryDraft(id, EntryKind.NOTE, written))
            owner = Owner(OwnerType.ENTRY, entry.key)
            tx.chunks.replace(owner, metadata(), [chunk_draft(text_of(entry.key))])
            keys.append(keys_of(tx, owner)[0])
    return keys


def around(store: Store, keys: list[int], actor: Actor = ALICE) -> list[InSequence]:
    with store.read(actor) as tx:
        return tx.chunks.around(keys, TALK)


def test_short_entries_know_what_came_around_them(store: Store, clock: SteppingClock) -> None:
    keys = []
    for number in range(5):
        keys.append(said(store, f"n-{number}"))
        said(store, f"b-{number}", BOB)
        clock.advance(10)
    clock.advance(3600)
    late = said(store, "late")
    assert around(store, [keys[1], late]) == [
        InSequence(keys[1], keys[0], -1),
        InSequence(keys[1], keys[2], 1),
        InSequence(keys[1], keys[3], 2),
    ]
    assert around(store, []) == []
    assert around(store, keys, EVE) == []


def test_others_in_between_change_nothing(store: Store) -> None:
    first = said(store, "first")
    for number in range(40):
        said(store, f"e-{number}", EVE)
    last = said(store, "last")
    assert around(store, [first]) == [InSequence(first, last, 1)]


def test_entries_of_one_moment_are_in_the_order_of_their_keys(
    store: Store, clock: SteppingClock
) -> None:
    earlier = said(store, "earlier")
    clock.advance(10)
    first, second, third, fourth, fifth = said_at_once(store, [f"n-{n}" for n in range(5)])
    clock.advance(10)
    later = said(store, "later")
    assert around(store, [third]) == [
        InSequence(third, first, -2),
        InSequence(third, second, -1),
        InSequence(third, fourth, 1),
        InSequence(third, fifth, 2),
    ]
    assert around(store, [first, fifth]) == [
        InSequence(first, earlier, -1),
        InSequence(first, second, 1),
        InSequence(first, third, 2),
        InSequence(fifth, third, -2),
        InSequence(fifth, fourth, -1),
        InSequence(fifth, later, 1),
    ]


def test_what_fewer_may_read_or_is_gone_is_not_around(store: Store) -> None:
    shown = said(store, "shown")
    said(store, "private", visibility=Visibility.PRIVATE)
    said(store, "elsewhere", place=Place(project="other"))
    said(store, "deleted")
    after = said(store, "after")
    with store.write(ALICE) as tx:
        gone = tx.entries.get("deleted")
        assert gone is not None
        tx.entries.update(replace(gone, deleted_at=tx.now), Operation.DELETE)
    assert around(store, [shown]) == [InSequence(shown, after, 1)]


def test_what_is_long_speaks_for_itself(store: Store) -> None:
    first, second = said(store, "first"), said(store, "second")
    short = replace(TALK, tokens=0)
    with store.read(ALICE) as tx:
        assert tx.chunks.around([first, second], short) == []
