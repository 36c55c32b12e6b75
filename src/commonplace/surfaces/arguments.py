"""Base models for tool arguments: no silent conversions, no unknown arguments."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from commonplace.errors import InvalidArgument, Issue
from commonplace.surfaces.schema import UNLISTED
from commonplace.text.gate import unstorable
from commonplace.text.normalise import nfc

Path = tuple[str | int, ...]

# Far below what readers and writers of JSON take, who differ in it.
DEEPEST = 100


class Arguments(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        """Treat null as absent: many clients send null for every argument that is not set."""
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None}


class CamelArguments(Arguments):
    """Arguments with names in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=False)


def _whole(number: object) -> object:
    """Accept 10.0 for 10: JSON does not distinguish integers from floats."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


# Must come last in `Annotated`: bounds before it appear in the schema, bounds after it do not.
WHOLE = BeforeValidator(_whole)
NOT_BLANK = AfterValidator(_not_blank)
# For text that is compared with stored text.
NORMAL = AfterValidator(nfc)
# Marks limits that no contract prescribes. The listed schema omits them to save context: few
# callers reach them, and the error explains them.
OWN_LIMIT = Field(json_schema_extra={UNLISTED: True})


def refuse_unstorable(arguments: Mapping[str, Any]) -> None:
    """Raise InvalidArgument for texts, numbers and nesting that cannot be stored, searched for or
    sent back."""
    for path, value in _values(arguments):
        if problem := _problem_of(value):
            where = ".".join(map(str, path))
            issue = Issue(path, problem)
            field = str(path[0]) if path else None
            raise InvalidArgument(f"{where or 'a name'} {problem}", field=field, issues=(issue,))


def _problem_of(value: object) -> str | None:
    if isinstance(value, str):
        return unstorable(value)
    if isinstance(value, float):
        # Python also reads numbers that JSON does not have, or that are too large for a float.
        return None if math.isfinite(value) else "must be a finite number."
    return f"may be nested at most {DEEPEST} deep."


def _values(arguments: Mapping[str, Any]) -> Iterator[tuple[Path, object]]:
    """Every string and fraction in a document, with its path. The path of a key is that of its
    object; what is nested too deep has the path of the argument that it is in."""
    pending: list[tuple[Path, Any]] = [((), arguments)]
    while pending:
        path, node = pending.pop()
        if isinstance(node, str | float):
            yield path, node
        elif isinstance(node, Mapping | list) and len(path) > DEEPEST:
            yield path[:1], node
        elif isinstance(node, Mapping):
            yield from ((path, name) for name in node)
            pending.extend(((*path, name), child) for name, child in node.items())
        elif isinstance(node, list):
            pending.extend(((*path, index), child) for index, child in enumerate(node))
