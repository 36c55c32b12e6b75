"""JSON Schemas for clients: short, without references, without generated titles."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode


class _Plain(GenerateJsonSchema):
    """Generates no titles: they repeat the field names and cost context."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        return False


# Marks a field whose limits are omitted from the list of tools. The mark itself is never sent.
UNLISTED = "x-unlisted"
_IMPLIED = ("additionalProperties", True)
_LIMITS = frozenset({"maxLength", "maxItems", "minimum", "maximum"})
# The property that holds an answer that is an array: structured content must be an object.
RESULT = "result"
# The property that every dialect's error object has.
ERROR = "error"


def answer_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of structured content, which is always an object. Errors match it too.

    Clients validate errors against it as well, and would hide an error that does not match.
    """
    schema = schema_of(model, output=True)
    if schema["type"] != "object":
        schema = {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}
    required = schema.pop("required", [])
    for field in schema["properties"].values():
        field.pop("const", None)
    return schema | {"anyOf": [{"required": required}, {"required": [ERROR]}]}


def listed_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of arguments for the list of tools, without the limits marked as unlisted."""
    listed: dict[str, Any] = _unmarked(schema_of(model, marks=True), keep_limits=False)
    return listed


def schema_of(
    model: type[BaseModel], *, output: bool = False, marks: bool = False
) -> dict[str, Any]:
    """The schema of a model, with nested models inlined."""
    mode: JsonSchemaMode = "serialization" if output else "validation"
    schema = model.model_json_schema(by_alias=True, mode=mode, schema_generator=_Plain)
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _inlined(schema, definitions)
    return plain if marks else _unmarked(plain, keep_limits=True)


def _inlined(node: Any, definitions: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inlined(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    node = _without_null(node)
    if "$ref" in node:
        target = definitions[node["$ref"].rsplit("/", 1)[-1]]
        node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
    return {
        key: _inlined(value, definitions)
        for key, value in node.items()
        if key != "title" or not isinstance(value, str)
    }


def _unmarked(node: Any, *, keep_limits: bool) -> Any:
    """A schema without marks, and without the limits that they mark unless these are kept."""
    if isinstance(node, list):
        return [_unmarked(item, keep_limits=keep_limits) for item in node]
    if not isinstance(node, dict):
        return node
    omitted = {UNLISTED} if keep_limits or UNLISTED not in node else {UNLISTED, *_LIMITS}
    return {
        key: _unmarked(value, keep_limits=keep_limits)
        for key, value in node.items()
        if key not in omitted and (keep_limits or (key, value) != _IMPLIED)
    }


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """The schema of an optional field without null: a client may simply omit the field."""
    options = node.get("anyOf")
    if not options or {"type": "null"} not in options or node.get("default", 0) is not None:
        return node
    others = [option for option in options if option != {"type": "null"}]
    rest = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
    return {**others[0], **rest} if len(others) == 1 else {**rest, "anyOf": others}
