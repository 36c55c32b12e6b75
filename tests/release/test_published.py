"""What is published beside the wheel: the same names and versions everywhere, nothing missing."""

from __future__ import annotations

import json
import re
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

from commonplace import __version__
from commonplace.cli.main import main, package_main
from tools.release.bundle import pack, stage

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "packaging" / "claude-code"


def said(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return document


@pytest.fixture
def project() -> dict[str, Any]:
    whole = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = whole["project"]
    return found


def test_every_description_is_of_this_version() -> None:
    registry = said(ROOT / "server.json")
    versions = {
        registry["version"],
        registry["packages"][0]["version"],
        said(ROOT / "packaging" / "mcpb" / "manifest.json")["version"],
        said(PLUGIN / ".claude-plugin" / "plugin.json")["version"],
    }
    assert versions == {__version__}


def test_the_registry_finds_the_package_and_its_readme_names_the_server(
    project: dict[str, Any],
) -> None:
    registry = said(ROOT / "server.json")
    (package,) = registry["packages"]
    assert (package["registryType"], package["identifier"]) == ("pypi", project["name"])
    assert len(registry["description"]) <= 100, "the registry takes no more"
    marker = re.search(
        r"<!-- mcp-name: (\S+) -->", (ROOT / "README.md").read_text(encoding="utf-8")
    )
    assert marker is not None
    assert marker[1] == registry["name"]


def test_the_package_has_a_command_of_its_own_name(project: dict[str, Any]) -> None:
    assert project["scripts"] == {
        "commonplace": "commonplace.cli.main:main",
        "commonplace-mcp": "commonplace.cli.main:package_main",
    }
    assert callable(main)
    assert callable(package_main)


def test_the_plugin_starts_the_server_and_is_offered_from_a_clone() -> None:
    server = said(PLUGIN / ".mcp.json")["mcpServers"]["commonplace"]
    assert (server["command"], server["args"]) == ("commonplace", ["mcp"])
    (offered,) = said(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    assert (ROOT / offered["source"]).resolve() == PLUGIN
    (start,) = said(PLUGIN / "hooks" / "hooks.json")["hooks"]["SessionStart"]
    assert start["hooks"][0]["command"] == "commonplace hook start --client claude-code"
    for command in (PLUGIN / "commands").glob("*.md"):
        assert command.read_text(encoding="utf-8").startswith("---\ndescription: ")


def test_the_bundle_has_the_wheel_and_a_project_that_asks_for_it(tmp_path: Path) -> None:
    wheel = tmp_path / f"commonplace_mcp-{__version__}-py3-none-any.whl"
    wheel.write_bytes(b"a wheel")
    folder, target = tmp_path / "stage", tmp_path / "x.mcpb"
    folder.mkdir()
    stage(wheel, folder)
    pack(folder, target)
    with zipfile.ZipFile(target) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert manifest["server"]["entry_point"] in archive.namelist()
        asked = tomllib.loads(archive.read("pyproject.toml").decode())
        source = asked["tool"]["uv"]["sources"]["commonplace-mcp"]["path"]
        assert archive.read(source) == b"a wheel"
    assert set(manifest["compatibility"]["platforms"]) == {"darwin", "linux"}


def test_a_release_runs_commands_that_there_are() -> None:
    workflow = (ROOT / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert set(re.findall(r"run: make (\w+)", workflow)) == {"check", "test", "bundle"} <= targets
