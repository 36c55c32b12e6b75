"""Arguments of the `memory` dialect, with compact schemas."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, model_validator

from commonplace.memory.times import readable
from commonplace.model.thought import plain_kind
from commonplace.surfaces.arguments import Arguments
from commonplace.text.gate import unstorable

# Bounds left out of schemas: few callers come near them, and the error message explains them.
_OMITTED = frozenset({"maxLength", "minLength", "maxItems", "minimum", "maximum"})
_NUMBER = re.compile(r"[-+]?\d{1,9}(?:\.\d{1,9})?")
_FLAGS = {"true": True, "false": False}


def _listed(given: object) -> object:
    if not isinstance(given, str):
        return given
    if given.startswith("["):
        return _parsed(given)
    return list(filter(None, map(str.strip, given.split(",")))) if "," in given else [given]


def _parsed(given: str) -> object:
    """The names in a JSON list; its escapes may stand for what no store can hold."""
    try:
        names = json.loads(given)
    except (RecursionError, ValueError):
        return [given]
    for name in names:
        if isinstance(name, str) and (problem := unstorable(name)):
            raise ValueError(problem.removesuffix("."))
    return names


# Accepts a list as many models send it: one name, names with commas between them, or JSON as text.
# Must come last in `Annotated`.
LISTED = BeforeValidator(_listed)

# A time, or a span such as `7d`.
Time = Annotated[str, Field(max_length=50), AfterValidator(readable)]


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


def _types(annotation: object) -> Iterator[object]:
    """The types that an annotation allows, without None and without what is said of them."""
    if get_origin(annotation) in (Union, UnionType):
        for one in get_args(annotation):
            yield from _types(one)
    elif get_origin(annotation) is Annotated:
        yield from _types(get_args(annotation)[0])
    elif annotation is not NoneType:
        yield annotation


def _choices(types: Iterable[object]) -> Mapping[str, str]:
    """The values of enumerated types, by how they may be spelled."""
    enumerated = (one for one in types if isinstance(one, type) and issubclass(one, StrEnum))
    return {plain_kind(value): value for each in enumerated for value in each}


def _as_meant(given: object, annotation: object) -> object:
    """A choice in other letters, a flag or number as text, and text as a number."""
    types = set(_types(annotation))
    if isinstance(given, str) and (choices := _choices(types)):
        return choices.get(plain_kind(given), given)
    if isinstance(given, str) and bool in types:
        return _FLAGS.get(given.strip().lower(), given)
    if isinstance(given, str) and types & {int, float} and _NUMBER.fullmatch(given.strip()):
        return float(given) if "." in given or int not in types else int(given)
    return str(given) if type(given) is int and types == {str} else given


class MemoryArguments(Arguments):
    """Base of the dialect's arguments. The schema omits bounds, as every client sends it to its
    model."""

    model_config = ConfigDict(json_schema_extra=_brief)

    @model_validator(mode="before")
    @classmethod
    def _as_models_write(cls, given: Any) -> Any:
        """Read arguments as models write them: blank text means that an optional one is not set."""
        if not isinstance(given, dict):
            return given
        fields = cls.model_fields
        return {
            name: _as_meant(value, fields[name].annotation) if name in fields else value
            for name, value in given.items()
            if name not in fields or fields[name].is_required() or not _is_blank(value)
        }


def _is_blank(given: object) -> bool:
    return isinstance(given, str) and not given.strip()
