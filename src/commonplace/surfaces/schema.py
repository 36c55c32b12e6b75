"""JSON Schemas as clients get them: short, self-contained, without the generator's decoration."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode


class _Plain(GenerateJsonSchema):
    """Names of fields say enough; generated titles only cost context."""

    def field_title_should_be_set(self, _schema: Any) -> bool:
        return False


# Marks a schema whose limits are not put before every model; never shown itself.
UNSAID = "x-unsaid"
_TAKEN_FOR_GRANTED = ("additionalProperties", True)
_LIMITS = frozenset({"maxLength", "maxItems", "minimum", "maximum"})
# Where an answer is an array, the name under which its structured form carries it.
RESULT = "result"
# What every dialect's envelope of an error has.
ERROR = "error"


def answer_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of the structured answer, which is always an object; a failure fits it too.

    Clients check what a failed call answers as well, and would hide from the model what it says.
    """
    schema = schema_of(model, output=True)
    if schema["type"] != "object":
        schema = {"type": "object", "properties": {RESULT: schema}, "required": [RESULT]}
    required = schema.pop("required", [])
    for field in schema["properties"].values():
        field.pop("const", None)
    return schema | {"anyOf": [{"required": required}, {"required": [ERROR]}]}


def listed_schema(model: type[BaseModel]) -> dict[str, Any]:
    """The schema of arguments as every client puts it before its model: without limits of ours."""
    listed: dict[str, Any] = _without(schema_of(model, marks=True), unsaid=True)
    return listed


def schema_of(
    model: type[BaseModel], *, output: bool = False, marks: bool = False
) -> dict[str, Any]:
    """The schema of a model with nested models written out in place."""
    mode: JsonSchemaMode = "serialization" if output else "validation"
    schema = model.model_json_schema(by_alias=True, mode=mode, schema_generator=_Plain)
    definitions = schema.pop("$defs", {})
    plain: dict[str, Any] = _inlined(schema, definitions)
    return plain if marks else _without(plain, unsaid=False)


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


def _without(node: Any, *, unsaid: bool) -> Any:
    """A schema without marks, and where asked for without the limits that they mark."""
    if isinstance(node, list):
        return [_without(item, unsaid=unsaid) for item in node]
    if not isinstance(node, dict):
        return node
    left_out = {UNSAID, *_LIMITS} if unsaid and UNSAID in node else {UNSAID}
    return {
        key: _without(value, unsaid=unsaid)
        for key, value in node.items()
        if key not in left_out and not (unsaid and (key, value) == _TAKEN_FOR_GRANTED)
    }


def _without_null(node: dict[str, Any]) -> dict[str, Any]:
    """An optional argument is one that may be left out; clients need not be told about null."""
    options = node.get("anyOf")
    if not options or {"type": "null"} not in options or node.get("default", 0) is not None:
        return node
    left = [option for option in options if option != {"type": "null"}]
    rest = {key: value for key, value in node.items() if key not in ("anyOf", "default")}
    return {**left[0], **rest} if len(left) == 1 else {**rest, "anyOf": left}
