"""MCP prompts: listing and rendering those of the surfaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import mcp_types as types
from mcp.shared.exceptions import MCPError

from commonplace.surfaces.tool import PromptKind, Surface


def prompts_of(surfaces: Sequence[Surface]) -> dict[str, PromptKind]:
    return {prompt.name: prompt for surface in surfaces for prompt in surface.prompts}


def listed_prompts(prompts: Mapping[str, PromptKind]) -> types.ListPromptsResult:
    return types.ListPromptsResult(
        prompts=[
            types.Prompt(
                name=prompt.name,
                title=prompt.title,
                description=prompt.description,
                arguments=[
                    types.PromptArgument(
                        name=one.name, description=one.description, required=one.required
                    )
                    for one in prompt.arguments
                ],
            )
            for prompt in prompts.values()
        ]
    )


def prompt_text(
    prompts: Mapping[str, PromptKind], name: str, given: Mapping[str, str]
) -> types.GetPromptResult:
    prompt = prompts.get(name)
    if prompt is None:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name}")
    known = {one.name for one in prompt.arguments}
    if unknown := sorted(given.keys() - known):
        raise MCPError(types.INVALID_PARAMS, f"Unknown argument: {unknown[0]}")
    for one in prompt.arguments:
        if one.required and not given.get(one.name, "").strip():
            raise MCPError(types.INVALID_PARAMS, f"{one.name}: required.")
    content = types.TextContent(type="text", text=prompt.text(given))
    return types.GetPromptResult(
        description=prompt.description,
        messages=[types.PromptMessage(role="user", content=content)],
    )
