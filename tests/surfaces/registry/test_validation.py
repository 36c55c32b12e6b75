"""kp_validate_unit and kp_reputation_query: verdicts, what they do, and whom they make trusted."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.registry.steps import (
    ANY,
    REPUTATION,
    VALIDATE,
    contribute,
    contribute_skill,
    contributed_id,
    ids,
    many_units,
    plain_skill,
    refusal,
    refuse,
    reputation,
    score,
    unit_metadata,
    units,
    validate,
)
from tests.unit.registry.samples import metadata, pattern, sop, trace

NOT_FOUND = "knowledge.not_found"


@pytest.mark.requirement(
    "registry.validate.unit-id-required",
    "registry.validate.unit-id-type",
    "registry.validate.valid-required",
    "registry.validate.valid-type",
    "registry.validate.feedback-type",
)
def test_wrong_arguments_record_no_verdict(alice: Caller, bob: Caller) -> None:
    made = contributed_id(alice, trace())
    refuse(bob, VALIDATE, "unit_id", valid=True)
    refuse(bob, VALIDATE, "valid", unit_id=made)
    for unit_id in (7, None, [made]):
        refuse(bob, VALIDATE, "unit_id", unit_id=unit_id, valid=True)
    wrong: list[Any] = ["maybe", [], None, 1, "true"]
    for valid in wrong:
        refuse(bob, VALIDATE, "valid", unit_id=made, valid=valid)
    for feedback in (7, ["x"], {"a": 1}):
        refuse(bob, VALIDATE, "feedback", unit_id=made, valid=True, feedback=feedback)
    assert "validated_by" not in unit_metadata(alice, made)
    assert score(bob, "bob") == 0


@pytest.mark.requirement(
    "registry.validate.both-verdicts",
    "registry.validate.feedback-optional",
    "registry.validate.confirms",
    "registry.validate.every-type",
)
def test_a_verdict_is_confirmed(alice: Caller, bob: Caller) -> None:
    for unit in (trace(), pattern(), sop()):
        made = contributed_id(alice, unit)
        for valid in (True, False):
            assert validate(bob, made, valid=valid) == {"validated": True}
            assert validate(bob, made, valid=valid, feedback="I tried it.") == {"validated": True}


@pytest.mark.requirement(
    "registry.validate.unknown-unit", "registry.expect.hidden-unit-not-validated"
)
def test_what_cannot_be_seen_is_unknown(
    premises: Premises, alice: Caller, bob: Caller, eve: Caller
) -> None:
    private = contributed_id(alice, trace("One"), "private")
    orgs = contributed_id(alice, trace("Two"), "org")
    skill = contribute_skill(alice, plain_skill("Three"))
    unknown = refusal(bob, VALIDATE, unit_id="kp:trace:unknown", valid=True)
    assert unknown["code"] == NOT_FOUND
    assert refusal(bob, VALIDATE, unit_id=private, valid=True) == unknown
    assert refusal(eve, VALIDATE, unit_id=orgs, valid=True) == unknown
    seen = {"hint": "This is a skill: kp_search_skill finds it."}
    assert refusal(bob, VALIDATE, unit_id=skill, valid=True) == unknown | seen
    assert score(bob, "bob") == 0


@pytest.mark.requirement(
    "registry.validate.recorded",
    "registry.validate.one-verdict-each",
    "registry.contribute-knowledge.score-overwrites",
)
def test_a_validator_has_one_live_verdict(alice: Caller, bob: Caller, eve: Caller) -> None:
    made = contribute(alice, trace())
    before = made["quality_score"]
    for _ in range(3):
        validate(bob, made["id"])
    once = unit_metadata(alice, made["id"])
    assert once["validated_by"] == ["kp:validator:bob"]
    assert once["quality_score"] > before
    validate(eve, made["id"])
    both = unit_metadata(alice, made["id"])
    assert both["validated_by"] == ["kp:validator:bob", "kp:validator:eve"]
    assert both["quality_score"] == once["quality_score"], "a stranger moves nothing"
    validate(bob, made["id"], valid=False)
    changed = unit_metadata(alice, made["id"])
    assert changed["validated_by"] == ["kp:validator:eve"]
    assert changed["quality_score"] < before
    validate(eve, made["id"], valid=False)
    assert "validated_by" not in unit_metadata(alice, made["id"])


@pytest.mark.requirement(
    "registry.validate.quarantine",
    "registry.validate.one-verdict-each",
    "registry.search-knowledge.quarantined-hidden",
)
def test_three_agents_set_a_unit_aside(premises: Premises, alice: Caller, bob: Caller) -> None:
    made = contributed_id(alice, trace("Harvest"))
    callers = [bob, premises.caller("carl"), premises.caller("dora")]
    for caller in callers[:2]:
        for _ in range(3):
            validate(caller, made, valid=False)
    assert ids(units(alice, "harvest")) == [made], "two are not enough, however often they say it"
    validate(callers[2], made, valid=False, feedback="It cannot work.")
    for caller in (alice, *callers):
        for given in ({}, ANY, {"types": ["ReasoningTrace"]}, {"domain": "code-review"}):
            assert units(caller, "harvest", **given) == []
        assert units(caller, "", **ANY) == []
    validate(callers[0], made, valid=True)
    assert ids(units(alice, "harvest", **ANY)) == [made], "a changed verdict brings it back"


@pytest.mark.requirement("registry.validate.self-not-counted")
def test_an_own_verdict_does_not_count(premises: Premises, alice: Caller, bob: Caller) -> None:
    made = contributed_id(alice, trace("Find the pool leak", metadata=metadata(agent_id="bob")))
    before = [reputation(alice, name) for name in ("alice", "bob")]
    for author in (alice, bob):
        assert validate(author, made) == {"validated": True}
        assert validate(author, made, valid=False) == {"validated": True}
    assert [reputation(alice, name) for name in ("alice", "bob")] == before
    assert "validated_by" not in unit_metadata(alice, made)
    for other in ("carl", "dora"):
        validate(premises.caller(other), made, valid=False)
    assert ids(units(alice, "pool", **ANY)) == [made]


@pytest.mark.requirement(
    "registry.reputation.agent-id-required",
    "registry.reputation.agent-id-type",
    "registry.reputation.unknown-agent",
    "registry.reputation.fields",
)
def test_an_agent_nobody_knows(alice: Caller) -> None:
    refuse(alice, REPUTATION, "agent_id")
    for value in (7, None, ["alice"]):
        refuse(alice, REPUTATION, "agent_id", agent_id=value)
    for unknown in ("nobody", "", "alice"):
        assert reputation(alice, unknown) == {"score": 0, "contributions": 0}


@pytest.mark.requirement(
    "registry.reputation.fields",
    "registry.reputation.contributions-counted",
    "registry.reputation.contributions-only",
    "registry.reputation.score-rises",
)
def test_contributions_are_counted_and_raise_the_score(alice: Caller, bob: Caller) -> None:
    made = contributed_id(alice, trace())
    scores = [score(alice, "alice")]
    assert reputation(bob, "alice")["contributions"] == 1
    contribute_skill(alice, plain_skill("Harvest"))
    scores.append(score(alice, "alice"))
    contribute(alice, pattern())
    assert reputation(bob, "alice").keys() == {"score", "contributions"}
    assert reputation(bob, "alice")["contributions"] == 3
    scores.append(score(alice, "alice"))
    validate(bob, made)
    scores.append(score(alice, "alice"))
    assert scores == sorted(set(scores))
    assert reputation(alice, "bob")["contributions"] == 0
    assert 0 < score(alice, "bob") < scores[0]


@pytest.mark.requirement("registry.reputation.score-weights")
def test_a_unit_counts_more_than_a_skill_and_a_skill_more_than_a_verdict(
    premises: Premises, alice: Caller
) -> None:
    made = contributed_id(alice, trace())
    unit, skill, verdict = (premises.caller(name) for name in ("u", "s", "v"))
    contribute(unit, trace())
    contribute_skill(skill, plain_skill("Harvest"))
    validate(verdict, made)
    assert score(alice, "u") > score(alice, "s") > score(alice, "v") > 0


@pytest.mark.requirement("registry.reputation.score-range")
def test_the_score_stays_below_one(premises: Premises, alice: Caller, bob: Caller) -> None:
    for made in many_units(alice, 15):
        validate(bob, made)
    assert 0 < score(alice, "alice") <= 1
    assert 0 < score(alice, "bob") <= 1


@pytest.mark.requirement(
    "registry.reputation.agent-identity", "registry.expect.named-agent-gives-no-access"
)
def test_credit_goes_to_the_named_agent_and_gives_no_access(
    premises: Premises, alice: Caller, bob: Caller
) -> None:
    contribute(alice, trace("One", metadata=metadata(agent_id="bob")), "org")
    assert reputation(alice, "bob")["contributions"] == 1
    assert reputation(alice, "alice")["contributions"] == 0
    contribute(alice, trace("Two"))
    assert reputation(bob, "alice")["contributions"] == 1
    nameless = premises.caller(" ", "acme")
    contribute(nameless, trace("Three"))
    assert reputation(alice, "anonymous")["contributions"] == 1
    hidden = contributed_id(bob, trace("Secret harvest"), "private")
    spy = contribute(alice, trace("Harvest spy", metadata=metadata(agent_id="bob")), "private")
    assert ids(units(alice, "harvest", **ANY)) == [spy["id"]]
    assert ids(units(bob, "harvest", **ANY)) == [hidden]


@pytest.mark.requirement("registry.reputation.agent-identity")
def test_an_agent_of_another_org_with_the_same_name_is_another(
    premises: Premises, alice: Caller, eve: Caller
) -> None:
    contribute(alice, trace("One"))
    impostor = premises.caller("alice", "umbrella")
    for number in range(3):
        contribute(impostor, pattern(f"Other {number}"))
    assert reputation(alice, "alice")["contributions"] == 1
    assert reputation(eve, "alice")["contributions"] == 3
    third = premises.caller("zoe", "third-org")
    assert reputation(third, "alice")["contributions"] in (1, 3)


@pytest.mark.requirement("registry.reputation.score-rises")
def test_trust_starts_from_the_agents_that_were_named(open_premises: OpenPremises) -> None:
    premises = open_premises(trusted_agents="seed")
    alice, bob, seed = (premises.caller(name) for name in ("alice", "bob", "seed"))
    made = contributed_id(alice, trace())
    before = score(bob, "alice")
    validate(bob, made)
    unheard = score(bob, "alice")
    assert unheard == pytest.approx(before, abs=0.001), "nobody trusted has vouched for bob"
    validate(seed, made)
    assert score(bob, "alice") > unheard + 0.01


@pytest.mark.requirement("registry.validate.weight-of-content")
def test_what_a_unit_says_counts_as_much_as_twenty_verdicts(alice: Caller, bob: Caller) -> None:
    made = contribute(alice, trace())
    before = made["quality_score"]
    for valid, counted in ((True, 1), (False, 0)):
        validate(bob, made["id"], valid=valid)
        expected = (20 * before + counted) / 21
        after = unit_metadata(alice, made["id"])["quality_score"]
        assert after == pytest.approx(expected, abs=1e-4)
