"""What the surface offers, to whom, and in which shape."""

from __future__ import annotations

import re
from typing import Any

import pytest
from mcp_types import TextContent

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.registry.steps import (
    ANY,
    CONTRIBUTE_KNOWLEDGE,
    CONTRIBUTE_SKILL,
    REPUTATION,
    SEARCH_KNOWLEDGE,
    SEARCH_SKILL,
    TOOLS,
    VALIDATE,
    contribute,
    contribute_skill,
    refusal,
    reputation,
    skills,
    units,
    validate,
)
from tests.unit.registry.samples import skill_text, thorough_skill, trace

_SNAKE = re.compile(r"[a-z]+(_[a-z]+)*")


@pytest.mark.requirement("registry.surface.six-tools-listed")
def test_the_six_tools_are_listed(alice: Caller) -> None:
    tools = alice.tools()
    assert [name for name in tools if name.startswith("kp_")] == list(TOOLS)
    assert all(tools[name].description and tools[name].title for name in TOOLS)
    hints = [bool(tools[name].annotations.read_only_hint) for name in TOOLS]
    assert hints == [True, True, False, False, False, True]


@pytest.mark.requirement(
    "registry.surface.required-arguments-declared",
    "registry.surface.optional-arguments-declared",
    "registry.surface.snake-case",
)
@pytest.mark.parametrize(
    ("tool", "required", "optional"),
    [
        (SEARCH_SKILL, ["query"], "domain tags min_quality limit"),
        (SEARCH_KNOWLEDGE, ["query"], "types domain min_quality limit schema_version"),
        (CONTRIBUTE_SKILL, ["skill_md_content"], "visibility"),
        (CONTRIBUTE_KNOWLEDGE, ["unit", "visibility"], ""),
        (VALIDATE, ["unit_id", "valid"], "feedback"),
        (REPUTATION, ["agent_id"], ""),
    ],
)
def test_arguments_are_declared(
    alice: Caller, tool: str, required: list[str], optional: str
) -> None:
    schema = alice.tools()[tool].input_schema
    assert schema["required"] == required
    assert list(schema["properties"]) == [*required, *optional.split()]
    assert schema["additionalProperties"] is False
    assert "$ref" not in str(schema)
    assert all(_SNAKE.fullmatch(name) for name in schema["properties"])


@pytest.mark.requirement("registry.surface.optional-arguments-declared")
def test_bounds_defaults_and_choices_are_declared(alice: Caller) -> None:
    tools = alice.tools()
    skill = tools[SEARCH_SKILL].input_schema["properties"]
    unit = tools[SEARCH_KNOWLEDGE].input_schema["properties"]
    bounds = [(p["limit"]["minimum"], p["limit"]["maximum"]) for p in (skill, unit)]
    assert bounds == [(1, 20), (1, 10)]
    assert [p["limit"]["default"] for p in (skill, unit)] == [5, 5]
    assert [p["min_quality"]["default"] for p in (skill, unit)] == [0.7, 0.75]
    types = ["ReasoningTrace", "ToolCallPattern", "ExpertSOP"]
    assert unit["types"]["items"]["enum"] == types
    for tool in (CONTRIBUTE_SKILL, CONTRIBUTE_KNOWLEDGE):
        visibility = tools[tool].input_schema["properties"]["visibility"]
        assert visibility["enum"] == ["private", "org", "network"]
    for tool in TOOLS:
        assert tools[tool].output_schema["type"] == "object"


def names_in(document: Any) -> set[str]:
    if isinstance(document, list):
        return {name for item in document for name in names_in(item)}
    return set(document) if isinstance(document, dict) else set()


@pytest.mark.requirement(
    "registry.surface.one-text-block",
    "registry.surface.bare-results",
    "registry.surface.snake-case",
    "registry.search-skill.array",
    "registry.search-knowledge.array",
)
def test_answers_are_bare_and_in_one_block(alice: Caller) -> None:
    """The client checks every structured answer against the declared schema."""
    contribute_skill(alice, thorough_skill("Leak hunting"))
    contribute_skill(alice, thorough_skill("Leak mending"))
    unit = contribute(alice, trace("Find the leak"))
    for tool, arguments in (
        (SEARCH_SKILL, {"query": "leak"}),
        (SEARCH_KNOWLEDGE, {"query": "leak", **ANY}),
        (REPUTATION, {"agent_id": "alice"}),
        (VALIDATE, {"unit_id": unit["id"], "valid": True}),
    ):
        result = alice.ask(tool, **arguments)
        assert len(result.content) == 1
        assert isinstance(result.content[0], TextContent)
        document: Any = alice.call(tool, **arguments)
        assert isinstance(document, list) == (tool in (SEARCH_SKILL, SEARCH_KNOWLEDGE))
        names = names_in(document)
        assert names
        assert not names & {"success", "data", "result"}
        assert all(_SNAKE.fullmatch(name) for name in names)
    assert len(skills(alice, "leak")) == 2


@pytest.mark.requirement("registry.surface.write-scope")
def test_writing_needs_its_scope(premises: Premises, alice: Caller) -> None:
    unit = contribute(alice, trace("Find the leak"))
    before = premises.count()
    reader = premises.caller("rita", scopes="knowledge:read")
    for tool, arguments in (
        (CONTRIBUTE_SKILL, {"skill_md_content": skill_text()}),
        (CONTRIBUTE_KNOWLEDGE, {"unit": trace(), "visibility": "org"}),
        (VALIDATE, {"unit_id": unit["id"], "valid": False}),
    ):
        assert refusal(reader, tool, **arguments)["code"] == "auth.insufficient_scope"
    assert premises.count() == before
    assert skills(reader, "review") == []
    assert units(reader, "leak", **ANY) != []
    assert reputation(reader, "rita") == {"score": 0, "contributions": 0}
    writer = premises.caller("will", scopes="knowledge:write")
    assert refusal(writer, SEARCH_SKILL, query="x")["code"] == "auth.insufficient_scope"
    assert validate(alice, unit["id"]) == {"validated": True}
