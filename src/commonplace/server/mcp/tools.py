"""Tool definitions for clients, kept short: they take up context in every session."""

from __future__ import annotations

from functools import cache

import mcp_types as types

from commonplace.surfaces.schema import answer_schema, listed_schema
from commonplace.surfaces.tool import Tool


@cache
def tool_definition(tool: Tool, *, output_schema: bool = False) -> types.Tool:
    """The definition of a tool, without what the protocol implies.

    Hints that equal their default are omitted, and so is a title that repeats the name.
    """
    with_output = output_schema or tool.answer_listed
    return types.Tool(
        name=tool.name,
        title=None if tool.title.lower() == tool.name.replace("_", " ") else tool.title,
        description=tool.description,
        input_schema=listed_schema(tool.arguments),
        output_schema=answer_schema(tool.answer) if tool.answer and with_output else None,
        annotations=_hints(tool),
    )


def _hints(tool: Tool) -> types.ToolAnnotations:
    if tool.read_only:
        return types.ToolAnnotations(read_only_hint=True)
    return types.ToolAnnotations(
        destructive_hint=None if tool.destructive else False,
        idempotent_hint=True if tool.idempotent else None,
        open_world_hint=False,
    )
