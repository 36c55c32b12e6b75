"""supersede_knowledge: arguments, effect, who may, and what can never become a circle."""

from __future__ import annotations

import itertools
from typing import Any
from uuid import uuid4

import pytest

from tests.stores import SteppingClock
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import (
    NOT_FOUND,
    SUPERSEDE,
    entry,
    found,
    heads,
    refuse,
    search,
    stored_id,
    supersede,
)

NOT_OWNER, CYCLE, ALREADY = "auth.not_owner", "knowledge.cycle", "knowledge.already_superseded"


def stored_ids(caller: Caller, count: int) -> list[str]:
    return [stored_id(caller, title=f"Version {n}", body=near(90)) for n in range(count)]


def refusal(caller: Caller, old: str, new: str) -> str:
    return str(caller.refusal(SUPERSEDE, oldId=old, newId=new)["code"])


@pytest.mark.requirement(
    "notes.supersede.old-id-required",
    "notes.supersede.new-id-required",
    "notes.supersede.old-id-uuid",
    "notes.supersede.new-id-uuid",
)
@pytest.mark.parametrize(("wrong", "right"), [("oldId", "newId"), ("newId", "oldId")])
def test_both_ids_must_be_uuids(alice: Caller, wrong: str, right: str) -> None:
    id = stored_id(alice)
    refuse(alice, SUPERSEDE, wrong, **{right: id})
    values: list[Any] = ["one", "", id[:-1], id.replace("-", ""), f"{{{id}}}", f"{id}\n", 7, None]
    for value in [*values, [id]]:
        refuse(alice, SUPERSEDE, wrong, **{right: id, wrong: value})
    refuse(alice, SUPERSEDE, "reason", oldId=id, newId=id, reason="x")
    assert heads(alice, id) == [None]


@pytest.mark.requirement(
    "notes.supersede.marks-old", "notes.supersede.keeps-new", "notes.supersede.history-kept"
)
def test_the_old_entry_gives_way_and_is_kept(premises: Premises, alice: Caller) -> None:
    old = stored_id(alice, title="Version one", body=f"first {near(90)}", tags=["v"])
    new = stored_id(alice, title="Version two", body=f"second {near(80)}", tags=["v"])
    premises.embed()
    before = {hit["id"]: hit for hit in search(alice, "version")}
    kept = entry(alice, old)
    supersede(alice, old, new)
    assert found(alice, "version") == found(alice, "unshared") == [new]
    after = {hit["id"]: hit for hit in search(alice, "version", includeSuperseded=True)}
    assert after == {old: {**before[old], "supersededById": new}, new: before[new]}
    changed = entry(alice, old)
    assert changed == {**kept, "supersededById": new, "updatedAt": changed["updatedAt"]}


@pytest.mark.requirement("notes.supersede.output-fields", "notes.supersede.output-ids")
def test_the_answer_names_both_and_the_head(alice: Caller) -> None:
    old, new = stored_ids(alice, 2)
    answer = supersede(alice, old.upper(), new)
    assert answer == {"oldId": old, "newId": new, "supersededById": new, "updatedCount": 1}


@pytest.mark.requirement("notes.supersede.transitive", "notes.supersede.output-updated-count")
def test_a_chain_leads_to_its_newest_entry(premises: Premises, alice: Caller) -> None:
    a, b, c = stored_ids(alice, 3)
    assert supersede(alice, a, b)["updatedCount"] == 1
    answer = supersede(alice, b, c)
    assert (answer["supersededById"], answer["updatedCount"]) == (c, 2)
    assert heads(alice, a, b, c) == [c, c, None]
    assert found(alice, "version") == [c]
    premises.embed()
    assert found(alice, "unshared") == [c]
    hits = search(alice, "version", includeSuperseded=True)
    assert {hit["id"]: hit["supersededById"] for hit in hits} == {a: c, b: c, c: None}


@pytest.mark.requirement("notes.supersede.transitive-long", "notes.supersede.output-updated-count")
def test_a_tree_leads_to_its_newest_entry(alice: Caller) -> None:
    ids = stored_ids(alice, 7)
    a, b, c, d, e, f, last = ids
    counts = [
        supersede(alice, old, new)["updatedCount"]
        for old, new in [(a, b), (c, b), (b, d), (e, f), (f, d), (d, last)]
    ]
    assert counts == [1, 1, 3, 1, 2, 6]
    assert heads(alice, *ids) == [last] * 6 + [None]
    assert found(alice, "version") == [last]


@pytest.mark.requirement("notes.supersede.new-already-superseded", "notes.supersede.output-ids")
def test_a_successor_may_be_superseded_itself(alice: Caller) -> None:
    a, b, c, before_a = stored_ids(alice, 4)
    supersede(alice, b, c)
    supersede(alice, before_a, a)
    answer = supersede(alice, a, b)
    assert answer == {"oldId": a, "newId": b, "supersededById": c, "updatedCount": 2}
    assert heads(alice, before_a, a, b, c) == [c, c, c, None]


@pytest.mark.requirement("notes.supersede.already-superseded")
def test_an_entry_has_one_successor(alice: Caller) -> None:
    a, b, c = stored_ids(alice, 3)
    supersede(alice, a, b)
    error = alice.refusal(SUPERSEDE, oldId=a, newId=c)
    assert error["code"] == ALREADY
    assert b in error["message"]
    assert heads(alice, a, b, c) == [b, None, None]


@pytest.mark.requirement("notes.supersede.already-superseded")
def test_the_direct_successor_counts_and_not_the_head(alice: Caller) -> None:
    a, b, c = stored_ids(alice, 3)
    supersede(alice, a, b)
    supersede(alice, b, c)
    assert refusal(alice, a, c) == ALREADY
    assert heads(alice, a, b, c) == [c, c, None]


@pytest.mark.requirement("notes.supersede.repeat-same", "notes.supersede.output-updated-count")
def test_a_repetition_changes_nothing(alice: Caller, clock: SteppingClock) -> None:
    a, b, c = stored_ids(alice, 3)
    supersede(alice, a, b)
    clock.advance(3600)
    shown = entry(alice, a)
    again = supersede(alice, a, b)
    assert again == {"oldId": a, "newId": b, "supersededById": b, "updatedCount": 0}
    assert entry(alice, a) == shown
    supersede(alice, b, c)
    again = supersede(alice, a, b)
    assert (again["supersededById"], again["updatedCount"]) == (c, 0)


@pytest.mark.requirement("notes.supersede.owner-of-old", "notes.supersede.owner-of-new")
def test_whoever_owns_one_of_the_two_may(alice: Caller, bob: Caller) -> None:
    mine, theirs = stored_ids(alice, 2), stored_ids(bob, 2)
    assert supersede(alice, mine[0], theirs[0])["updatedCount"] == 1
    assert supersede(alice, theirs[1], mine[1])["updatedCount"] == 1
    assert heads(bob, mine[0], theirs[1]) == [theirs[0], mine[1]]


@pytest.mark.requirement("notes.supersede.owner-of-neither")
def test_nobody_else_may(alice: Caller, bob: Caller) -> None:
    old, new = stored_ids(alice, 2)
    assert refusal(bob, old, new) == NOT_OWNER
    assert heads(alice, old, new) == [None, None]
    assert set(found(bob, "version")) == {old, new}


@pytest.mark.requirement("notes.supersede.not-found", "notes.supersede.other-org")
def test_what_cannot_be_seen_does_not_exist(alice: Caller, eve: Caller) -> None:
    mine, theirs, unknown = stored_id(alice), stored_id(eve), str(uuid4())
    answers = [
        alice.refusal(SUPERSEDE, oldId=old, newId=new)
        for old, new in [(mine, unknown), (unknown, mine), (mine, theirs), (theirs, mine)]
    ]
    assert all(answer == answers[0] for answer in answers)
    assert answers[0]["code"] == NOT_FOUND
    assert "hint" not in answers[0], "the one that is there is where it belongs"
    assert refusal(alice, theirs, theirs) == refusal(alice, unknown, unknown) == NOT_FOUND
    assert (heads(alice, mine), heads(eve, theirs)) == ([None], [None])


@pytest.mark.requirement("notes.supersede.cycle-self", "notes.supersede.cycle-code")
def test_nothing_supersedes_itself(alice: Caller) -> None:
    id = stored_id(alice, title="Version")
    assert refusal(alice, id, id) == refusal(alice, id, id.upper()) == CYCLE
    assert heads(alice, id) == [None]
    assert found(alice, "version") == [id]


@pytest.mark.requirement(
    "notes.supersede.cycle-two", "notes.supersede.cycle-long", "notes.supersede.cycle-code"
)
@pytest.mark.parametrize("length", [2, 3, 6])
def test_a_chain_cannot_lead_back(alice: Caller, length: int) -> None:
    chain = stored_ids(alice, length)
    for old, new in itertools.pairwise(chain):
        supersede(alice, old, new)
    expected = [chain[-1]] * (length - 1) + [None]
    for member in chain[:-1]:
        assert refusal(alice, chain[-1], member) == CYCLE
        assert heads(alice, *chain) == expected
    assert found(alice, "version") == [chain[-1]]
