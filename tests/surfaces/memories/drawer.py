"""What tests of the memory tool do again and again."""

from __future__ import annotations

from typing import Any

from mcp_types import TextContent

from tests.surfaces.clients import Caller

TOOL = "memory"
ROOT = "/memories"
HEADING = (
    "Here're the files and directories up to 2 levels deep in {path}, "
    "excluding hidden items and node_modules:\n"
)


class Drawer:
    """The files of one caller."""

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    def __call__(self, command: str, **given: Any) -> str:
        """What a command answers that must succeed."""
        return self.caller.text(TOOL, command=command, **given)

    def refusal(self, command: str, **given: Any) -> str:
        """What a command says that must fail; it has no structure."""
        answered = self.caller.ask(TOOL, command=command, **given)
        (content,) = answered.content
        assert isinstance(content, TextContent)
        assert answered.is_error, content.text
        assert answered.structured_content is None
        return content.text

    def file(self, path: str, text: str = "Prices are without tax.\n") -> str:
        self("create", path=path, file_text=text)
        return path

    def lines(self, path: str) -> list[str]:
        """The lines of a file as they are kept."""
        shown = self("view", path=path).split("\n")[1:]
        return [line.partition("\t")[2] for line in shown]

    def listed(self, path: str = ROOT) -> list[str]:
        shown = self("view", path=path)
        assert shown.startswith(HEADING.format(path=path))
        return [line.partition("\t")[2] for line in shown.split("\n")[1:]]
