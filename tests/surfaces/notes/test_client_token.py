"""A clientToken makes a repeated store_knowledge harmless, for sixty seconds, for one agent."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.notes.steps import STORE, entry, found, refuse, store

TOKEN = str(uuid4())


@pytest.mark.requirement(
    "notes.store.client-token-replay", "notes.store.client-token-response-unchanged"
)
def test_a_repetition_gets_the_first_answer(
    premises: Premises, alice: Caller, clock: SteppingClock
) -> None:
    given = {"tags": ["Once"], "confidence": 12.5, "expiresAt": "2031-01-01T00:00:00Z"}
    first = store(alice, clientToken=TOKEN, **given)
    premises.embed()
    clock.advance(30)
    assert store(alice, clientToken=TOKEN, **given) == first
    assert premises.count() == 1
    assert entry(alice, first["id"])["embeddingStatus"] == "ready"


@pytest.mark.requirement("notes.store.client-token-window")
def test_a_token_is_remembered_for_sixty_seconds(
    premises: Premises, alice: Caller, clock: SteppingClock
) -> None:
    first = store(alice, clientToken=TOKEN)
    clock.advance(59.999)
    assert store(alice, clientToken=TOKEN) == first
    clock.advance(0.001)
    second = store(alice, clientToken=TOKEN)
    assert second["id"] != first["id"]
    assert second["createdAt"] == "2030-01-01T00:01:00.000Z"
    clock.advance(59.999)
    assert store(alice, clientToken=TOKEN) == second
    assert premises.count() == 2


@pytest.mark.requirement("notes.store.client-token-per-agent", "notes.store.client-token-per-org")
def test_others_may_use_the_same_token(
    premises: Premises, alice: Caller, bob: Caller, eve: Caller
) -> None:
    namesake = premises.caller("alice", "umbrella")
    callers = {"a": alice, "b": bob, "e": eve, "n": namesake}
    stored = {name: store(who, title=name, clientToken=TOKEN) for name, who in callers.items()}
    assert {name: answer["title"] for name, answer in stored.items()} == {n: n for n in callers}
    assert len({answer["id"] for answer in stored.values()}) == 4
    assert (premises.count("acme"), premises.count("umbrella")) == (2, 2)


@pytest.mark.requirement("notes.store.client-token-other-payload")
def test_another_payload_still_gets_the_first_answer(premises: Premises, alice: Caller) -> None:
    first = store(alice, title="First", body="one", clientToken=TOKEN)
    assert store(alice, title="Second", body="two", tags=["x"], clientToken=TOKEN) == first
    assert premises.count() == 1
    assert found(alice, "second") == []


@pytest.mark.requirement("notes.store.client-token-no-second-quota")
def test_a_repetition_costs_nothing(guarded: Premises) -> None:
    alice = guarded.caller()
    first = store(alice, clientToken=TOKEN)
    assert alice.refusal(STORE, title="t", body="b")["code"] == "quota.exceeded"
    assert store(alice, clientToken=TOKEN) == first


@pytest.mark.requirement("notes.store.client-token-no-second-quota")
def test_a_repetition_leaves_room_for_others(open_premises: OpenPremises) -> None:
    premises = open_premises(quota_knowledge_stored=2)
    alice = premises.caller()
    for _ in range(3):
        store(alice, clientToken=TOKEN)
    store(alice)
    assert alice.refusal(STORE, title="t", body="b")["code"] == "quota.exceeded"


@pytest.mark.requirement("notes.store.client-token-validated-first")
def test_a_repetition_must_be_valid_too(alice: Caller, clock: SteppingClock) -> None:
    soon = "2030-01-01T00:00:10Z"
    store(alice, clientToken=TOKEN, expiresAt=soon)
    refuse(alice, STORE, "title", title="", body="b", clientToken=TOKEN)
    clock.advance(10)
    refuse(alice, STORE, "expiresAt", title="t", body="b", expiresAt=soon, clientToken=TOKEN)


@pytest.mark.requirement("notes.expect.failed-token-not-remembered")
def test_a_refused_call_does_not_use_its_token_up(
    open_premises: OpenPremises, premises: Premises
) -> None:
    full = open_premises(quota_knowledge_stored=0).caller()
    refuse(full, STORE, "tags", title="t", body="b", tags=["no good"], clientToken=TOKEN)
    refuse(full, STORE, "body", title="t", body=" ", clientToken=TOKEN)
    past = {"expiresAt": "2029-01-01T00:00:00Z", "clientToken": TOKEN}
    refuse(full, STORE, "expiresAt", title="t", body="b", **past)
    error = full.refusal(STORE, title="t", body="b", clientToken=TOKEN)
    assert error["code"] == "quota.exceeded"
    assert premises.count() == 0
    stored = store(premises.caller(), title="Corrected", clientToken=TOKEN)
    assert stored["title"] == "Corrected"
    assert premises.count() == 1


@pytest.mark.requirement("notes.expect.concurrent-client-token")
def test_simultaneous_calls_store_one_entry(open_premises: OpenPremises) -> None:
    """Half of them through another process's view of the store."""
    houses = [open_premises(quota_knowledge_stored=5) for _ in range(2)]
    callers = [house.caller() for house in houses for _ in range(4)]
    for stored_so_far in range(1, 6):
        answers = at_once(callers, str(uuid4()))
        assert all(answer == answers[0] for answer in answers)
        assert houses[0].count() == stored_so_far


def at_once(callers: list[Caller], token: str) -> list[dict[str, Any]]:
    with ThreadPoolExecutor(len(callers)) as pool:
        return list(pool.map(lambda caller: store(caller, clientToken=token), callers))
