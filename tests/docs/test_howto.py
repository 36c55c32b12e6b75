"""The commands of the how-to pages that need nothing but this program, run as they are written."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from commonplace.surfaces.catalog import ALL_SURFACES
from tests.cli.commands import run_here
from tests.docs.pages import FENCE, REPOSITORY, console_lines
from tests.docs.test_pages import typed_commands

HOWTO = REPOSITORY / "docs" / "howto"
OFFLINE = {
    "COMMONPLACE_EMBEDDING_URL": "http://127.0.0.1:1/v1",
    "COMMONPLACE_EMBEDDING_MODEL": "absent",
    "COMMONPLACE_EMBEDDING_DIMENSION": "8",
}
RUN = ["back-up-and-restore.md", "move-data.md"]


def prepare(folder: Path) -> None:
    """What the pages suppose to be there."""
    graph = {"type": "entity", "name": "Harbour", "entityType": "service", "observations": ["runs"]}
    (folder / "memory.jsonl").write_text(json.dumps(graph) + "\n")
    (folder / "basic-memory").mkdir()
    (folder / "basic-memory" / "note.md").write_text("- [fact] water boils #physics\n")


@pytest.mark.parametrize("page", RUN)
def test_the_commands_of_a_page_work_in_order(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    home = {"COMMONPLACE_HOME": str(tmp_path / "home")} | OFFLINE
    assert run_here(home, "add", "Title", "A zebra").code == 0
    done = 0
    for line in console_lines((HOWTO / page).read_text(encoding="utf-8")):
        given = [word.partition("=") for word in line.split() if word.startswith("COMMONPLACE_")]
        settings = home | {name: value for name, _, value in given}
        for words in typed_commands(line):
            if words[0] == "commonplace" and words[1] != "doctor":
                outcome = run_here(settings, *words[1:])
                assert outcome.code == 0, f"{line}: {outcome.stderr}"
                done += 1
    assert done >= 5


def test_every_dialect_has_a_page_whose_examples_its_tools_accept() -> None:
    pages = {page.stem: page for page in (HOWTO / "dialects").glob("*.md") if page.stem != "README"}
    assert set(pages) == {offered.name for offered in ALL_SURFACES}
    for offered in ALL_SURFACES:
        tools = {tool.name: tool for tool in offered.load().tools}
        found = FENCE.findall(pages[offered.name].read_text(encoding="utf-8"))
        examples = [json.loads(body) for language, body in found if language == "json"]
        assert examples, offered.name
        for example in examples:
            tools[example["tool"]].arguments.model_validate(example["arguments"])


def test_the_examples_of_configuration_can_be_read() -> None:
    found = FENCE.findall((HOWTO / "connect-clients.md").read_text(encoding="utf-8"))
    documents = [json.loads(body) for language, body in found if language == "json"]
    tables = [tomllib.loads(body) for language, body in found if language == "toml"]
    servers = [d.get("mcpServers") or d["servers"] for d in documents]
    servers += [table["mcp_servers"] for table in tables]
    assert len(servers) == 7
    for named in servers:
        server = named["commonplace"]
        assert ("command" in server) != ("url" in server)
        assert server.get("args", ["mcp"]) == ["mcp"]
        assert server.get("url", "/mcp").endswith("/mcp")
