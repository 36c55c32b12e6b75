"""Ids by their beginning: of the org's own entries, deleted ones too, on both stores."""

from __future__ import annotations

from commonplace.storage.port import Store
from tests.generate import ALICE, EVE, entry_draft


def test_ids_are_found_by_their_beginning(store: Store) -> None:
    with store.write(ALICE) as tx:
        for id in ("abcd-1", "abcd-2", "abce", "ABCD", "abcd"):
            tx.entries.insert(entry_draft(id))
    with store.write(EVE) as tx:
        tx.entries.insert(entry_draft("abcd-hidden"))
    with store.read(ALICE) as tx:
        assert tx.entries.ids_beginning("abcd", 10) == ["abcd", "abcd-1", "abcd-2"]
        assert tx.entries.ids_beginning("abcd-", 1) == ["abcd-1"]
        assert tx.entries.ids_beginning("abc%", 10) == []
