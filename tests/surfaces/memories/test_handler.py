"""The handlers for the `anthropic` package, with its own types and beside its own store."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from anthropic.lib.tools import BetaAbstractMemoryTool, BetaAsyncAbstractMemoryTool, ToolError
from anthropic.lib.tools._beta_builtin_memory_tool import BetaLocalFilesystemMemoryTool
from mcp_types import TextContent

from commonplace.memory_tool import AsyncCommonplaceMemoryTool, CommonplaceMemoryTool
from commonplace.settings import Settings
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.memories.drawer import Drawer
from tests.surfaces.nearness import embedded_at

FILE = "/memories/prefs.md"
TEN = "".join(f"line {number}\n" for number in range(1, 11))
# What a model might do in a session, errors too.
SESSION: tuple[dict[str, Any], ...] = (
    {"command": "view", "path": FILE},
    {"command": "create", "path": FILE, "file_text": TEN},
    {"command": "create", "path": FILE, "file_text": "again"},
    {"command": "view", "path": FILE},
    {"command": "view", "path": FILE, "view_range": [3, 5]},
    {"command": "view", "path": FILE, "view_range": [9, -1]},
    {"command": "str_replace", "path": FILE, "old_str": "line 4", "new_str": "four\nand more"},
    {"command": "str_replace", "path": FILE, "old_str": "line 40", "new_str": "x"},
    {"command": "str_replace", "path": FILE, "old_str": "line", "new_str": "x"},
    {"command": "insert", "path": FILE, "insert_line": 0, "insert_text": "# Heading\n"},
    {"command": "insert", "path": FILE, "insert_line": 12, "insert_text": "the end"},
    {"command": "insert", "path": FILE, "insert_line": 99, "insert_text": "beyond"},
    {"command": "insert", "path": "/memories/none", "insert_line": 0, "insert_text": "x"},
    {"command": "view", "path": FILE},
    {"command": "create", "path": "/memories/a/b/c.md", "file_text": "deep"},
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/z"},
    {"command": "rename", "old_path": "/memories/a", "new_path": "/memories/y"},
    {"command": "rename", "old_path": FILE, "new_path": "/memories/z"},
    {"command": "view", "path": "/memories/z/b/c.md"},
    {"command": "delete", "path": "/memories/z"},
    {"command": "delete", "path": "/memories/z"},
    {"command": "delete", "path": "/memories"},
    {"command": "view", "path": "/etc/passwd"},
    {"command": "view", "path": "/memories/../etc/passwd"},
)  # fmt: skip


def told(tool: BetaAbstractMemoryTool, command: dict[str, Any]) -> tuple[str, bool]:
    """What a model reads, and whether it is told as an error."""
    try:
        return str(tool.call(command)), False
    except ToolError as error:
        return str(error.content), True


def in_one_wording(answer: tuple[str, bool]) -> tuple[str, bool]:
    """The documentation begins some refusals with a word, and one goes on longer."""
    words = answer[0].removeprefix("Error: ").removesuffix(". Please provide a valid path.")
    return words.replace("range of lines of the file: ", "range ").rstrip("."), answer[1]


@pytest.fixture
def given(settings: Settings, endpoint: str) -> dict[str, Any]:
    """The settings of a test, as somebody would name them."""
    changed = settings.model_copy(update={"org": "acme", "agent": "alice", **embedded_at(endpoint)})
    return {name: getattr(changed, name) for name in changed.model_fields_set}


@pytest.fixture
def handler(given: dict[str, Any]) -> Iterator[CommonplaceMemoryTool]:
    with CommonplaceMemoryTool(**given) as tool:
        yield tool


@pytest.mark.requirement("memories.handler.same-words")
def test_a_session_reads_as_with_the_packages_own_store(
    handler: CommonplaceMemoryTool, tmp_path: Path
) -> None:
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path / "theirs"))
    for command in SESSION:
        ours, expected = told(handler, command), told(theirs, command)
        assert in_one_wording(ours) == in_one_wording(expected), command


@pytest.mark.requirement("memories.handler.same-words")
def test_a_directory_lists_the_same_files(handler: CommonplaceMemoryTool, tmp_path: Path) -> None:
    """Sizes of directories are the file system's there, of what they hold here."""
    theirs = BetaLocalFilesystemMemoryTool(str(tmp_path / "theirs"))
    shown = []
    for tool in (handler, theirs):
        for path in ("/memories/b.md", "/memories/a/c.md", "/memories/a/d/e.md", "/memories/.h"):
            tool.call({"command": "create", "path": path, "file_text": "x" * 2048})
        lines = str(tool.call({"command": "view", "path": "/memories"})).split("\n")[1:]
        shown.append(sorted(line.partition("\t")[2] for line in lines))
    assert shown[0] == shown[1]


@pytest.mark.requirement("memories.handler.package")
def test_it_is_a_memory_tool_of_the_package(
    handler: CommonplaceMemoryTool, open_premises: OpenPremises, endpoint: str
) -> None:
    assert isinstance(handler, BetaAbstractMemoryTool)
    assert handler.to_dict() == {"type": "memory_20250818", "name": "memory"}
    premises = open_premises(surfaces="memory,memories", **embedded_at(endpoint))
    drawer = Drawer(premises.caller())
    for command in SESSION:
        handler_says = told(handler, command)
        other = {**command, **{k: v.replace("/memories", "/memories/mcp", 1)
                               for k, v in command.items() if k.endswith("path")}}  # fmt: skip
        if command["command"] == "delete" and command["path"] == "/memories":
            continue
        if "etc" not in str(command):
            answered = drawer.caller.ask("memory", **other)
            (content,) = answered.content
            assert isinstance(content, TextContent)
            text = content.text.replace("/memories/mcp", "/memories")
            assert (text, answered.is_error) == handler_says, command


@pytest.mark.requirement("memories.handler.package")
def test_the_async_one_does_the_same(given: dict[str, Any]) -> None:
    tool = AsyncCommonplaceMemoryTool(**given)
    assert isinstance(tool, BetaAsyncAbstractMemoryTool)

    async def session() -> list[str]:
        calls = [
            {"command": "create", "path": FILE, "file_text": "one\n"},
            {"command": "str_replace", "path": FILE, "old_str": "one", "new_str": "two"},
            {"command": "insert", "path": FILE, "insert_line": 1, "insert_text": "three"},
            {"command": "rename", "old_path": FILE, "new_path": "/memories/q.md"},
            {"command": "view", "path": "/memories/q.md"},
            {"command": "delete", "path": "/memories/q.md"},
        ]
        said = [str(await tool.call(call)) for call in calls]
        with pytest.raises(ToolError):
            await tool.call({"command": "view", "path": FILE})
        return said

    said = anyio.run(session)
    tool.close()
    assert said[4].endswith("     1\ttwo\n     2\tthree\n     3\t")
    assert said[5] == "Successfully deleted /memories/q.md"


@pytest.mark.requirement("memories.handler.package")
def test_a_closed_one_refuses_every_command(given: dict[str, Any]) -> None:
    with CommonplaceMemoryTool(**given) as tool:
        assert told(tool, SESSION[1]) == (f"File created successfully at: {FILE}", False)
    assert told(tool, SESSION[0]) == ("The application is closed.", True)
