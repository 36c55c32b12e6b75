"""How far a search reaches: enough entries, whatever their length, and the best of many."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import found, store, stored_id


@pytest.mark.requirement("notes.search.limit-honoured")
def test_long_entries_do_not_crowd_each_other_out(premises: Premises, alice: Caller) -> None:
    body = " ".join(f"{near(90)} filler words here number {n}." for n in range(400))[:12_000]
    for number in range(45):
        store(alice, title=f"T{number}", body=body)
    premises.embed()
    assert len(found(alice, "unshared", limit=50)) == 45


@pytest.mark.requirement("notes.search.rrf-fusion")
def test_the_densest_of_many_matches_is_first(alice: Caller) -> None:
    for number in range(130):
        store(alice, title=f"T{number}", body="lever " + "x " * number + "word")
    best = stored_id(alice, title="Z", body="lever " * 30)
    assert found(alice, "lever")[0] == best
