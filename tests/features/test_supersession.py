"""Superseding entries on both stores: heads, circles, owners, and going back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from commonplace.errors import AlreadySuperseded, NotFound, NotOwner, SupersessionCycle
from commonplace.knowledge.supersession import Supersession
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.entry import EntryKind, Visibility
from commonplace.model.query import Filter
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE

ALONE = ALL_SCOPES - {Scope.WRITE_OTHERS}
CAROL = Actor("acme", "carol", ALONE)


def supersede(house: House, old: str, new: str, actor: Actor = ALICE) -> Supersession:
    return house.knowledge.supersede(actor, EntryKind.NOTE, old, new)


def heads(house: House) -> dict[str, str | None]:
    everything = Filter(include_superseded=True)
    return {e.id: e.head for e in house.knowledge.page(ALICE, everything, 100)[0]}


def add_all(house: House, *ids: str) -> None:
    for id in ids:
        house.add(id, body=f"Shared word, and {id}")


def test_only_the_newest_is_shown(house: House) -> None:
    add_all(house, "a", "b")
    done = supersede(house, "a", "b")
    assert (done.head, done.updated) == ("b", 1)
    assert house.found("shared") == ["b"]
    assert sorted(house.found("shared", include_superseded=True)) == ["a", "b"]
    listed, total = house.knowledge.page(ALICE, Filter(), 10)
    assert ([e.id for e in listed], total) == (["b"], 1)
    assert house.knowledge.get(ALICE, "a").entry.head == "b"


@pytest.mark.parametrize("order", [("ab", "bc", "cd"), ("cd", "bc", "ab"), ("bc", "ab", "cd")])
def test_every_link_leads_to_the_newest(house: House, order: tuple[str, ...]) -> None:
    add_all(house, "a", "b", "c", "d")
    for pair in order:
        supersede(house, pair[0], pair[1])
    assert heads(house) == {"a": "d", "b": "d", "c": "d", "d": None}
    assert house.found("shared") == ["d"]


def test_the_count_is_of_entries_whose_head_changed(house: House) -> None:
    add_all(house, "a", "b", "c")
    assert supersede(house, "a", "b").updated == 1
    assert supersede(house, "b", "c").updated == 2


def test_the_same_again_changes_nothing(house: House) -> None:
    add_all(house, "a", "b", "c")
    supersede(house, "a", "b")
    supersede(house, "b", "c")
    again = supersede(house, "a", "b")
    assert (again.head, again.updated) == ("c", 0)
    assert house.knowledge.get(ALICE, "a").entry.revision == 3


def test_circles_and_second_successors_are_refused(house: House) -> None:
    add_all(house, "a", "b", "c")
    with pytest.raises(SupersessionCycle):
        supersede(house, "a", "a")
    supersede(house, "a", "b")
    supersede(house, "b", "c")
    with pytest.raises(SupersessionCycle):
        supersede(house, "c", "a")
    with pytest.raises(AlreadySuperseded):
        supersede(house, "a", "c")
    assert heads(house) == {"a": "c", "b": "c", "c": None}


def test_only_what_exists_here_can_take_part(house: House) -> None:
    add_all(house, "a")
    house.add("page", kind=EntryKind.PAGE)
    house.add("theirs", EVE, visibility=Visibility.NETWORK)
    house.add("hidden", BOB, visibility=Visibility.PRIVATE)
    house.add("gone")
    house.knowledge.delete(ALICE, "gone")
    for other in ("missing", "page", "theirs", "hidden", "gone"):
        for pair in (("a", other), (other, "a")):
            with pytest.raises(NotFound):
                supersede(house, *pair)


def test_an_actor_must_own_one_of_both_or_have_the_scope(house: House) -> None:
    add_all(house, "a", "b", "c")
    house.add("mine", CAROL)
    with pytest.raises(NotOwner):
        supersede(house, "a", "b", CAROL)
    assert supersede(house, "a", "mine", CAROL).head == "mine"
    assert supersede(house, "mine", "b", CAROL).head == "b"
    assert supersede(house, "b", "c", replace(CAROL, scopes=ALL_SCOPES)).head == "c"


def test_restore_takes_a_supersession_back_with_its_followers(house: House) -> None:
    add_all(house, "a", "b", "c", "d")
    for pair in ("ab", "bc", "cd"):
        supersede(house, pair[0], pair[1])
    house.knowledge.restore(ALICE, "c")
    assert heads(house) == {"a": "c", "b": "c", "c": None, "d": None}
    assert sorted(house.found("shared")) == ["c", "d"]
    house.knowledge.restore(ALICE, "b", 1)
    assert heads(house) == {"a": "b", "b": None, "c": None, "d": None}


def test_an_edit_after_a_supersession_is_undone_without_undoing_the_supersession(
    house: House,
) -> None:
    add_all(house, "a", "b")
    supersede(house, "a", "b")
    content = house.knowledge.get(ALICE, "a").entry.content
    house.knowledge.edit(ALICE, "a", replace(content, body="typo mended"))
    restored = house.knowledge.restore(ALICE, "a")
    assert (restored.content, restored.head) == (content, "b")


def test_a_deleted_follower_stays_out_of_sight(house: House) -> None:
    add_all(house, "a", "b", "c")
    supersede(house, "a", "b")
    house.knowledge.delete(ALICE, "a")
    supersede(house, "b", "c")
    assert "a" not in house.found("shared", include_superseded=True)
    house.knowledge.restore(ALICE, "b")
    assert "a" not in house.found("shared", include_superseded=True)
    assert house.knowledge.restore(ALICE, "a").head == "b"


def test_ids_of_another_kind_are_another_chain(house: House) -> None:
    add_all(house, "a", "b")
    house.add("a", kind=EntryKind.PAGE)
    house.add("b", kind=EntryKind.PAGE)
    supersede(house, "a", "b")
    assert house.knowledge.get(ALICE, "a", EntryKind.PAGE).entry.head is None
