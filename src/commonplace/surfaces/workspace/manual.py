"""The guide behind `docsPath`: the tool's actions in Markdown, generated from its declarations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from commonplace.model.workspace import Project
from commonplace.surfaces.schema import schema_of
from commonplace.surfaces.workspace.action import Action
from commonplace.surfaces.workspace.faults import CODES
from commonplace.surfaces.workspace.guide import CAUTIONS, QUERY_PATTERNS, WHEN_TO_USE, examples

_ERRORS = (
    "A refused call changes nothing. Its answer is an object `error` with `code`, `message` and, "
    "if arguments are wrong, `details`. The tool's own codes are {codes}."
)


def manual(actions: Sequence[Action], projects: Iterable[Project]) -> str:
    shown = examples(projects)
    parts = [
        "# pm_knowledge",
        *CAUTIONS,
        *(part for action in actions for part in _action(action, shown[action.name])),
        "## Questions for code_map",
        "\n".join(f"- {pattern}" for pattern in QUERY_PATTERNS),
        "## Errors",
        _ERRORS.format(codes=", ".join(f"`{code}`" for code in CODES)),
    ]
    return "\n\n".join(parts) + "\n"


def _action(action: Action, shown: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield f"## {action.name}"
    if action.name in WHEN_TO_USE:
        yield WHEN_TO_USE[action.name]
    yield f"Needs the scope `{action.scope.value}`."
    schema = schema_of(action.arguments)
    if arguments := schema.get("properties"):
        required = schema.get("required", ())
        rows = (_row(name, field, name in required) for name, field in arguments.items())
        yield "\n".join(("| argument | takes | |", "|---|---|---|", *rows))
    yield from (f"```json\n{json.dumps(one, ensure_ascii=False)}\n```" for one in shown)


def _row(name: str, field: Mapping[str, Any], required: bool) -> str:
    notes = [*(["required"] if required else []), *filter(None, [field.get("description")])]
    return f"| `{name}` | {_takes(field)} | {'; '.join(notes)} |"


def _takes(field: Mapping[str, Any]) -> str:
    if field.get("type") == "array":
        return f"list of {_takes(field['items'])}"
    values = field.get("enum") or ([field["const"]] if "const" in field else [])
    if values:
        return ", ".join(f"`{value}`" for value in values)
    bounds = [f"{word} {field[key]}" for key, word in (("minimum", "from"), ("maximum", "to"))
              if key in field]  # fmt: skip
    return " ".join([str(field.get("type", "any")), *bounds])
