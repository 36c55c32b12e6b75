"""What store_knowledge answers, whom an entry belongs to, and how it comes to be embedded."""

from __future__ import annotations

import threading
from datetime import datetime
from uuid import UUID

import pytest

from tests.stores import START, SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.nearness import answer, embedded_at, near
from tests.surfaces.notes.steps import SUPERSEDE, entry, found, search, store, stored_id, supersede
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint


@pytest.mark.requirement(
    "notes.store.output-fields",
    "notes.store.output-echo",
    "notes.store.output-created-at",
    "notes.store.embedding-status-pending",
)
def test_the_answer_is_the_entry_as_stored(alice: Caller, clock: SteppingClock) -> None:
    clock.advance(12.345)
    stored = store(
        alice,
        title="Ports",
        body="b",
        tags=["Net", "net"],
        confidence=55,
        expiresAt="2031-01-01T01:00:00+01:00",
    )
    id = stored.pop("id")
    assert stored == {
        "title": "Ports",
        "tags": ["net"],
        "confidence": 55,
        "expiresAt": "2031-01-01T00:00:00.000Z",
        "embeddingStatus": "pending",
        "createdAt": "2030-01-01T00:00:12.345Z",
    }
    assert entry(alice, id)["createdAt"] == stored["createdAt"]


@pytest.mark.requirement("notes.store.output-echo", "notes.store.output-created-at")
def test_defaults_are_filled_in(alice: Caller) -> None:
    stored = store(alice)
    assert (stored["tags"], stored["confidence"], stored["expiresAt"]) == ([], 80, None)
    assert datetime.fromisoformat(stored["createdAt"]) == START


@pytest.mark.requirement("notes.store.output-id-uuid", "notes.store.client-token-optional")
def test_every_entry_has_a_uuid_of_its_own(premises: Premises, alice: Caller) -> None:
    ids = [stored_id(alice, title="Same", body="same") for _ in range(3)]
    assert [str(UUID(id)) for id in ids] == ids
    assert len(set(ids)) == premises.count() == 3
    assert supersede(alice, ids[0], ids[1])["supersededById"] == ids[1]


@pytest.mark.requirement("notes.store.source-agent", "notes.store.owner-from-caller")
def test_an_entry_belongs_to_the_agent_who_calls(alice: Caller, bob: Caller) -> None:
    mine, other = stored_id(alice), stored_id(alice)
    theirs = entry(bob, mine)
    assert (theirs["source"], theirs["createdByAgentId"]) == ("agent", "alice")
    assert bob.refusal(SUPERSEDE, oldId=mine, newId=other)["code"] == "auth.not_owner"
    assert supersede(alice, mine, other)["updatedCount"] == 1


@pytest.mark.requirement("notes.store.owner-from-caller")
@pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])
def test_a_client_without_an_agent_acts_under_its_own_name(premises: Premises, mode: str) -> None:
    client = premises.caller(None, mode=mode, name="some-editor")
    assert entry(client, stored_id(client))["createdByAgentId"] == "some-editor"


@pytest.mark.requirement("notes.store.embedding-out-of-band", "notes.store.embedding-status-values")
def test_storing_does_not_wait_for_a_slow_model(open_premises: OpenPremises) -> None:
    asked, go_on = threading.Event(), threading.Event()

    def slowly(request: Asked) -> Answered:
        asked.set()
        assert go_on.wait(60)
        return answer(request)

    with local_endpoint(slowly) as endpoint:
        premises = open_premises(**embedded_at(endpoint.url))
        alice = premises.caller()
        first = store(alice, body=near(90))
        worker = threading.Thread(target=premises.embed)
        worker.start()
        assert asked.wait(60)
        second = store(alice, body="while the model is at work")
        assert first.keys() == second.keys()
        assert [entry(alice, x["id"])["embeddingStatus"] for x in (first, second)] == [
            "pending"
        ] * 2
        go_on.set()
        worker.join()
        premises.embed()
        assert [entry(alice, x["id"])["embeddingStatus"] for x in (first, second)] == ["ready"] * 2


@pytest.mark.requirement("notes.store.embedding-out-of-band", "notes.search.not-yet-embedded-found")
def test_a_model_that_is_away_changes_nothing_but_meaning(
    open_premises: OpenPremises, endpoint: str
) -> None:
    premises = open_premises(**embedded_at("http://127.0.0.1:9/v1"))
    alice = premises.caller()
    stored = store(alice, title="Lantern", body=f"oil {near(90)}")
    premises.embed()
    assert entry(alice, stored["id"])["embeddingStatus"] == "pending"
    answered = alice.call("search_knowledge", query="lantern")
    assert [hit["id"] for hit in answered["hits"]] == [stored["id"]]
    assert (answered["mode"], answered["pending"]) == ("lexical", 1)
    assert "127.0.0.1" not in str(answered["notices"])
    assert len(answered["notices"]) == 1


@pytest.mark.requirement("notes.store.embedding-status-values")
def test_a_text_that_the_model_refuses_fails_in_the_end(
    open_premises: OpenPremises, clock: SteppingClock
) -> None:
    def refuse(_request: Asked) -> Answered:
        return Answered(b"{}", status=400)

    with local_endpoint(refuse) as endpoint:
        premises = open_premises(**embedded_at(endpoint.url))
        alice = premises.caller()
        id = stored_id(alice, title="Riddle")
        states: list[str] = []
        while not states or states[-1] == "pending":
            premises.embed()
            states.append(entry(alice, id)["embeddingStatus"])
            clock.advance(24 * 3600)
    assert set(states) == {"pending", "failed"}
    assert states[-1] == "failed"
    assert found(alice, "riddle") == [id]


@pytest.mark.requirement("notes.store.embedding-status-values", "notes.search.semantic-leg")
def test_an_embedded_entry_is_ready_and_found_by_meaning(premises: Premises, alice: Caller) -> None:
    id = stored_id(alice, title="Anything", body=near(90))
    assert search(alice, "unshared") == []
    assert entry(alice, id)["embeddingStatus"] == "pending"
    premises.embed()
    assert entry(alice, id)["embeddingStatus"] == "ready"
    assert found(alice, "unshared") == [id]
