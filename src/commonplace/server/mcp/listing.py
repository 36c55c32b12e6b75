"""The tools of what is offered: listed from files, and imported when one of them is called.

`make docs` writes the files from what the surfaces declare; a test compares them.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.resources import files
from typing import Any

import mcp_types as types

from commonplace.errors import CommonplaceError
from commonplace.model.actor import Scope
from commonplace.surfaces.catalog import Offered, alias_of
from commonplace.surfaces.tool import Fault, Surface, Tool

LISTS = files("commonplace.server.mcp").joinpath("lists")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool as a client is told of it, the scope that it needs, and the surface that has it."""

    shown: types.Tool
    scope: Scope
    offered: Offered


class ToolList:
    """Known by their names before anything is imported that runs them."""

    def __init__(self, offered: Sequence[Offered], *, with_answers: bool = False) -> None:
        self._offered = offered
        self._with_answers = with_answers
        self._loaded: dict[str, tuple[Surface, Tool]] = {}

    def get(self, name: str) -> ListedTool | None:
        return self._listed.get(name)

    def within(self, scopes: Collection[Scope]) -> list[types.Tool]:
        """What the scopes allow: a model that is offered more tries it in vain."""
        return [tool.shown for tool in self._listed.values() if tool.scope in scopes]

    def loaded(self, listed: ListedTool) -> tuple[Surface, Tool]:
        """The tool itself; what the surface needs is imported now, if it was not yet."""
        name = listed.shown.name
        if name not in self._loaded:
            surface = listed.offered.load()
            self._loaded |= {tool.name: (surface, tool) for tool in surface.tools}
        return self._loaded[name]

    def fault_of(self, listed: ListedTool) -> Fault:
        """How its surface says that something went wrong."""

        def fault(error: CommonplaceError) -> Mapping[str, Any] | str:
            return self.loaded(listed)[0].fault(error)

        return fault

    @cached_property
    def _listed(self) -> dict[str, ListedTool]:
        lists = [self._of(offered) for offered in self._offered]
        return {tool.shown.name: tool for tools in lists for tool in tools}

    def _of(self, offered: Offered) -> Sequence[ListedTool]:
        """The list of one surface; shapes of answers are in no file, and made when wanted."""
        prepared = None if self._with_answers else prepared_list(offered)
        return prepared or living_list(offered, with_answers=self._with_answers)


def prepared_list(offered: Offered) -> list[ListedTool] | None:
    """The list in the file of a surface; one that is not our own has none."""
    file = LISTS.joinpath(f"{offered.name}.json")
    if not file.is_file():
        return None
    tools = [
        ListedTool(types.Tool.model_validate(row["tool"]), Scope(row["scope"]), offered)
        for row in json.loads(file.read_bytes())
    ]
    dotted = [tool for tool in tools if offered.aliases and "." in tool.shown.name]
    return [*tools, *map(_alias, dotted)]


def _alias(tool: ListedTool) -> ListedTool:
    named = tool.shown.model_copy(update={"name": alias_of(tool.shown.name)})
    return replace(tool, shown=named)


def living_list(offered: Offered, *, with_answers: bool = False) -> list[ListedTool]:
    """The list as the surface declares it now."""
    from commonplace.server.mcp.tools import described

    return [
        ListedTool(described(tool, with_answer=with_answers), tool.scope, offered)
        for tool in offered.load().tools
    ]
