"""A search reads nothing twice, however many of its stages ask for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from commonplace.model.chunk import ChunkTerms
from commonplace.model.entry import Entry
from commonplace.model.query import Filter, LexicalLeg
from commonplace.storage.tables.chunks import ChunkTable
from commonplace.storage.tables.entries import EntryTable
from tests.features.house import House


class Asked:
    """How often each key was asked for, by what it is the key of."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.terms: Counter[int] = Counter()
        self.entries: Counter[int] = Counter()
        terms, by_keys = ChunkTable.terms, EntryTable.by_keys

        def counted_terms(
            table: ChunkTable, keys: Sequence[int], wanted: Filter
        ) -> list[ChunkTerms]:
            self.terms.update(keys)
            return terms(table, keys, wanted)

        def counted_entries(table: EntryTable, keys: Sequence[int]) -> dict[int, Entry]:
            self.entries.update(keys)
            return by_keys(table, keys)

        monkeypatch.setattr(ChunkTable, "terms", counted_terms)
        monkeypatch.setattr(EntryTable, "by_keys", counted_entries)


@pytest.mark.parametrize("leg", [LexicalLeg.ALL_WORDS, LexicalLeg.ANY_TERM_OR_PART])
def test_terms_and_entries_are_read_once(
    house: House, monkeypatch: pytest.MonkeyPatch, leg: LexicalLeg
) -> None:
    house.add("pump", title="Oiling the pump", body="The pump is oiled once a week.")
    house.add("well", title="The well", body="A pump stands beside it.")
    house.embed()
    asked = Asked(monkeypatch)
    assert house.found("pump", lexical=leg)[0] == "pump"
    scored = leg is not LexicalLeg.ALL_WORDS
    assert set(asked.terms.values()) == ({1} if scored else set())
    assert set(asked.entries.values()) == {1}
