"""The quota knowledge_stored: per org and calendar month, spent only by what is stored."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.stores import START, SteppingClock
from tests.surfaces.clients import Caller
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.notes.steps import STORE, refuse, store, stored_id, supersede

EXCEEDED = "quota.exceeded"


def is_full(caller: Caller) -> bool:
    result = caller.ask(STORE, title="t", body="b")
    assert result.structured_content is not None
    return bool(result.is_error) and result.structured_content["error"]["code"] == EXCEEDED


@pytest.mark.requirement("notes.store.quota-refuses-at-limit")
@pytest.mark.parametrize("limit", [0, 1, 3])
def test_the_limit_is_the_last_that_is_stored(open_premises: OpenPremises, limit: int) -> None:
    premises = open_premises(quota_knowledge_stored=limit)
    alice = premises.caller()
    for _ in range(limit):
        store(alice)
    error = alice.refusal(STORE, title="One", body="more")
    assert (error["code"], error["resetAt"]) == (EXCEEDED, "2030-02-01T00:00:00Z")
    assert "knowledge_stored" in error["message"]
    assert premises.count() == limit


@pytest.mark.requirement("notes.store.quota-refuses-at-limit")
def test_the_limit_holds_when_many_store_at_once(open_premises: OpenPremises) -> None:
    """Counted in the transaction that stores, so nobody slips in between check and count."""
    premises = open_premises(quota_knowledge_stored=3)
    callers = [premises.caller(f"agent-{number}") for number in range(8)]
    with ThreadPoolExecutor(len(callers)) as pool:
        refused = list(pool.map(is_full, callers))
    assert (sorted(refused), premises.count()) == ([False] * 3 + [True] * 5, 3)


@pytest.mark.requirement("notes.store.quota-counts-success-only")
def test_refused_calls_cost_nothing(open_premises: OpenPremises) -> None:
    premises = open_premises(quota_knowledge_stored=2)
    alice, reader = premises.caller(), premises.caller(scopes="knowledge:read")
    for _ in range(3):
        assert reader.refusal(STORE, title="t", body="b")["code"] == "auth.insufficient_scope"
        refuse(alice, STORE, "title", title="", body="b")
        refuse(alice, STORE, "expiresAt", title="t", body="b", expiresAt="2029-01-01T00:00:00Z")
    store(alice)
    store(alice)
    for _ in range(3):
        assert is_full(alice)
    wider = open_premises(quota_knowledge_stored=3).caller()
    assert [is_full(wider) for _ in range(2)] == [False, True]


@pytest.mark.requirement("notes.store.quota-per-org")
def test_agents_of_an_org_share_its_quota(open_premises: OpenPremises) -> None:
    premises = open_premises(quota_knowledge_stored=2)
    alice, bob = premises.caller(), premises.caller("bob")
    eve = premises.caller("eve", "umbrella")
    store(alice)
    store(bob)
    assert [is_full(caller) for caller in (alice, bob, eve)] == [True, True, False]


@pytest.mark.requirement("notes.store.quota-month")
def test_the_quota_counts_per_calendar_month_in_utc(
    open_premises: OpenPremises, clock: SteppingClock
) -> None:
    alice = open_premises(quota_knowledge_stored=1).caller()
    store(alice)
    february = datetime(2030, 2, 1, tzinfo=UTC)
    clock.advance((february - START).total_seconds() - 0.001)
    assert is_full(alice)
    clock.advance(0.001)
    assert not is_full(alice)
    error: dict[str, Any] = alice.refusal(STORE, title="t", body="b")
    assert error["resetAt"] == "2030-03-01T00:00:00Z"


@pytest.mark.requirement("notes.store.quota-not-given-back")
def test_superseding_gives_nothing_back(open_premises: OpenPremises) -> None:
    alice = open_premises(quota_knowledge_stored=2).caller()
    supersede(alice, stored_id(alice), stored_id(alice))
    assert is_full(alice)


@pytest.mark.requirement("notes.store.quota-unlimited")
def test_without_a_limit_nothing_is_refused(open_premises: OpenPremises) -> None:
    premises = open_premises()
    alice = premises.caller()
    for number in range(30):
        store(alice, title=f"Note {number}")
    assert premises.count() == 30
