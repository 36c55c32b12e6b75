"""The inspector's command line over both transports: list, store, search."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from commonplace.surfaces.catalog import DEFAULT_SURFACES
from tests.transports.node import run_node
from tests.transports.serving import PRODUCT, ROOT, Served, settings_of

_INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    if request.param == "http":
        product: Served = request.getfixturevalue("product")
        return [product.endpoint]
    # The inspector starts servers with what it is given and little else.
    settings = settings_of(tmp_path / "home") | {"PYTHONPATH": str(ROOT / "src")}
    given = [part for name, value in settings.items() for part in ("-e", f"{name}={value}")]
    return [*given, sys.executable, "-m", PRODUCT, "mcp"]


def inspect(target: list[str], folder: Path, method: str, *options: str) -> Any:
    done = run_node(_INSPECTOR, "--cli", *target, "--method", method, *options, home=folder)
    assert done.code == 0, done.output
    return json.loads(done.printed)


def call(target: list[str], folder: Path, tool: str, *arguments: str) -> Any:
    return inspect(target, folder, "tools/call", "--tool-name", tool, "--tool-arg", *arguments)


def test_the_tools_are_listed_without_a_portability_problem(
    node: None, target: list[str], tmp_path: Path
) -> None:
    listed = inspect(target, tmp_path, "tools/list", "--strict")
    declared = {tool.name for offered in DEFAULT_SURFACES for tool in offered.load().tools}
    assert {tool["name"] for tool in listed["tools"]} == declared


def test_a_note_is_stored_and_found(node: None, target: list[str], tmp_path: Path) -> None:
    given = [f"title=Lighthouses of {tmp_path.name}", "body=The keeper trims the wick at dusk."]
    stored = call(target, tmp_path, "store_knowledge", *given)
    assert stored["isError"] is False
    found = call(target, tmp_path, "search_knowledge", "query=wick dusk", "limit=50")
    ids = [hit["id"] for hit in found["structuredContent"]["hits"]]
    assert stored["structuredContent"]["id"] in ids
