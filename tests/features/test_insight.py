"""What people ask that no agent does, on both stores."""

from __future__ import annotations

from commonplace.model.entry import EntryKind, Visibility
from commonplace.operations.insight.service import InsightService
from tests.features.house import House
from tests.generate import ALICE, BOB, EVE


def chain(house: House, id: str) -> list[str]:
    entry = house.knowledge.get(ALICE, id).entry
    return [one.id for one in InsightService(house.store).chain(ALICE, entry)]


def test_a_chain_has_all_that_was_replaced_from_wherever_it_is_asked(house: House) -> None:
    for id in ("first", "second", "third", "aside"):
        house.add(id)
        house.clock.advance(1)
    house.knowledge.supersede(ALICE, EntryKind.NOTE, "first", "second")
    house.knowledge.supersede(ALICE, EntryKind.NOTE, "second", "third")
    for id in ("first", "second", "third"):
        assert chain(house, id) == ["first", "second", "third"]
    assert chain(house, "aside") == ["aside"]
    house.knowledge.delete(ALICE, "second")
    assert chain(house, "third") == ["first", "third"]


def test_a_chain_shows_nothing_that_its_reader_may_not_see(house: House) -> None:
    house.add("mine", ALICE, visibility=Visibility.PRIVATE)
    house.add("ours", ALICE)
    house.knowledge.supersede(ALICE, EntryKind.NOTE, "mine", "ours")
    entry = house.knowledge.get(ALICE, "ours").entry
    insight = InsightService(house.store)
    assert [one.id for one in insight.chain(BOB, entry)] == ["ours"]
    assert insight.chain(EVE, entry) == []
