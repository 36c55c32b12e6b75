"""The list of tools, read from prepared files; a surface is imported when a tool is called.

`make docs` writes the files from the surfaces' declarations, and a test compares them.
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
from commonplace.surfaces.catalog import OfferedSurface, alias_of
from commonplace.surfaces.tool import Fault, Surface, Tool

LISTS = files("commonplace.server.mcp").joinpath("lists")


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool's definition for clients, the scope that it needs, and its surface."""

    definition: types.Tool
    scope: Scope
    offered: OfferedSurface


class ToolList:
    """The tools of the offered surfaces, by name."""

    def __init__(self, offered: Sequence[OfferedSurface], *, output_schemas: bool = False) -> None:
        self._offered = offered
        self._output_schemas = output_schemas
        self._loaded: dict[str, tuple[Surface, Tool]] = {}

    def get(self, name: str) -> ListedTool | None:
        return self._listed.get(name)

    def allowed_by(self, scopes: Collection[Scope]) -> list[types.Tool]:
        """The tools that the scopes allow; listing others would invite calls that fail."""
        return [tool.definition for tool in self._listed.values() if tool.scope in scopes]

    def load(self, listed: ListedTool) -> tuple[Surface, Tool]:
        """The tool and its surface, imported on first use."""
        name = listed.definition.name
        if name not in self._loaded:
            surface = listed.offered.load()
            self._loaded |= {tool.name: (surface, tool) for tool in surface.tools}
        return self._loaded[name]

    def fault_of(self, listed: ListedTool) -> Fault:
        """The error format of a tool's surface, which is imported only if an error occurs."""

        def fault(error: CommonplaceError) -> Mapping[str, Any] | str:
            return self.load(listed)[0].fault(error)

        return fault

    @cached_property
    def _listed(self) -> dict[str, ListedTool]:
        lists = [self._of(offered) for offered in self._offered]
        return {tool.definition.name: tool for tools in lists for tool in tools}

    def _of(self, offered: OfferedSurface) -> Sequence[ListedTool]:
        """The tools of one surface. Prepared files have no output schemas."""
        prepared = None if self._output_schemas else prepared_list(offered)
        return prepared or declared_list(offered, output_schemas=self._output_schemas)


def prepared_list(offered: OfferedSurface) -> list[ListedTool] | None:
    """The list in a surface's file; None if there is no file, as for surfaces of tests."""
    file = LISTS.joinpath(f"{offered.name}.json")
    if not file.is_file():
        return None
    tools = [
        ListedTool(types.Tool.model_validate(row["tool"]), Scope(row["scope"]), offered)
        for row in json.loads(file.read_bytes())
    ]
    dotted = [tool for tool in tools if offered.aliases and "." in tool.definition.name]
    return [*tools, *map(_alias, dotted)]


def _alias(tool: ListedTool) -> ListedTool:
    name = alias_of(tool.definition.name)
    return replace(tool, definition=tool.definition.model_copy(update={"name": name}))


def declared_list(offered: OfferedSurface, *, output_schemas: bool = False) -> list[ListedTool]:
    """The list generated from the surface's declarations."""
    from commonplace.server.mcp.tools import tool_definition

    return [
        ListedTool(tool_definition(tool, output_schema=output_schemas), tool.scope, offered)
        for tool in offered.load().tools
    ]
