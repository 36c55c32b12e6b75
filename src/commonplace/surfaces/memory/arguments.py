"""Arguments of the `memory` dialect, with compact schemas."""

from __future__ import annotations

from typing import Any

from pydantic import BeforeValidator, ConfigDict

from commonplace.surfaces.arguments import Arguments

# Bounds left out of schemas: few callers come near them, and the error message explains them.
_OMITTED = frozenset({"maxLength", "minLength", "maxItems", "minimum", "maximum"})


def _listed(given: object) -> object:
    return [given] if isinstance(given, str) else given


# Accepts a single name as a list, as many models send it. Must come last in `Annotated`.
LISTED = BeforeValidator(_listed)


def _brief(schema: dict[str, Any]) -> None:
    for field in schema.get("properties", {}).values():
        _strip(field)


def _strip(node: Any) -> None:
    if isinstance(node, list):
        for one in node:
            _strip(one)
    if isinstance(node, dict):
        for name in _OMITTED & node.keys():
            del node[name]
        if node.get("default") is False:
            del node["default"]
        _strip(list(node.values()))


class MemoryGiven(Arguments):
    """Base of the dialect's arguments. The schema omits bounds, as every client sends it to its
    model."""

    model_config = ConfigDict(json_schema_extra=_brief)
