"""What clients are shown before they call anything: names, schemas, hints, and how much of it."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from mcp_types import INVALID_PARAMS

from commonplace.errors import (
    CommonplaceError,
    InsufficientScope,
    InternalError,
    NotFound,
    RateLimited,
)
from commonplace.surfaces.catalog import DEFAULT_SURFACES
from commonplace.surfaces.schema import answer_schema
from tests.transports.serving import PRODUCT, Served
from tests.transports.wire import LEGACY, MODERN, Http, request, stdio

# Characters of one tool: every client puts them all before its model.
_LARGEST_TOOL = 3_500
_LARGEST_DESCRIPTION = 200
# An opening, and a sentence or two for each dialect; memory has the words of seven tools.
_LARGEST_GREETING = 1_200
_CAPABILITIES = {"tools", "resources", "prompts", "completions"}
_HINTS = {
    "store_knowledge": {"destructiveHint": False, "openWorldHint": False},
    "search_knowledge": {"readOnlyHint": True},
    "supersede_knowledge": {
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    },
    "delete_knowledge": {"idempotentHint": True, "openWorldHint": False},
}
# What a client takes for granted where a hint is left out.
_DEFAULT_HINTS = {"readOnlyHint": False, "destructiveHint": True, "idempotentHint": False}


@pytest.fixture(params=[LEGACY, MODERN])
def tools(request: pytest.FixtureRequest, product: Served) -> dict[str, Any]:
    answer = Http(product, request.param).ask(_list())
    return {tool["name"]: tool for tool in answer["result"]["tools"]}


def _list() -> dict[str, Any]:
    return request("tools/list")


def test_each_tool_says_what_it_does_to_the_world(tools: dict[str, Any]) -> None:
    hints = {name: tool["annotations"] for name, tool in tools.items()}
    assert {name: hints[name] for name in _HINTS} == _HINTS
    for hint in hints.values():
        assert all(hint.get(name) is not default for name, default in _DEFAULT_HINTS.items())
    declared = {tool.name: tool for offered in DEFAULT_SURFACES for tool in offered.load().tools}
    for name, hint in hints.items():
        meant = {**_DEFAULT_HINTS, **hint}
        assert meant["readOnlyHint"] is declared[name].read_only
        if not declared[name].read_only:
            assert meant["destructiveHint"] is declared[name].destructive
            assert meant["idempotentHint"] is declared[name].idempotent
            assert meant["openWorldHint"] is False


def test_each_tool_is_described_shortly(tools: dict[str, Any]) -> None:
    for tool in tools.values():
        # Clients show the name where there is no title; one that spells the name is none.
        assert tool.get("title", "").lower() != tool["name"].replace("_", " ")
        assert 20 < len(tool["description"]) <= _LARGEST_DESCRIPTION


def test_schemas_are_flat_and_closed(tools: dict[str, Any]) -> None:
    for tool in tools.values():
        given = tool["inputSchema"]
        assert (given["type"], given["additionalProperties"]) == ("object", False)
        assert "outputSchema" not in tool
        assert not {"oneOf", "anyOf", "allOf", "$ref"} & given.keys()
        assert "$ref" not in json.dumps(tool)
        assert set(given.get("required", [])) <= given["properties"].keys()


@pytest.mark.parametrize(
    "error",
    [RateLimited(retry_after=3), InsufficientScope(needed="x"), NotFound(), InternalError()],
    ids=lambda error: type(error).__name__,
)
def test_failures_fit_the_schema_of_the_answer(error: CommonplaceError) -> None:
    """The official TypeScript client hides from the model what does not."""
    validate = import_module("jsonschema").validate
    for surface in (offered.load() for offered in DEFAULT_SURFACES):
        for tool in surface.tools:
            if tool.answer:
                validate(surface.fault(error), answer_schema(tool.answer))


def test_the_whole_list_is_small(tools: dict[str, Any]) -> None:
    """All together: tests/surfaces/memory/test_surface.py."""
    sizes = [len(json.dumps(tool, separators=(",", ":"))) for tool in tools.values()]
    assert max(sizes) <= _LARGEST_TOOL


def test_the_greeting_says_who_answers_and_what_for(tmp_path: Path) -> None:
    with stdio(PRODUCT, tmp_path) as server:
        greeting = server.initialize()["result"]
        assert greeting["serverInfo"]["name"] == "commonplace"
        assert greeting["serverInfo"]["title"] == "Commonplace"
        assert "search_knowledge" in greeting["instructions"]
        assert len(greeting["instructions"]) < _LARGEST_GREETING
        assert greeting["capabilities"].keys() == _CAPABILITIES
        assert not (tmp_path / "home").exists()


def test_discovery_says_the_same(product: Served) -> None:
    found = Http(product, MODERN).ask(request("server/discover"))["result"]
    assert MODERN in found["supportedVersions"]
    assert "search_knowledge" in found["instructions"]
    assert found["capabilities"].keys() == _CAPABILITIES


def test_notes_are_read_by_template_not_listed(product: Served) -> None:
    client = Http(product, MODERN)
    listed = client.ask(request("resources/list"))["result"]["resources"]
    assert not [one for one in listed if "knowledge" in one["uri"]]
    templates = client.ask(request("resources/templates/list"))["result"]["resourceTemplates"]
    shown = {template["uriTemplate"]: template["mimeType"] for template in templates}
    assert shown == {
        "commonplace://open/{id}": "text/markdown",
        "commonplace://knowledge/{id}": "application/json",
        "commonplace://skill/{id}": "text/markdown",
        "commonplace://guide/{id}": "text/markdown",
    }
    assert all(template["description"] for template in templates)


def test_skills_are_listed_and_read_as_they_are(product: Served) -> None:
    client = Http(product, MODERN)
    text = "---\nname: Listed\ndescription: A skill.\n---\n# Do it\n"
    arguments = {"skill_md_content": text, "visibility": "private"}
    made = client.ask(request("tools/call", name="kp_contribute_skill", arguments=arguments))
    uri = f"commonplace://skill/{made['result']['structuredContent']['id']}"
    listed = client.ask(request("resources/list"))["result"]["resources"]
    assert [one["name"] for one in listed if one["uri"] == uri] == ["Listed"]
    (content,) = client.ask(request("resources/read", uri=uri))["result"]["contents"]
    assert (content["mimeType"], content["text"]) == ("text/markdown", text)
    unknown = client.ask(request("resources/list", cursor="elsewhere"))
    assert unknown["error"]["code"] == INVALID_PARAMS


@pytest.mark.parametrize("revision", [LEGACY, MODERN])
def test_an_array_is_the_text_and_an_object_holds_it_in_the_structure(
    product: Served, revision: str
) -> None:
    asked = request("tools/call", name="kp_search_skill", arguments={"query": "nothing like it"})
    answer = Http(product, revision).ask(asked)["result"]
    assert json.loads(answer["content"][0]["text"]) == []
    assert answer["structuredContent"] == {"result": []}


def test_what_is_read_says_how_long_it_may_be_kept(product: Served) -> None:
    client = Http(product, MODERN)
    note = {"title": "Kept", "body": "For how long?"}
    stored = client.ask(request("tools/call", name="store_knowledge", arguments=note))
    id = stored["result"]["structuredContent"]["id"]
    read = client.ask(request("resources/read", uri=f"commonplace://knowledge/{id}"))["result"]
    assert read["ttlMs"] >= 0
    assert read["cacheScope"] == "private"
