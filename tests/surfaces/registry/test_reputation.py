"""What a reputation is made of, where one part of it decides."""

from __future__ import annotations

import pytest

from tests.surfaces.clients import Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.registry.steps import (
    contribute_skill,
    contributed_id,
    many_units,
    score,
    validate,
)
from tests.unit.registry.samples import thorough_skill, trace


@pytest.mark.requirement("registry.reputation.trust-is-taken-away")
def test_who_was_found_wrong_passes_no_trust_on(open_premises: OpenPremises) -> None:
    """The seed finds one unit of alice good; two found bad take back what that lent."""
    premises = open_premises(trusted_agents="seed")
    alice, seed = premises.caller(), premises.caller("seed")
    made = contributed_id(premises.caller("carl"), trace("Mend the fence"))
    good, *bad = many_units(alice, 3)
    validate(seed, good)
    before = score(seed, "carl")
    validate(alice, made)
    lent = score(seed, "carl")
    assert lent > before + 0.01, "alice has the seed's trust, and carl alice's word"
    for unit in bad:
        validate(seed, unit, valid=False)
    assert score(seed, "carl") == pytest.approx(before, abs=0.001)


@pytest.mark.requirement("registry.reputation.versions-count-little")
def test_a_version_earns_a_tenth_of_a_new_skill(premises: Premises) -> None:
    once, again, several = (premises.caller(name) for name in ("once", "again", "several"))
    contribute_skill(once, thorough_skill("Harvest"))
    for number in range(5):
        contribute_skill(again, thorough_skill("Harvest", description=f"Version {number} of it."))
        contribute_skill(several, thorough_skill(f"Harvest {number}"))
    first, versions, skills = (score(once, name) for name in ("once", "again", "several"))
    assert first < versions < skills
    assert versions - first < (skills - first) / 5


@pytest.mark.requirement("registry.reputation.score-rises")
def test_a_verdict_that_trusted_validators_contradict_lowers_the_score(premises: Premises) -> None:
    author, judge = premises.caller("dora"), premises.caller("judge")
    peers = [premises.caller("ann"), premises.caller("ben")]
    good, poor, worse = many_units(author, 3)
    for unit, valid in ((good, True), (poor, False), (worse, False)):
        for peer in peers:
            validate(peer, unit, valid=valid)
    validate(judge, good)
    before = score(author, "judge")
    validate(judge, poor, valid=False)
    agreeing = score(author, "judge")
    assert agreeing > before
    validate(judge, worse)
    assert 0 < score(author, "judge") < agreeing
