"""An id that was given to the wrong dialect is refused with the tool that knows it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller
from tests.surfaces.memory.home import Home

UNKNOWN = "0b6a3a3e-8f2b-4a53-9d3c-0e8b1c2d3e4f"
# A tool, its argument that takes an id, what else it needs.
TAKING_IDS: list[tuple[str, str, dict[str, Any]]] = [
    ("get_knowledge", "id", {}),
    ("update_knowledge", "id", {"summary": "x"}),
    ("delete_knowledge", "id", {}),
    ("provide_feedback", "item_id", {"action": "confirm"}),
    ("supersede_knowledge", "oldId", {"newId": UNKNOWN}),
    ("knowledge.get", "sourceId", {}),
    ("kp_validate_unit", "unit_id", {"valid": True}),
    ("pm_knowledge", "entryId",
     {"action": "record_entry", "mode": "delete", "entryType": "agent_knowledge",
      "scope": "global"}),
]  # fmt: skip
_ITEMS = {"get_knowledge", "update_knowledge", "delete_knowledge", "provide_feedback"}


@pytest.mark.requirement("memory.errors.elsewhere")
def test_every_dialect_says_where_a_thing_is(home: Home, eve: Caller) -> None:
    home.project()
    kept = {
        "supersede_knowledge": home.note(),
        "get_knowledge": home.item(),
        "kp_search_skill": home.skill(),
        "kp_search_knowledge": home.unit(),
        "knowledge.get": home.page("Manual", "# Lamp\n\nRefill it at dusk.\n"),
        "pm_knowledge": home.notebook()["entry"]["latestNote"]["id"],
    }
    for tool, argument, given in TAKING_IDS:
        for named, id in kept.items():
            own = named == tool or (named == "get_knowledge" and tool in _ITEMS)
            if own or (tool, named) == ("kp_validate_unit", "kp_search_knowledge"):
                continue
            asked = {**given, argument: id}
            told = str(home.alice.failure(tool, **asked))
            assert named in told, (tool, named, told)
            # Which tool makes ids that look so is no secret; that there is such a thing is.
            if tool != "supersede_knowledge":
                assert named not in str(eve.failure(tool, **asked)), (tool, named)


@pytest.mark.requirement("memory.errors.elsewhere")
def test_what_is_nowhere_is_not_sent_on(home: Home) -> None:
    for tool, argument, given in TAKING_IDS:
        told = home.alice.failure(tool, **{**given, argument: UNKNOWN})
        assert "This is a" not in str(told), told


@pytest.mark.requirement("memory.errors.elsewhere")
def test_resources_say_it_too(home: Home) -> None:
    refused = home.alice.read_refusal(f"commonplace://skill/{home.note()}")
    assert "supersede_knowledge" in refused.data["hint"]
    refused = home.alice.read_refusal(f"commonplace://knowledge/{home.skill()}")
    assert "kp_search_skill" in refused.data["hint"]
