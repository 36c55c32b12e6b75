"""What holds for the arguments of every tool of every dialect, on both stores."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import CallToolResult, TextContent

from commonplace.surfaces.arguments import DEEPEST
from tests.surfaces.clients import Caller

UUID, OTHER = "0b6a3a3e-8f2b-4a53-9d3c-0e8b1c2d3e4f", "1b6a3a3e-8f2b-4a53-9d3c-0e8b1c2d3e4f"
STORY = "Finally got it working! The solution was to clear the cache before the prices are read."
SKILL = "---\nname: review\ndescription: How to review a change.\n---\nRead it twice.\n"
TRACE = {
    "@type": "ReasoningTrace",
    "metadata": {"task_domain": "debugging", "success": True},
    "task": {"objective": "Find the leak."},
    "steps": [{"step_id": 0, "type": "thought", "content": "Compare two heap dumps."}],
    "outcome": {"result_summary": "A cache without a limit.", "confidence": 0.9},
}
ITEM = {
    "summary": "Cache",
    "content": "Clear it.",
    "type": "win",
    "project": "shop",
    "file_context": "cache.ts",
}
MORE = {
    "tags": ["cache"],
    "decision_rationale": "Because.",
    "alternatives_considered": ["None."],
    "related_issues": ["7"],
}
# One call of each tool and each action, with every argument that is a text or holds some.
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("recall", {"question": "cache", "tags": ["cache"], "path": "src", "author": "bob"}),
    ("remember", {"text": "Clear it.", "title": "Cache", "tags": ["cache"], "source": "a talk"}),
    ("open", {"reference": "note:1a2b3c4d5e", "section": "Cache"}),
    ("revise", {"reference": "note:1a2b3c4d5e", "action": "correct", "text": "Clear it twice."}),
    ("trace", {"symbol": "Cache", "to": "Price", "ask": "path"}),
    ("add", {"text": "Clear it.", "title": "Cache", "into": "shop"}),
    ("recent", {"since": "7d", "by": "bob"}),
    ("store_knowledge", {"title": "Cache", "body": "Clear it.", "tags": ["cache"]}),
    ("search_knowledge", {"query": "cache", "tags": ["cache"]}),
    ("supersede_knowledge", {"oldId": UUID, "newId": OTHER}),
    ("capture_knowledge", {**ITEM, **MORE}),
    ("get_knowledge", {"id": "ki-1"}),
    ("list_knowledge", {"type": "win", "project": "shop", "tags": ["cache"]}),
    ("update_knowledge", {"id": "ki-1", **ITEM, **MORE}),
    ("semantic_search", {"query": "cache", "project": "shop", "tags": ["cache"]}),
    ("generate_embeddings", {}),
    ("tiered_retrieval", {"query": "cache", "project": "shop", "tier2_options": {}}),
    ("auto_detect", {"text": STORY}),
    ("analyze_sentiment", {"text": STORY}),
    ("evaluate_confidence", {"text": STORY, "custom_weights": {}}),
    ("auto_capture", {"text": STORY}),
    ("provide_feedback", {"item_id": "ki-1", "action": "confirm", "comment": "Yes."}),
    ("record_feedback", {"id": "d", "feedback": "confirm", "confidence": 1, "factors": ["a"]}),
    ("delete_knowledge", {"id": "ki-1"}),
    ("knowledge.search", {"query": "cache", "workspaceId": "ws", "spaceId": "sp"}),
    ("knowledge.list", {"workspaceId": "ws", "spaceId": "sp"}),
    ("knowledge.get", {"sourceId": "ks_1"}),
    ("kp_search_skill", {"query": "review", "domain": "code", "tags": ["review"]}),
    ("kp_search_knowledge", {"query": "leak", "domain": "debugging", "schema_version": "1.0"}),
    ("kp_contribute_skill", {"skill_md_content": SKILL}),
    ("kp_contribute_knowledge", {"unit": TRACE, "visibility": "org"}),
    ("kp_validate_unit", {"unit_id": f"kp:trace:{UUID}", "valid": True, "feedback": "Yes."}),
    ("kp_reputation_query", {"agent_id": "bob"}),
    ("pm_knowledge", {"action": "get", "scope": "all"}),
    (
        "pm_knowledge",
        {
            "action": "update_sources",
            "scope": "global",
            "operations": [{"op": "disable", "attachmentId": "att_1", "label": None}],
        },
    ),
    (
        "pm_knowledge",
        {
            "action": "record_entry",
            "mode": "append",
            "entryType": "agent_knowledge",
            "scope": "global",
            "agentHandle": "bob",
            "title": "Cache",
            "body": "Clear it.",
            "metadata": {},
        },
    ),
    ("pm_knowledge", {"action": "ingest", "scope": "global", "resourceIds": ["res_1"]}),
    (
        "pm_knowledge",
        {
            "action": "search",
            "query": "cache",
            "languages": ["ts"],
            "symbolKinds": ["class"],
            "pathPrefixes": ["src"],
            "attachmentIds": ["att_1"],
        },
    ),
    (
        "pm_knowledge",
        {
            "action": "code_map",
            "query": "definition of Cache",
            "languages": ["ts"],
            "symbolKinds": ["class"],
            "pathPrefixes": ["src"],
        },
    ),
    ("pm_knowledge", {"action": "status"}),
    ("pm_knowledge", {"action": "help"}),
)
RECORD = {
    "action": "record_entry",
    "mode": "create",
    "entryType": "valdr_record_materialized",
    "scope": "global",
    "recordType": "task",
    "recordId": "7",
    "recordVersion": 1,
}
# Which of its arguments it needs depends on what is brought in.
NEEDS_ONE_OF_SEVERAL = "add"
UNHOLDABLE = ("a\0b", "a\ud800b")


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def nested(depth: int) -> dict[str, Any]:
    document: dict[str, Any] = {}
    for _ in range(depth - 1):
        document = {"a": document}
    return document


def with_each_text(given: dict[str, Any], odd: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The arguments once for each that is a text or holds texts, with an odd one in its place."""
    for name, value in given.items():
        if isinstance(value, str):
            yield name, {**given, name: odd}
        if isinstance(value, list) and isinstance(value[0], str):
            yield name, {**given, name: [odd]}


def test_every_tool_is_called(alice: Caller) -> None:
    assert {tool for tool, _ in CALLS} == alice.tools().keys()


def test_null_is_the_same_as_left_out(alice: Caller) -> None:
    """Many clients name every argument of a tool; one that is needed is still needed."""
    tools = alice.tools()
    for tool, given in CALLS:
        nulls = dict.fromkeys(tools[tool].input_schema["properties"])
        named, unnamed = alice.ask(tool, **{**nulls, **given}), alice.ask(tool, **given)
        assert named.is_error == unnamed.is_error, (tool, text_of(named), text_of(unnamed))
        needed = tools[tool].input_schema.get("required") or tool == NEEDS_ONE_OF_SEVERAL
        assert bool(needed) == alice.ask(tool, **nulls).is_error, tool


@pytest.mark.parametrize("odd", UNHOLDABLE, ids=["nul", "surrogate"])
def test_what_no_store_can_hold_breaks_nothing(alice: Caller, odd: str) -> None:
    """It is refused by the name of its argument, whatever the tool would do with it."""
    for tool, given in CALLS:
        for name, arguments in with_each_text(given, odd):
            answered = alice.ask(tool, **arguments)
            assert answered.is_error, (tool, name)
            assert re.search(rf"\b{name}(\.0)? has ", text_of(answered)), text_of(answered)


def test_a_name_that_cannot_be_told_is_not_told(alice: Caller) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"a\0b": 1}, "a name"),
        ({"unit": {"task": {"a\0b": 1}}}, "unit.task"),
    ]
    for given, where in wrong:
        refused = alice.ask("kp_contribute_knowledge", visibility="org", **given)
        assert refused.is_error
        assert f"{where} has a NUL" in text_of(refused)


def test_what_is_nested_too_deep_is_refused_before_anything_is_written(alice: Caller) -> None:
    """Else an answer that shows it fails after it was stored."""
    for depth in (DEEPEST + 1, 150, 200):
        refused = alice.ask("pm_knowledge", **RECORD, metadata=nested(depth))
        assert refused.is_error
        assert f"metadata may be nested at most {DEEPEST} deep." in text_of(refused)
    stored = alice.call("pm_knowledge", **RECORD, metadata=nested(DEEPEST))
    assert stored["entry"]["metadata"] == nested(DEEPEST)


@pytest.mark.parametrize("odd", ["a\0b", "a%00b", "x" * 100_000, "\u202eabc", ""])
def test_a_resource_that_cannot_be_is_not_found(alice: Caller, odd: str) -> None:
    for kind in ("knowledge", "skill"):
        refused = alice.read_refusal(f"commonplace://{kind}/{odd}")
        assert refused.data["code"] == "knowledge.not_found", refused
