"""Adding, reading, editing, deleting, restoring and purging entries, on both stores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest

from commonplace.errors import (
    CallStopped,
    Conflict,
    InvalidArgument,
    NotFound,
    NotOwner,
    RevisionConflict,
)
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.call import Call
from commonplace.model.change import Operation
from commonplace.model.chunk import ChunkCounts, EmbeddingState
from commonplace.model.entry import EntryKind, Visibility
from commonplace.model.query import Filter
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE, SYSTEM, owner_of
from tests.stores import START, Database, SteppingClock
from tests.waiting import eventually

EVERYTHING = Filter(include_superseded=True, include_expired=True)
BOB_ALONE = replace(BOB, scopes=ALL_SCOPES - {Scope.WRITE_OTHERS})


def counts(house: House, actor: Actor = ALICE) -> ChunkCounts:
    return house.status.of_org(actor).chunks


def test_what_was_added_is_read_back(house: House) -> None:
    entry = house.add("n-1", title="Títle", body="A bödy", tags=("x",), attributes={"a": [1, None]})
    view = house.knowledge.get(ALICE, "n-1")
    assert view.entry == entry
    assert (entry.revision, entry.agent, entry.created_at) == (1, "alice", START)
    assert view.embedding is EmbeddingState.PENDING
    house.embed()
    assert house.knowledge.get(ALICE, "n-1").embedding is EmbeddingState.READY


def test_without_an_id_one_is_made(house: House) -> None:
    content = house.add("n-1").content
    made = house.knowledge.add(ALICE, EntryKind.NOTE, content)
    assert house.knowledge.get(ALICE, made.id).entry == made


def test_an_id_is_unique_per_org_and_kind(house: House) -> None:
    house.add("n-1")
    house.add("n-1", kind=EntryKind.PAGE)
    house.add("n-1", EVE)
    with pytest.raises(Conflict):
        house.add("n-1")


def test_another_orgs_id_does_not_exist(house: House) -> None:
    house.add("n-1", EVE)
    with pytest.raises(NotFound):
        house.knowledge.get(ALICE, "n-1")


def test_pages_are_newest_first_and_counted(house: House, clock: SteppingClock) -> None:
    for number in range(5):
        house.add(f"n-{number}", tags=("even",) if number % 2 == 0 else ())
        clock.advance(number % 2)
    page, total = house.knowledge.page(ALICE, Filter(), 2)
    rest, _ = house.knowledge.page(ALICE, Filter(), 10, 2)
    assert [e.id for e in page + rest] == ["n-4", "n-3", "n-2", "n-1", "n-0"]
    assert total == 5
    tagged, total = house.knowledge.page(ALICE, Filter(tags=("even",)), 2)
    assert ([e.id for e in tagged], total) == (["n-4", "n-2"], 3)


def test_an_edit_makes_a_revision_and_keeps_the_old_one(house: House, clock: SteppingClock) -> None:
    entry = house.add("n-1")
    clock.advance(60)
    edited = house.knowledge.edit(ALICE, "n-1", replace(entry.content, body="Better"), revision=1)
    assert (edited.revision, edited.content.body) == (2, "Better")
    assert edited.updated_at == START + timedelta(seconds=60)
    history = house.knowledge.history(ALICE, "n-1")
    assert [(r.number, r.operation, r.image["body"]) for r in history] == [
        (1, Operation.CREATE, "Body of n-1"),
        (2, Operation.EDIT, "Better"),
    ]


def test_an_edit_of_an_old_revision_is_refused(house: House) -> None:
    content = house.add("n-1").content
    house.knowledge.edit(ALICE, "n-1", replace(content, body="Second"), revision=1)
    with pytest.raises(RevisionConflict):
        house.knowledge.edit(BOB, "n-1", replace(content, body="Third"), revision=1)
    assert house.knowledge.get(ALICE, "n-1").entry.content.body == "Second"


def test_an_expired_entry_can_be_edited_but_not_given_a_past_end(
    house: House, clock: SteppingClock
) -> None:
    content = house.add("n-1", expires_at=START + timedelta(seconds=5)).content
    clock.advance(10)
    assert house.knowledge.edit(ALICE, "n-1", replace(content, body="Fixed")).revision == 2
    earlier = replace(content, expires_at=START + timedelta(seconds=1))
    with pytest.raises(InvalidArgument, match="future"):
        house.knowledge.edit(ALICE, "n-1", earlier)


def test_a_deleted_entry_is_out_of_every_read_path(house: House) -> None:
    house.add("n-1", body="zebra")
    house.embed()
    house.knowledge.delete(ALICE, "n-1")
    with pytest.raises(NotFound):
        house.knowledge.get(ALICE, "n-1")
    with pytest.raises(NotFound):
        house.knowledge.delete(ALICE, "n-1")
    assert house.knowledge.page(ALICE, EVERYTHING, 10) == ([], 0)
    assert house.found("zebra", include_superseded=True, include_expired=True) == []
    assert counts(house) == ChunkCounts()
    assert house.knowledge.history(ALICE, "n-1")[-1].operation is Operation.DELETE


def test_restore_undoes_a_deletion(house: House) -> None:
    house.add("n-1", body="zebra")
    house.knowledge.delete(ALICE, "n-1")
    restored = house.knowledge.restore(ALICE, "n-1")
    assert (restored.revision, restored.deleted_at) == (3, None)
    assert house.found("zebra") == ["n-1"]


def test_restore_undoes_an_edit(house: House) -> None:
    content = house.add("n-1", body="zebra", tags=("old",)).content
    house.knowledge.edit(ALICE, "n-1", replace(content, body="lion", tags=()))
    restored = house.knowledge.restore(ALICE, "n-1")
    assert (restored.content, restored.revision) == (content, 3)
    assert (house.found("zebra"), house.found("lion")) == (["n-1"], [])


def test_restore_goes_back_to_any_revision(house: House) -> None:
    content = house.add("n-1", body="first").content
    for body in ("second", "third"):
        house.knowledge.edit(ALICE, "n-1", replace(content, body=body))
    house.knowledge.delete(ALICE, "n-1")
    assert house.knowledge.restore(ALICE, "n-1", 2).content.body == "second"
    assert [r.operation for r in house.knowledge.history(ALICE, "n-1")] == [
        Operation.CREATE,
        Operation.EDIT,
        Operation.EDIT,
        Operation.DELETE,
        Operation.RESTORE,
    ]


def test_what_never_changed_has_nothing_to_restore(house: House) -> None:
    house.add("n-1")
    with pytest.raises(InvalidArgument, match="no earlier revision"):
        house.knowledge.restore(ALICE, "n-1")
    with pytest.raises(InvalidArgument, match="1 to 1"):
        house.knowledge.restore(ALICE, "n-1", 7)


def test_a_purge_erases_everything(house: House) -> None:
    content = house.add("n-1", body="zebra").content
    house.embed()
    house.knowledge.edit(ALICE, "n-1", replace(content, body="lion"))
    house.knowledge.delete(ALICE, "n-1")
    house.knowledge.purge(ALICE, "n-1")
    for refused in (house.knowledge.restore, house.knowledge.history, house.knowledge.purge):
        with pytest.raises(NotFound):
            refused(ALICE, "n-1")
    with house.store.read(ALICE) as tx:
        changes = tx.changes.since(0, 100)
        statistics = tx.statistics.load()
    assert statistics is not None
    assert statistics.frequencies == {}
    assert [change.operation for change in changes][-1] is Operation.PURGE
    assert all(change.before is None for change in changes)
    assert house.found("zebra lion") == []


@pytest.mark.parametrize("dialect", ["postgres"], indirect=True)
def test_a_purge_waits_for_a_change_before_it_takes_anything(
    house: House, database: Database
) -> None:
    """On SQLite there is one writer."""
    entry = house.add("n-1", body="zebra")
    with ThreadPoolExecutor(1) as pool, psycopg.connect(database.address) as watcher:
        with house.store.write(ALICE) as tx:
            tx.entries.lock([entry.key])
            purging = pool.submit(house.knowledge.purge, ALICE, "n-1")
            waiting = b"SELECT 1 FROM pg_locks WHERE NOT granted"
            eventually(lambda: watcher.execute(waiting).fetchone() is not None)
            tx.chunks.remove(owner_of(entry))
            tx.entries.update(entry, Operation.EDIT)
        purging.result()
    assert house.found("zebra") == []
    with house.store.read(ALICE) as tx:
        assert [change.revision for change in tx.changes.history(entry)] == [1, 2, 3]


def test_an_id_is_free_again_after_a_purge(house: House) -> None:
    house.add("n-1", body="zebra")
    house.knowledge.purge(ALICE, "n-1")
    house.add("n-1", body="lion")
    (only,) = house.knowledge.history(ALICE, "n-1")
    assert (only.number, only.image["body"]) == (1, "lion")


Verb = Callable[[House, Actor], object]
VERBS: dict[str, Verb] = {
    "edit": lambda house, actor: house.knowledge.edit(
        actor, "n-1", house.knowledge.get(ALICE, "n-1").entry.content
    ),
    "delete": lambda house, actor: house.knowledge.delete(actor, "n-1"),
    "restore": lambda house, actor: house.knowledge.restore(actor, "n-1", 1),
    "purge": lambda house, actor: house.knowledge.purge(actor, "n-1"),
}


@pytest.mark.parametrize("verb", VERBS)
def test_only_the_author_or_the_scope_may_change(house: House, verb: str) -> None:
    house.add("n-1")
    with pytest.raises(NotOwner):
        VERBS[verb](house, BOB_ALONE)
    assert house.knowledge.get(ALICE, "n-1").entry.revision == 1
    VERBS[verb](house, BOB)


def read_history(house: House, actor: Actor) -> object:
    return house.knowledge.history(actor, "n-1")


@pytest.mark.parametrize("verb", [*VERBS, "history"])
def test_what_another_org_shares_is_readable_and_no_more(house: House, verb: str) -> None:
    house.add("n-1", visibility=Visibility.NETWORK)
    assert house.knowledge.get(EVE, "n-1").entry.org == "acme"
    with pytest.raises(NotFound):
        (VERBS | {"history": read_history})[verb](house, EVE)


def test_system_knowledge_is_read_only_to_orgs(house: House) -> None:
    house.add("n-1", SYSTEM)
    assert house.knowledge.get(ALICE, "n-1").entry.org == "system"
    with pytest.raises(NotFound):
        house.knowledge.delete(ALICE, "n-1")


def test_private_is_for_its_author(house: House) -> None:
    house.add("n-1", visibility=Visibility.PRIVATE)
    assert house.knowledge.get(ALICE, "n-1").entry.id == "n-1"
    for stranger in (BOB, EVE):
        with pytest.raises(NotFound):
            house.knowledge.get(stranger, "n-1")
        with pytest.raises(NotFound):
            house.knowledge.delete(stranger, "n-1")


def stopped() -> Call:
    def check() -> None:
        raise CallStopped

    return Call(check=check)


STOPPABLE: dict[str, Callable[[House, Call], object]] = {
    "add": lambda house, call: house.knowledge.add(
        ALICE, EntryKind.NOTE, house.knowledge.get(ALICE, "n-1").entry.content, call=call
    ),
    "edit": lambda house, call: house.knowledge.edit(
        ALICE,
        "n-1",
        replace(house.knowledge.get(ALICE, "n-1").entry.content, body="changed"),
        call=call,
    ),
    "delete": lambda house, call: house.knowledge.delete(ALICE, "n-1", call=call),
    "restore": lambda house, call: house.knowledge.restore(ALICE, "n-2", call=call),
    "supersede": lambda house, call: house.knowledge.supersede(
        ALICE, EntryKind.NOTE, "n-1", "n-2", call=call
    ),
}


@pytest.mark.parametrize("verb", STOPPABLE)
def test_a_stopped_call_writes_nothing(house: House, verb: str) -> None:
    house.add("n-1")
    content = house.add("n-2").content
    house.knowledge.edit(ALICE, "n-2", replace(content, body="second"))
    before = _everything(house)
    with pytest.raises(CallStopped):
        STOPPABLE[verb](house, stopped())
    assert _everything(house) == before


@pytest.mark.parametrize("wrong", [{"title": " "}, {"body": "\0"}, {"tags": ("",)}])
def test_a_refused_edit_writes_nothing(house: House, wrong: dict[str, Any]) -> None:
    content = house.add("n-1").content
    before = _everything(house)
    with pytest.raises(InvalidArgument):
        house.knowledge.edit(ALICE, "n-1", replace(content, **wrong))
    assert _everything(house) == before


def _everything(house: House) -> tuple[object, ...]:
    with house.store.read(ALICE) as tx:
        keys = range(1, 100)
        return (
            tx.entries.page(EVERYTHING, 100, 0),
            tx.chunks.fetch(keys, EVERYTHING),
            tx.changes.since(0, 100),
        )
