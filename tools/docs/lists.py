"""Generates the prepared tool lists of servers from the surfaces' declarations."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

from commonplace.server.mcp.listing import ListedTool, declared_list
from commonplace.surfaces.catalog import ALL_SURFACES, OfferedSurface

LISTS = Path(__file__).parents[2] / "src" / "commonplace" / "server" / "mcp" / "lists"


def _page(offered: OfferedSurface) -> str:
    """The list of a surface, one tool per line, so that a diff shows which one has changed."""
    return "[\n" + ",\n".join(map(_row, declared_list(offered))) + "\n]\n"


def _row(tool: ListedTool) -> str:
    shown = tool.definition.model_dump(mode="json", by_alias=True, exclude_none=True)
    return json.dumps({"scope": tool.scope.value, "tool": shown}, ensure_ascii=False)


PAGES: dict[str, Callable[[], str]] = {
    f"{offered.name}.json": partial(_page, offered) for offered in ALL_SURFACES
}
