"""Two orgs on one server, where orgs are a network and where they are not."""

from __future__ import annotations

from typing import Any

import pytest

from commonplace.settings import Settings
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.nearness import embedded_at
from tests.surfaces.processes import Processes
from tests.surfaces.registry.steps import (
    ANY,
    CONTRIBUTE_SKILL,
    contribute,
    ids,
    refusal,
    reputation,
    skills,
    units,
    validate,
)
from tests.unit.registry.samples import thorough_skill, trace

NOT_FOUND = "knowledge.not_found"


def share(alice: Caller) -> tuple[str, str]:
    """A skill without a word about visibility, and a unit for the network."""
    answer = alice.call(CONTRIBUTE_SKILL, skill_md_content=thorough_skill("Harvest vault-7"))
    return answer["id"], contribute(alice, trace("Harvest the vault"))["id"]


def sees_nothing(eve: Caller, skill: str, unit: str) -> None:
    for query in ("harvest", "vault-7", ""):
        assert skills(eve, query, **ANY) == []
        assert units(eve, query, **ANY) == []
    assert eve.resources().resources == []
    assert eve.read_refusal(f"commonplace://skill/{skill}").error.code == -32002
    assert refusal(eve, "kp_validate_unit", unit_id=unit, valid=False)["code"] == NOT_FOUND
    assert reputation(eve, "alice") == {"score": 0, "contributions": 0}
    repeated = contribute(eve, trace("Harvest the vault"), "org")
    first = contribute(eve, trace("Something else altogether, of other words"), "org")
    assert repeated["quality_score"] >= first["quality_score"] - 0.05, "novel, as far as eve knows"


def sees_both(eve: Caller, skill: str, unit: str) -> None:
    assert ids(skills(eve, "harvest", **ANY)) == [skill]
    assert unit in ids(units(eve, "harvest", **ANY))
    assert [resource.uri for resource in eve.resources().resources] == [
        f"commonplace://skill/{skill}"
    ]
    validate(eve, unit)
    assert reputation(eve, "alice")["contributions"] == 2


@pytest.mark.requirement("registry.expect.network-is-a-setting")
def test_a_switch_decides_at_once(open_premises: OpenPremises, endpoint: str) -> None:
    """Three servers on one store, one after the other: off, on, and off again."""
    given = embedded_at(endpoint)
    off = open_premises(network=False, **given)
    skill, unit = share(off.caller())
    off.embed()
    sees_nothing(off.caller("eve", "umbrella"), skill, unit)
    on = open_premises(network=True, **given)
    sees_both(on.caller("eve", "umbrella"), skill, unit)
    again = open_premises(network=False, **given)
    assert skills(again.caller("eve", "umbrella"), "harvest", **ANY) == []
    assert skill in ids(skills(again.caller("bob"), "harvest", **ANY))


@pytest.mark.requirement("registry.contribute-skill.readable-by")
@pytest.mark.parametrize(("network", "widest"), [(False, "org"), (True, "network")])
def test_the_answer_says_who_can_read_it(
    open_premises: OpenPremises, endpoint: str, network: bool, widest: str
) -> None:
    alice = open_premises(network=network, **embedded_at(endpoint)).caller()

    def told(number: int, **given: Any) -> str:
        text = thorough_skill(f"Harvest {number}")
        return str(alice.call(CONTRIBUTE_SKILL, skill_md_content=text, **given)["readable_by"])

    assert told(0) == told(1, visibility="network") == widest
    assert [told(2, visibility="org"), told(3, visibility="private")] == ["org", "private"]
    assert contribute(alice, trace("Harvest"))["readable_by"] == widest
    (shown,) = skills(alice, "harvest 0", limit=1)
    assert shown["visibility"] == "network", "what it was contributed as stays"


@pytest.mark.requirement("registry.expect.network-is-a-setting")
@pytest.mark.parametrize("network", [None, True])
def test_two_orgs_of_one_server_over_http(
    settings: Settings,
    endpoint: str,
    processes: Processes,
    premises: Premises,
    network: bool | None,
) -> None:
    """As an operator starts it: without the setting, and with it."""
    default = Settings.model_fields["network"].default
    told = settings.model_copy(update={"network": network or default, **embedded_at(endpoint)})
    server = processes.serve(told.model_copy(update={"org": "acme", "agent": "alice"}))
    alice = processes.connect(server.mcp)
    token = premises.token("eve", "umbrella")
    from tests.surfaces.clients import Address

    eve = processes.connect(Address(server.mcp.url, token))
    skill, unit = share(alice)
    (sees_both if network else sees_nothing)(eve, skill, unit)
