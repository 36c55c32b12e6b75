"""A tool as a client is told of it: in few characters, for they stand before every model."""

from __future__ import annotations

from functools import cache

import mcp_types as types

from commonplace.surfaces.schema import answer_schema, listed_schema
from commonplace.surfaces.tool import Tool


@cache
def described(tool: Tool, *, with_answer: bool = False) -> types.Tool:
    """Made once in a process, however many servers it has.

    What the protocol takes for granted is left out: hints that are the default, a title that
    spells the name.
    """
    listed = with_answer or tool.answer_listed
    return types.Tool(
        name=tool.name,
        title=None if tool.title.lower() == tool.name.replace("_", " ") else tool.title,
        description=tool.description,
        input_schema=listed_schema(tool.arguments),
        output_schema=answer_schema(tool.answer) if tool.answer and listed else None,
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
