"""The one tool of the `workspace` dialect: a flat schema, dispatched by `action`.

Each action has its own module with its arguments and its answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from commonplace.application import Application
from commonplace.errors import ActionUnknown, InvalidArgument, NotFound
from commonplace.model.actor import Actor, Scope
from commonplace.model.call import Call
from commonplace.surfaces.call import require, shaped
from commonplace.surfaces.schema import schema_of
from commonplace.surfaces.tool import ResourceKind, Surface, Tool
from commonplace.surfaces.workspace.action import Action
from commonplace.surfaces.workspace.code_map import CODE_MAP
from commonplace.surfaces.workspace.faults import fault
from commonplace.surfaces.workspace.guide import GUIDE, GUIDE_URI, HELP
from commonplace.surfaces.workspace.ingest import INGEST
from commonplace.surfaces.workspace.manual import manual
from commonplace.surfaces.workspace.records import RECORD_ENTRY
from commonplace.surfaces.workspace.search import SEARCH
from commonplace.surfaces.workspace.sources import GET, UPDATE_SOURCES
from commonplace.surfaces.workspace.status import STATUS

# An inline ingest may read a whole repository.
_DEADLINE_SECONDS = 3600.0
# Left out of the listed schema to save context: hardly any caller needs them.
_UNLISTED = frozenset(
    {"default", "minLength", "maxLength", "minItems", "maxItems", "additionalProperties"}
)
# Bounds that are left out too, because nobody exceeds them by accident.
_UNLISTED_BOUNDS = {"minimum": (0, 1), "maximum": (500, 1_000_000)}
_NESTED = "params"

ACTIONS: tuple[Action, ...] = (
    GET,
    UPDATE_SOURCES,
    RECORD_ENTRY,
    INGEST,
    SEARCH,
    CODE_MAP,
    STATUS,
    HELP,
)
_BY_NAME = {action.name: action for action in ACTIONS}


class KnowledgeArguments(BaseModel):
    """Any arguments; the action validates its own."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    action: Any = Field(None, json_schema_extra={"type": "string", "enum": list(_BY_NAME)})

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """The arguments of all actions in one object; some model APIs refuse `anyOf`."""
        own = handler.resolve_ref_schema(handler(core_schema))
        properties = {
            "action": {**own["properties"]["action"], "description": _code_map_refuses()},
            _NESTED: {"type": "object"},
        }
        for action in ACTIONS:
            for name, field in _properties(action).items():
                properties[name] = _joined(properties.get(name), _without_description(field))
        return {
            "type": "object",
            "properties": {name: _brief(field) for name, field in properties.items()},
            "required": ["action"],
            "additionalProperties": False,
        }


def _properties(action: Action) -> dict[str, Any]:
    properties: dict[str, Any] = schema_of(action.arguments).get("properties", {})
    return properties


def _without_description(field: dict[str, Any]) -> dict[str, Any]:
    """A field's schema without its description; the guide describes arguments by action."""
    return {key: value for key, value in field.items() if key != "description"}


def _code_map_refuses() -> str:
    """The arguments of `search` that `code_map` refuses; the flat schema cannot express it."""
    refused = [name for name in _properties(SEARCH) if name not in _properties(CODE_MAP)]
    return f"code_map refuses {', '.join(refused)}"


def _joined(known: dict[str, Any] | None, field: dict[str, Any]) -> dict[str, Any]:
    """The schema of an argument that several actions have: it allows what any of them allows."""
    if known is None:
        return field
    if "enum" in known and "enum" in field:
        return {**known, "enum": list(dict.fromkeys([*known["enum"], *field["enum"]]))}
    return known


def _brief(node: Any) -> Any:
    """A schema without defaults, which differ by action, and without lengths; errors name them."""
    if not isinstance(node, dict):
        return node
    return {key: _brief(value) for key, value in node.items() if _is_listed(key, value)}


def _is_listed(key: str, value: Any) -> bool:
    return key not in _UNLISTED and value not in _UNLISTED_BOUNDS.get(key, ())


def pm_knowledge(
    application: Application, actor: Actor, given: KnowledgeArguments, call: Call
) -> BaseModel:
    action = _BY_NAME.get(given.action) if isinstance(given.action, str) else None
    if action is None:
        raise ActionUnknown(f"action must be one of {', '.join(_BY_NAME)}.", field="action")
    require(actor, action.scope)
    arguments = shaped(action.arguments, _unnested(given.model_extra or {}))
    return action.run(application, actor, arguments, call)


def _unnested(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """The arguments, from beside `action` or from `params` as `help` prints them, not from both."""
    nested = given.get(_NESTED)
    flat = {name: value for name, value in given.items() if name != _NESTED}
    if nested is None:
        return flat
    if not isinstance(nested, Mapping):
        raise InvalidArgument(f"{_NESTED} must be an object.", field=_NESTED)
    if twice := [name for name in nested if flat.get(name) is not None]:
        raise InvalidArgument(
            f"{', '.join(twice)}: given in {_NESTED} and beside it; give it once.", field=_NESTED
        )
    return {**flat, **nested}


TOOLS = (
    Tool(
        name="pm_knowledge",
        title="Workspace knowledge",
        description="Docs, code, notebooks and records of projects. search finds passages, "
        "code_map symbols; get, update_sources and ingest are for sources, record_entry for notes; "
        "help explains.",
        scope=Scope.READ,
        arguments=KnowledgeArguments,
        answer=None,
        run=pm_knowledge,
        read_only=False,
        destructive=True,
        returns_knowledge=True,
        deadline_seconds=_DEADLINE_SECONDS,
    ),
)


def read_guide(application: Application, actor: Actor, id: str) -> str:
    if id != GUIDE:
        raise NotFound(f"There is no guide {id}; there is {GUIDE}.")
    return manual(ACTIONS, application.workspace.projects(actor))


WORKSPACE = Surface(
    name="workspace",
    tools=TOOLS,
    resources=(
        ResourceKind(
            name="guide",
            title="Guide",
            description="How a tool is used: every action with its arguments and an example.",
            template=GUIDE_URI,
            aliases=(),
            scope=Scope.READ,
            read=read_guide,
            media_type="text/markdown",
            complete=lambda _application, _actor, begun: [GUIDE] if GUIDE.startswith(begun) else [],
        ),
    ),
    fault=fault,
)
