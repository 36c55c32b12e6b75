"""Tokens, plans and exceptions in both stores, and the key that belongs to an installation."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from commonplace.errors import Conflict
from commonplace.model.access import TokenDraft
from commonplace.model.actor import ALL_SCOPES, Actor, Scope
from commonplace.model.change import Operation
from commonplace.storage.port import Store
from tests.generate import ALICE, EVE
from tests.stores import START, Database, SteppingClock

DRAFT = TokenDraft("tok_1", "ada", "Laptop", frozenset({Scope.READ}), "digest-1", None)


def add(store: Store, actor: Actor = ALICE, draft: TokenDraft = DRAFT) -> None:
    with store.write(actor) as tx:
        tx.tokens.add(draft)


def test_a_token_is_found_by_its_digest_and_its_id_by_whoever_asks(store: Store) -> None:
    assert not store.credentials.ever_issued()
    assert store.credentials.by_digest("digest-1") is None
    add(store, draft=replace(DRAFT, scopes=ALL_SCOPES, expires_at=START + timedelta(days=9)))
    token = store.credentials.by_digest("digest-1")
    assert token is not None
    assert token == store.credentials.by_id("tok_1")
    assert (token.org, token.agent, token.name) == (ALICE.org, "ada", "Laptop")
    assert (token.scopes, token.created_by) == (ALL_SCOPES, ALICE.agent)
    assert token.expires_at == START + timedelta(days=9)
    assert "digest-1" not in repr(token)
    assert store.credentials.ever_issued()
    assert store.credentials.by_id("digest-1") is None


def test_an_org_lists_and_ends_its_own_tokens_only(store: Store) -> None:
    add(store)
    add(store, EVE, replace(DRAFT, id="tok_2", digest="digest-2"))
    with store.write(EVE) as tx:
        assert [token.id for token in tx.tokens.all()] == ["tok_2"]
        assert tx.tokens.revoke("tok_1") is None
        tx.tokens.note_use("tok_1", START + timedelta(days=99))
    token = store.credentials.by_id("tok_1")
    assert token is not None
    assert (token.revoked_at, token.last_used_at) == (None, None)


def test_an_end_is_final_and_recorded_once(store: Store) -> None:
    add(store)
    with store.write(ALICE) as tx:
        first = tx.tokens.revoke("tok_1")
    with store.write(ALICE) as tx:
        again = tx.tokens.revoke("tok_1")
        changes = [c for c in tx.changes.since(0, 100) if c.entity == "token"]
    assert first is not None
    assert first.revoked_at is not None
    assert first == again == store.credentials.by_digest("digest-1")
    assert not first.valid_at(first.revoked_at)
    assert [c.operation for c in changes] == [Operation.CREATE, Operation.DELETE]
    assert [c.before for c in changes] == [None, None]
    assert store.credentials.ever_issued(), "that one was made stays true"


def test_use_is_noted_now_and_then(store: Store, clock: SteppingClock) -> None:
    add(store)
    with store.write(ALICE) as tx:
        tx.tokens.note_use("tok_1", tx.now)
        noted = tx.now
    clock.advance(60)
    with store.write(ALICE) as tx:
        tx.tokens.note_use("tok_1", noted)
    token = store.credentials.by_id("tok_1")
    assert token is not None
    assert token.last_used_at == noted
    with store.write(ALICE) as tx:
        tx.tokens.note_use("tok_1", tx.now)
        later = tx.now
    token = store.credentials.by_id("tok_1")
    assert token is not None
    assert token.last_used_at == later > noted


def test_no_two_tokens_are_alike(store: Store) -> None:
    add(store)
    with pytest.raises(Conflict):
        add(store, EVE, replace(DRAFT, id="tok_2"))


def test_the_key_is_made_once_and_is_the_same_for_all(database: Database) -> None:
    key = database.open().credentials.server_key()
    assert len(key) == 32
    assert database.open().credentials.server_key() == key


def test_limits_come_from_exceptions_then_the_plan_then_the_default(store: Store) -> None:
    with store.write(ALICE) as tx:
        assert tx.allowances.limit("m", 7) == 7
        tx.allowances.define("free", "m", 10)
        tx.allowances.define("free", "n", None)
        tx.allowances.assign("free")
        assert (tx.allowances.limit("m", 7), tx.allowances.limit("n", 7)) == (10, None)
        tx.allowances.override("m", 20)
        assert tx.allowances.limit("m", 7) == 20
        tx.allowances.override("m", None)
        assert tx.allowances.limit("m", 7) is None
    with store.read(EVE) as tx:
        assert tx.allowances.limit("m", 7) == 7, "exceptions and plans of others are theirs"
        assert tx.allowances.of().plan is None
        assert tx.allowances.plans() == {"free": {"m": 10, "n": None}}
    with store.write(ALICE) as tx:
        assert tx.allowances.withdraw("m")
        assert not tx.allowances.withdraw("m")
        assert tx.allowances.limit("m", 7) == 10
        allowance = tx.allowances.of()
    assert (allowance.plan, allowance.overrides) == ("free", {})
    assert allowance.by_plan == {"m": 10, "n": None}


def test_a_plan_goes_only_when_nobody_is_on_it(store: Store) -> None:
    with store.write(EVE) as tx:
        tx.allowances.define("free", "m", 10)
        tx.allowances.assign("free")
    with store.write(ALICE) as tx:
        assert not tx.allowances.drop("free"), "somebody else's org is on it"
    with store.write(EVE) as tx:
        tx.allowances.assign(None)
        assert tx.allowances.drop("free")
        assert not tx.allowances.drop("free")
        assert tx.allowances.plans() == {}
