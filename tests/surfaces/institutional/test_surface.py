"""What the surface offers, within which bounds, and in which envelope it answers."""

from __future__ import annotations

import json
from typing import Any

import pytest
from mcp import MCPError
from mcp_types import TextContent

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.institutional.conversation import STORY, calls, converse
from tests.surfaces.institutional.steps import (
    ALL_TOOLS,
    AUTO_CAPTURE,
    CAPTURE,
    CONFIDENCE,
    DELETE,
    DETECT,
    EMBED,
    GET,
    LIST,
    MINIMAL,
    NOT_FOUND,
    PROVIDE,
    RECORD,
    SEARCH,
    SENTIMENT,
    TEXT_TOOLS,
    TIERED,
    UNKNOWN_ID,
    UPDATE,
    capture,
    failure,
    found,
    page,
    refuse,
    search,
)
from tests.surfaces.nearness import near

READ, WRITE = "knowledge:read", "knowledge:write"
WRITING = frozenset({CAPTURE, UPDATE, DELETE, EMBED, AUTO_CAPTURE, PROVIDE, RECORD})
INVALID_PARAMS = -32602
CAPTURE_OPTIONS = "tags decision_rationale alternatives_considered solution_verified related_issues"
CUT = "max_content_chars"
TIER_OPTIONS = "tier1 tier2 tier3 tier4 token_budget diversify tier2_options tier3_options"
# Required arguments, then the others; `id` of capture, `updated_at` of update and
# `max_content_chars` are our own.
ARGUMENTS = {
    CAPTURE: ("summary content type project file_context", f"{CAPTURE_OPTIONS} id {CUT}"),
    GET: ("id", ""),
    LIST: ("", "type project tags limit offset"),
    UPDATE: (
        "id",
        f"summary content type project file_context {CAPTURE_OPTIONS} updated_at {CUT}",
    ),
    DELETE: ("id", ""),
    SEARCH: ("query", f"limit threshold type project tags {CUT}"),
    EMBED: ("", "force batch_size"),
    TIERED: ("query", f"project {TIER_OPTIONS} {CUT}"),
    DETECT: ("text", "require_both"),
    SENTIMENT: ("text", "detect_shifts min_delta"),
    CONFIDENCE: ("text", "preset custom_weights"),
    AUTO_CAPTURE: ("text", "threshold auto_save notify preset max_captures"),
    PROVIDE: ("item_id action", "comment"),
    RECORD: ("id feedback confidence", "factors"),
}
WITHIN = [
    (TIERED, "tier2_options", "limit threshold tags"),
    (TIERED, "tier3_options", "boost_factor"),
    (CONFIDENCE, "custom_weights", "pattern sentiment textLength structure"),
]
DEFAULTS: dict[str, dict[str, Any]] = {
    LIST: {"limit": 10, "offset": 0},
    SEARCH: {"limit": 5, "threshold": 0},
    EMBED: {"force": False, "batch_size": 50},
    TIERED: {
        "tier1": True,
        "tier2": True,
        "tier3": False,
        "tier4": True,
        "token_budget": 8000,
        "diversify": "type",
    },
    DETECT: {"require_both": False},
    SENTIMENT: {"detect_shifts": True, "min_delta": 0.3},
    AUTO_CAPTURE: {"auto_save": False, "notify": True, "max_captures": 5},
}
ITEM = {"id": UNKNOWN_ID}
SAID = {"id": "detect-123", "feedback": "confirm", "confidence": 0.85}
TEN, FIFTY = "0123456789", STORY[:50]
# Tool, what else the call needs, argument, values at its bounds, values just beyond them.
BOUNDS: list[tuple[str, dict[str, Any], str, list[Any], list[Any]]] = [
    *[(CAPTURE, MINIMAL, name, ["x"], [""]) for name in MINIMAL if name != "type"],
    (GET, {}, "id", [UNKNOWN_ID], [""]),
    (LIST, {}, "limit", [1, 100], [0, 101]),
    (LIST, {}, "offset", [0, 1_000_000], [-1]),
    (UPDATE, ITEM, "summary", ["x"], [""]),
    (SEARCH, {}, "query", ["x"], [""]),
    (SEARCH, {"query": "x"}, "limit", [1, 20], [0, 21]),
    (SEARCH, {"query": "x"}, "threshold", [0, 0.5, 1], [-0.01, 1.01]),
    (EMBED, {}, "batch_size", [1, 100], [0, 101]),
    (TIERED, {"query": "x"}, "token_budget", [1], [0, -1]),
    (TIERED, {"query": "x"}, "diversify", ["type", "project", "both", "none"], ["all"]),
    (DETECT, {}, "text", [TEN], [TEN[:9]]),
    (SENTIMENT, {}, "text", ["x"], [""]),
    (SENTIMENT, {"text": "x"}, "min_delta", [0], [-0.1]),
    (CONFIDENCE, {}, "text", ["x"], [""]),
    (CONFIDENCE, {"text": "x"}, "preset", ["conservative", "moderate", "aggressive"], ["bold"]),
    (AUTO_CAPTURE, {}, "text", [FIFTY], [FIFTY[:49]]),
    (AUTO_CAPTURE, {"text": STORY}, "threshold", [0, 1], [-0.1, 1.1]),
    (AUTO_CAPTURE, {"text": STORY}, "max_captures", [1, 10], [0, 11]),
    (PROVIDE, {"item_id": UNKNOWN_ID}, "action", ["confirm"], ["agree"]),
    (RECORD, SAID, "confidence", [0, 1], [-0.1, 1.1]),
    (DELETE, {}, "id", [UNKNOWN_ID], [""]),
]


@pytest.mark.requirement("institutional.tools.all-listed")
def test_the_fourteen_tools_are_listed(alice: Caller) -> None:
    tools = alice.tools()
    assert tools.keys() >= ALL_TOOLS
    assert len(ALL_TOOLS) == 14
    for name in ALL_TOOLS:
        assert tools[name].description
        assert bool(tools[name].annotations.read_only_hint) is (name not in WRITING), name


@pytest.mark.requirement("institutional.tools.schemas-name-arguments")
def test_arguments_are_declared(alice: Caller) -> None:
    tools = alice.tools()
    for tool, names in ARGUMENTS.items():
        required, optional = (part.split() for part in names)
        schema = tools[tool].input_schema
        assert schema.get("required", []) == required, tool
        assert list(schema["properties"]) == [*required, *optional], tool
        assert schema["additionalProperties"] is False, tool
        assert "$ref" not in str(schema), tool


@pytest.mark.requirement("institutional.tools.schemas-name-arguments")
def test_arguments_within_arguments_are_declared(alice: Caller) -> None:
    tools = alice.tools()
    for tool, argument, names in WITHIN:
        schema = tools[tool].input_schema["properties"][argument]
        assert list(schema["properties"]) == names.split()
        assert not schema.get("required")
        assert schema["additionalProperties"] is False


@pytest.mark.requirement(
    "institutional.tools.success-envelope", "institutional.tools.extra-fields-allowed"
)
def test_every_tool_answers_in_its_envelope(alice: Caller) -> None:
    assert converse(alice, UNKNOWN_ID) == ALL_TOOLS


@pytest.mark.requirement("institutional.tools.one-text-block")
def test_an_answer_is_one_block_of_text(alice: Caller) -> None:
    for tool, given, _ in calls(UNKNOWN_ID):
        (block,) = alice.ask(tool, **given).content
        assert isinstance(block, TextContent)
        if tool not in TEXT_TOOLS:
            assert json.loads(block.text)["success"] is True
            assert block.text[0] + block.text[-1] == "{}"


@pytest.mark.requirement("institutional.tools.unknown-tool")
@pytest.mark.parametrize("name", ["forget_knowledge", "Capture_Knowledge", ""])
def test_a_tool_that_does_not_exist_is_a_protocol_error(alice: Caller, name: str) -> None:
    with pytest.raises(MCPError) as refused:
        alice.ask(name)
    assert refused.value.code == INVALID_PARAMS


@pytest.mark.requirement("institutional.tools.logical-failure-not-iserror")
def test_a_failure_is_marked_as_one_and_keeps_its_envelope(alice: Caller) -> None:
    missing = alice.ask(GET, id=UNKNOWN_ID)
    invalid = alice.ask(GET)
    assert missing.is_error
    assert invalid.is_error
    assert missing.structured_content == {
        "success": False,
        "error": NOT_FOUND,
        "code": "knowledge.not_found",
    }
    assert invalid.structured_content is not None
    assert invalid.structured_content["success"] is False


@pytest.mark.requirement("institutional.tools.limits-and-defaults-applied")
def test_defaults_are_declared(alice: Caller) -> None:
    tools = alice.tools()
    for tool, expected in DEFAULTS.items():
        declared = tools[tool].input_schema["properties"]
        assert {name: declared[name]["default"] for name in expected} == expected


@pytest.mark.requirement("institutional.tools.limits-and-defaults-applied")
def test_bounds_are_kept(alice: Caller) -> None:
    for tool, given, argument, taken, refused in BOUNDS:
        for value in refused:
            refuse(alice, tool, argument, **{**given, argument: value})
        for value in taken:
            # The item may be missing; the argument is good all the same.
            answer = alice.ask(tool, **{**given, argument: value})
            missing = NOT_FOUND in str(answer.structured_content)
            assert missing or not answer.is_error, (tool, argument, value)


@pytest.mark.requirement("institutional.tools.limits-and-defaults-applied")
def test_defaults_are_in_force(alice: Caller) -> None:
    for number in range(11):
        capture(alice, summary=f"Item {number}", content=near(number))
    assert len(found(alice, "anything")) == 5
    assert len(page(alice)["items"]) == 10
    assert [hit["similarity"] for hit in search(alice, "x", limit=20)][-1] == 0


@pytest.mark.requirement("institutional.errors.shape")
def test_each_tool_needs_its_scope(premises: Premises) -> None:
    """It is asked for before the arguments are looked at."""
    callers = {scope: premises.caller(scopes=scope) for scope in (READ, WRITE)}
    for tool in ALL_TOOLS:
        needed, other = (WRITE, READ) if tool in WRITING else (READ, WRITE)
        answer = failure(callers[other], tool, nonsense=1)
        assert answer["code"] == "auth.insufficient_scope", tool
        assert needed in answer["error"]
        refuse(callers[needed], tool, "nonsense", nonsense=1)


@pytest.mark.requirement("institutional.tools.limits-and-defaults-applied")
def test_bounds_and_defaults_are_declared(alice: Caller) -> None:
    tools = alice.tools()
    declared = {
        ("list_knowledge", "limit"): (1, 100, 10),
        ("semantic_search", "limit"): (1, 20, 5),
        ("semantic_search", "threshold"): (0, 1, 0),
        ("generate_embeddings", "batch_size"): (1, 100, 50),
        ("auto_capture", "max_captures"): (1, 10, 5),
    }
    for (tool, argument), bounds in declared.items():
        shape = tools[tool].input_schema["properties"][argument]
        assert (shape["minimum"], shape["maximum"], shape["default"]) == bounds, (tool, argument)
