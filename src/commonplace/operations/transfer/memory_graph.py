"""Reads the MCP memory server's file: a graph of named entities, one JSON object per line.

An entity becomes a note with its observations and relations; attributes keep the graph.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.operations.transfer.entries import new_row, same_id
from commonplace.text.gate import unstorable


@dataclass(slots=True)
class Entity:
    """An entity; equal observations are kept once, in order."""

    name: str
    type: str = ""
    observations: dict[str, None] = field(default_factory=dict)
    relations: dict[tuple[str, str], None] = field(default_factory=dict)


def is_graph_line(line: str) -> bool:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and document.get("type") in ("entity", "relation")


class MemoryGraph:
    """Collects lines in any order: a relation may come before its entities."""

    def __init__(self) -> None:
        self._entities: dict[str, Entity] = {}

    def add(self, line: str) -> None:
        try:
            document = json.loads(line)
        except (ValueError, RecursionError):
            raise InvalidArgument("this is not a line of JSON.") from None
        kind = document.get("type") if isinstance(document, dict) else None
        if kind == "entity":
            self._add_entity(document)
        elif kind == "relation":
            self._add_relation(document)
        else:
            raise InvalidArgument("a line is an object whose type is entity or relation.")

    def rows(self) -> Iterator[dict[str, Any]]:
        for entity in self._entities.values():
            yield _row(entity)

    def _add_entity(self, document: Mapping[str, Any]) -> None:
        observations = document.get("observations", [])
        if not isinstance(observations, list):
            raise InvalidArgument("observations must be a list of texts.")
        entity = self._entity(_text(document, "name"))
        entity.type = _text(document, "entityType", required=False)
        said = [_text({"observations": one}, "observations") for one in observations]
        entity.observations.update(dict.fromkeys(said))

    def _add_relation(self, document: Mapping[str, Any]) -> None:
        relation = (_text(document, "relationType"), _text(document, "to"))
        self._entity(_text(document, "from")).relations[relation] = None

    def _entity(self, name: str) -> Entity:
        return self._entities.setdefault(name, Entity(name))


def _text(document: Mapping[str, Any], name: str, *, required: bool = True) -> str:
    value = document.get(name, "")
    if not isinstance(value, str) or (required and not value.strip()):
        raise InvalidArgument(f"{name} must be text.")
    if problem := unstorable(value):
        raise InvalidArgument(f"{name} {problem}")
    return value


def _row(entity: Entity) -> dict[str, Any]:
    lines = [f"- {observation}" for observation in entity.observations]
    lines += [f"- {relation} [[{target}]]" for relation, target in entity.relations]
    relations = [{"type": relation, "to": target} for relation, target in entity.relations]
    return new_row(
        same_id("mcp-memory", entity.name),
        entity.name,
        "\n".join(lines) or entity.name,
        tags=[entity.type] if entity.type.strip() else [],
        attributes={"entity_type": entity.type, "relations": relations},
    )
