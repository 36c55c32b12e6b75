"""What the contract leaves open and our readings settle: addresses, own entries, equal ranks."""

from __future__ import annotations

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.steps import captured_id
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import (
    NOT_FOUND,
    SEARCH,
    STORE,
    SUPERSEDE,
    entry,
    found,
    refuse,
    search,
    store,
    stored_id,
    supersede,
)

TASK = {"taskId": "0b1d3f50-0000-4000-8000-000000000001", "kind": "produced"}


@pytest.mark.requirement("notes.search.words-before-meaning")
def test_of_equal_ranks_words_go_first(premises: Premises, alice: Caller) -> None:
    for percent in (40, 30, 20):
        store(alice, title=f"Unrelated {percent}", body=near(percent))
    premises.embed()
    fresh = stored_id(alice, title="Fresh", body="The lever is stored and not yet embedded.")
    hits = search(alice, "lever")
    assert [hit["score"] for hit in hits[:2]] == [0.5, 0.5]
    assert hits[0]["id"] == fresh


@pytest.mark.requirement("notes.store.expires-at-date")
def test_a_date_alone_is_its_first_moment(alice: Caller, guarded: Premises) -> None:
    stored = store(alice, expiresAt="2099-01-01")
    assert stored["expiresAt"] == "2099-01-01T00:00:00.000Z"
    for wrong in ("2099-13-01", "2099-02-30", "2029-12-31", "2099-01", "99-01-01"):
        refuse(alice, STORE, "expiresAt", title="T", body="B", expiresAt=wrong)


@pytest.mark.requirement("notes.search.resource-address", "notes.search.resource-superseded")
def test_the_resource_shows_what_became_of_an_entry(
    premises: Premises, alice: Caller, clock: SteppingClock
) -> None:
    old = stored_id(alice, title="Old", taskRef=TASK, expiresAt="2030-01-02")
    new = stored_id(alice, title="New")
    shown = entry(alice, old)
    assert (shown["supersededById"], shown["expired"]) == (None, False)
    assert (shown["embeddingStatus"], shown["source"], shown["taskRefs"]) == (
        "pending",
        "agent",
        [TASK],
    )
    premises.embed()
    supersede(alice, old, new)
    clock.advance(2 * 24 * 3600)
    assert found(alice, "old") == []
    shown = entry(alice, old)
    assert (shown["supersededById"], shown["expired"]) == (new, True)
    assert shown["embeddingStatus"] == "ready"
    assert alice.read(f"drobek://knowledge/{old}") == shown


@pytest.mark.requirement("notes.expect.own-kind", "notes.search.resource-elsewhere")
def test_what_other_dialects_keep_is_not_found_here(
    premises: Premises, alice: Caller, eve: Caller
) -> None:
    item = captured_id(alice, summary="The lever", content=near(90))
    note = stored_id(alice, title="The lever", body=near(80))
    premises.embed()
    assert found(alice, "lever") == [note]
    refused = alice.read_refusal(f"commonplace://knowledge/{item}")
    assert refused.data["code"] == NOT_FOUND
    assert "get_knowledge" in refused.data["hint"]
    hidden = eve.read_refusal(f"commonplace://knowledge/{item}")
    assert "hint" not in hidden.data, "who may not see it is told nothing"


@pytest.mark.requirement("notes.expect.unknown-argument")
@pytest.mark.parametrize("tool", [STORE, SEARCH, SUPERSEDE])
def test_an_unknown_argument_is_refused_by_its_name(alice: Caller, tool: str) -> None:
    assert "surprise" in alice.refusal(tool, surprise=1)["message"]


@pytest.mark.requirement("notes.store.quota-unset")
def test_without_a_limit_nothing_is_refused(premises: Premises, alice: Caller) -> None:
    assert premises.settings.quota_knowledge_stored is None
    for number in range(20):
        store(alice, title=f"Note {number}")
    assert premises.count() == 20


@pytest.mark.requirement("notes.search.score-described")
def test_the_description_says_what_a_score_is(alice: Caller) -> None:
    described = alice.tools()[SEARCH].description
    assert "A score is a rank: it does not say how well a hit fits" in described
