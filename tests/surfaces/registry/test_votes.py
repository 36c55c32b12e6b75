"""Votes count trust, not heads: whose verdicts hide or lift a unit, for whom, and at whose cost."""

from __future__ import annotations

import pytest

from commonplace.model.actor import Actor
from commonplace.model.change import AuditQuery
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.registry.steps import ANY, contribute, contributed_id, ids, units, validate
from tests.unit.registry.samples import pattern, steps, trace

MINIMAL = steps(("thought",), ("tool_call", "observation"))


def strangers(premises: Premises, number: int, org: str = "umbrella") -> list[Caller]:
    return [premises.caller(f"m{count}", org) for count in range(number)]


@pytest.mark.requirement("registry.validate.strangers-hide-nothing")
def test_strangers_hide_a_unit_from_themselves_only(premises: Premises, alice: Caller) -> None:
    made = contributed_id(alice, trace("Harvest"))
    before = unit_metadata_of(alice, made)
    hidden_for = strangers(premises, 3)
    for caller in hidden_for:
        assert ids(units(caller, "harvest")) == [made]
        validate(caller, made, valid=False)
    for caller in (alice, premises.caller("bob"), premises.caller("zoe", "third-org")):
        assert ids(units(caller, "harvest")) == [made]
        assert ids(units(caller, "")) == [made]
    assert unit_metadata_of(alice, made) == before
    for caller in (*hidden_for, premises.caller("quiet", "umbrella")):
        assert units(caller, "harvest", **ANY) == []
        assert units(caller, "", **ANY) == []
    validate(hidden_for[0], made, valid=True)
    assert ids(units(hidden_for[0], "harvest")) == [made], "a changed verdict brings it back"


def unit_metadata_of(caller: Caller, id: str) -> float:
    (found,) = [unit for unit in units(caller, "harvest", **ANY) if unit["id"] == id]
    return float(found["quality_score"])


@pytest.mark.requirement("registry.validate.no-lift-for-others")
def test_a_crowd_lifts_its_own_unit_for_itself_only(premises: Premises, alice: Caller) -> None:
    author, *crowd = strangers(premises, 31)
    made = contribute(author, pattern("Harvest", performance=_of(0.3)))
    assert made["quality_score"] < 0.75
    for caller in crowd:
        validate(caller, made["id"])
    (lifted,) = units(author, "harvest")
    assert lifted["quality_score"] > 0.75
    assert units(alice, "harvest") == []
    (shown,) = units(alice, "harvest", **ANY)
    assert shown["quality_score"] == made["quality_score"]
    assert shown["content"]["metadata"]["quality_score"] == made["quality_score"]


def _of(rate: float) -> dict[str, float]:
    return {"avg_ms": 1, "success_rate": rate, "uses": 5}


@pytest.mark.requirement("registry.validate.trusted-count")
def test_where_agents_are_named_only_trust_counts(open_premises: OpenPremises) -> None:
    premises = open_premises(trusted_agents="ann,ben,cleo")
    alice = premises.caller()
    made = contributed_id(alice, trace("Harvest"))
    for fresh in ("x", "y", "z"):
        validate(premises.caller(fresh), made, valid=False)
    assert ids(units(alice, "harvest")) == [made], "nobody has vouched for them"
    for named in ("ann", "ben"):
        validate(premises.caller(named), made, valid=False)
    assert ids(units(alice, "harvest", **ANY)) == [made]
    validate(premises.caller("cleo"), made, valid=False)
    assert units(alice, "harvest", **ANY) == []


@pytest.mark.requirement("registry.validate.flips-cost-their-caster")
@pytest.mark.parametrize("org", ["acme", "umbrella"])
def test_flips_are_kept_by_who_flips_and_are_no_history_of_the_unit(
    premises: Premises, alice: Caller, org: str
) -> None:
    made = contributed_id(alice, trace("Harvest " + "long " * 2000))
    flipper = premises.caller("flipper", org)
    for number in range(12):
        validate(flipper, made, valid=bool(number % 2))
        validate(flipper, made, valid=bool(number % 2))
    history = premises.application.knowledge.history(Actor("acme", "auditor"), made)
    assert [revision.operation for revision in history] == ["create"]
    for asked in ("acme", "umbrella"):
        trail = premises.application.audit.changes(Actor(asked, "auditor"), AuditQuery(limit=1000))
        told = [change for change in trail.changes if change.entity == "verdict"]
        assert len(told) == (12 if asked == org else 0), "repeating oneself says nothing new"
        assert {change.agent for change in told} <= {"flipper"}
