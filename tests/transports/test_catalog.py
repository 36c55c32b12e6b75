"""What clients are shown before they call anything: names, schemas, hints, and how much of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.transports.serving import PRODUCT, Served
from tests.transports.wire import LEGACY, MODERN, Http, request, stdio

# Characters of the whole list, which every client puts before its model; about 1,000 tokens.
_LARGEST_LIST = 5_000
_LARGEST_DESCRIPTION = 200
_HINTS = {
    "store_knowledge": {"readOnlyHint": False, "destructiveHint": False, "idempotentHint": False},
    "search_knowledge": {"readOnlyHint": True},
    "supersede_knowledge": {
        "readOnlyHint": False,
        "destructiveHint": False,
        "idempotentHint": True,
    },
}


@pytest.fixture(params=[LEGACY, MODERN])
def tools(request: pytest.FixtureRequest, product: Served) -> dict[str, Any]:
    answer = Http(product, request.param).ask(_list())
    return {tool["name"]: tool for tool in answer["result"]["tools"]}


def _list() -> dict[str, Any]:
    return request("tools/list")


def test_each_tool_says_what_it_does_to_the_world(tools: dict[str, Any]) -> None:
    hints = {name: dict(tool["annotations"]) for name, tool in tools.items()}
    titles = {name: hint.pop("title") for name, hint in hints.items()}
    assert titles == {name: tool["title"] for name, tool in tools.items()}
    assert hints == {name: hint | {"openWorldHint": False} for name, hint in _HINTS.items()}


def test_each_tool_is_described_shortly(tools: dict[str, Any]) -> None:
    for tool in tools.values():
        assert tool["title"]
        assert 20 < len(tool["description"]) <= _LARGEST_DESCRIPTION


def test_schemas_are_flat_and_closed(tools: dict[str, Any]) -> None:
    for tool in tools.values():
        given, answered = tool["inputSchema"], tool["outputSchema"]
        assert (given["type"], given["additionalProperties"]) == ("object", False)
        assert answered["type"] == "object"
        assert not {"oneOf", "anyOf", "allOf", "$ref"} & given.keys()
        assert "$ref" not in json.dumps(tool)
        assert set(given["required"]) <= given["properties"].keys()


def test_the_whole_list_is_small(tools: dict[str, Any]) -> None:
    assert len(json.dumps(list(tools.values()), separators=(",", ":"))) <= _LARGEST_LIST


def test_the_greeting_says_who_answers_and_what_for(tmp_path: Path) -> None:
    with stdio(PRODUCT, tmp_path) as server:
        greeting = server.initialize()["result"]
        assert greeting["serverInfo"]["name"] == "commonplace"
        assert greeting["serverInfo"]["title"] == "Commonplace"
        assert "search_knowledge" in greeting["instructions"]
        assert len(greeting["instructions"]) < 500
        assert greeting["capabilities"].keys() == {"tools", "resources"}
        assert not (tmp_path / "home").exists()


def test_discovery_says_the_same(product: Served) -> None:
    found = Http(product, MODERN).ask(request("server/discover"))["result"]
    assert MODERN in found["supportedVersions"]
    assert "search_knowledge" in found["instructions"]
    assert found["capabilities"].keys() == {"tools", "resources"}


def test_entries_are_read_by_template_not_listed(product: Served) -> None:
    client = Http(product, MODERN)
    assert client.ask(request("resources/list"))["result"]["resources"] == []
    (template,) = client.ask(request("resources/templates/list"))["result"]["resourceTemplates"]
    assert template["uriTemplate"] == "commonplace://knowledge/{id}"
    assert template["description"]


def test_what_is_read_says_how_long_it_may_be_kept(product: Served) -> None:
    client = Http(product, MODERN)
    note = {"title": "Kept", "body": "For how long?"}
    stored = client.ask(request("tools/call", name="store_knowledge", arguments=note))
    id = stored["result"]["structuredContent"]["id"]
    read = client.ask(request("resources/read", uri=f"commonplace://knowledge/{id}"))["result"]
    assert read["ttlMs"] >= 0
    assert read["cacheScope"] == "private"
