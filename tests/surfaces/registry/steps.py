"""What tests of the registry do again and again, through a client."""

from __future__ import annotations

import json
from typing import Any

from mcp_types import TextContent

from tests.surfaces.clients import Caller, Premises
from tests.unit.registry.samples import metadata, skill_text, thorough_skill, trace

SEARCH_SKILL, SEARCH_KNOWLEDGE = "kp_search_skill", "kp_search_knowledge"
CONTRIBUTE_SKILL, CONTRIBUTE_KNOWLEDGE = "kp_contribute_skill", "kp_contribute_knowledge"
VALIDATE, REPUTATION = "kp_validate_unit", "kp_reputation_query"
TOOLS = (
    SEARCH_SKILL,
    SEARCH_KNOWLEDGE,
    CONTRIBUTE_SKILL,
    CONTRIBUTE_KNOWLEDGE,
    VALIDATE,
    REPUTATION,
)
INVALID = "validation.invalid_argument"
ANY = {"min_quality": 0}

Shown = dict[str, Any]


def contribute_skill(caller: Caller, text: str, **given: Any) -> str:
    return str(caller.call(CONTRIBUTE_SKILL, skill_md_content=text, **given)["id"])


def contribute(caller: Caller, unit: Shown, visibility: str = "network") -> Shown:
    return caller.call(CONTRIBUTE_KNOWLEDGE, unit=unit, visibility=visibility)


def contributed_id(caller: Caller, unit: Shown, visibility: str = "network") -> str:
    return str(contribute(caller, unit, visibility)["id"])


def skills(caller: Caller, query: str, **given: Any) -> list[Shown]:
    return answered(caller, SEARCH_SKILL, query=query, **given)


def units(caller: Caller, query: str, **given: Any) -> list[Shown]:
    return answered(caller, SEARCH_KNOWLEDGE, query=query, **given)


def answered(caller: Caller, tool: str, **given: Any) -> list[Shown]:
    """The array that a search answers with."""
    found: Any = caller.call(tool, **given)
    assert isinstance(found, list)
    return found


def ids(found: list[Shown]) -> list[str]:
    return [one["id"] for one in found]


def refusal(caller: Caller, tool: str, **given: Any) -> Shown:
    """The whole error of a call that must fail."""
    result = caller.ask(tool, **given)
    (content,) = result.content
    assert isinstance(content, TextContent)
    document: Shown = json.loads(content.text)
    assert result.is_error, document
    assert result.structured_content == document
    assert isinstance(document["error"], str)
    assert document["error"]
    return document


def refuse(caller: Caller, tool: str, argument: str, **given: Any) -> None:
    """The call must be refused for this argument, by its name."""
    error = refusal(caller, tool, **given)
    assert error["code"] == INVALID, error
    assert argument in error["error"], error
    assert argument in {issue["path"][0] for issue in error["issues"]}, error


def faults(caller: Caller, unit: Shown) -> list[tuple[str | int, ...]]:
    """Where a unit that must be refused is at fault."""
    error = refusal(caller, CONTRIBUTE_KNOWLEDGE, unit=unit, visibility="org")
    assert error["code"] == INVALID, error
    assert all(issue.keys() == {"path", "message"} for issue in error["issues"])
    return [tuple(issue["path"]) for issue in error["issues"]]


def validate(caller: Caller, unit_id: str, valid: bool = True, **given: Any) -> Shown:
    return caller.call(VALIDATE, unit_id=unit_id, valid=valid, **given)


def reputation(caller: Caller, agent: str) -> Shown:
    return caller.call(REPUTATION, agent_id=agent)


def score(caller: Caller, agent: str) -> float:
    return float(reputation(caller, agent)["score"])


def nothing_stored(premises: Premises) -> bool:
    return premises.count() == 0


def unit_metadata(caller: Caller, unit_id: str) -> Shown:
    """As the unit is stored now."""
    (found,) = [u for u in units(caller, "pool leak", limit=10, **ANY) if u["id"] == unit_id]
    stored: Shown = found["content"]["metadata"]
    return stored


def many_skills(caller: Caller, number: int, word: str = "harvest") -> list[str]:
    return [
        contribute_skill(caller, thorough_skill(f"{word} guide {count}")) for count in range(number)
    ]


def many_units(caller: Caller, number: int, word: str = "harvest") -> list[str]:
    """Each about something else, so that none repeats another."""
    return [
        contributed_id(caller, trace(f"{word} {count} " + f"thing{count} " * 20))
        for count in range(number)
    ]


def plain_skill(name: str, description: str = "A plain description.", **given: str) -> str:
    return skill_text(name, description, **given)


def in_domain(domain: str, objective: str) -> Shown:
    return trace(objective, metadata=metadata(domain))
