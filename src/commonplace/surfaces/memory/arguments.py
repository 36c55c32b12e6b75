"""Arguments of the `memory` dialect: described in few words."""

from __future__ import annotations

from typing import Any

from pydantic import BeforeValidator, ConfigDict

from commonplace.surfaces.arguments import Arguments

# What a refusal explains, and hardly any caller comes near.
_UNSAID = frozenset({"maxLength", "minLength", "maxItems", "minimum", "maximum"})


def _listed(given: object) -> object:
    return [given] if isinstance(given, str) else given


# Of a list with one name many models give only the name. Must come last in `Annotated`.
LISTED = BeforeValidator(_listed)


def _brief(schema: dict[str, Any]) -> None:
    for field in schema.get("properties", {}).values():
        _strip(field)


def _strip(node: Any) -> None:
    if isinstance(node, list):
        for one in node:
            _strip(one)
    if isinstance(node, dict):
        for name in _UNSAID & node.keys():
            del node[name]
        if node.get("default") is False:
            del node["default"]
        _strip(list(node.values()))


class MemoryGiven(Arguments):
    """Without bounds in the schema: every client puts them before its model."""

    model_config = ConfigDict(json_schema_extra=_brief)
