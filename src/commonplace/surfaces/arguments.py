"""Arguments as every dialect takes them: nothing is converted silently, nothing unknown passes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel

from commonplace.errors import InvalidArgument, Issue
from commonplace.surfaces.schema import UNSAID
from commonplace.text.gate import unstorable
from commonplace.text.normalise import nfc

Path = tuple[str | int, ...]


class Given(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, given: Any) -> Any:
        """Many clients name every argument, and send null for those that they leave out."""
        if not isinstance(given, dict):
            return given
        return {name: value for name, value in given.items() if value is not None}


class CamelGiven(Given):
    """Arguments in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=False)


def _whole(number: object) -> object:
    """JSON has one kind of number: 10.0 is as whole as 10."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be blank")
    return text


# Stands last: bounds in front of it appear in the schema, bounds behind it do not.
WHOLE = BeforeValidator(_whole)
NOT_BLANK = AfterValidator(_not_blank)
# For what is compared with what is stored.
NORMAL = AfterValidator(nfc)
# Marks limits that no contract has: a refusal explains them, and hardly any caller comes near.
OURS = Field(json_schema_extra={UNSAID: True})


def refuse_unstorable(arguments: Mapping[str, Any]) -> None:
    """Whatever a tool is for: such a text can neither be looked for nor be sent back."""
    for path, text in _texts(arguments):
        if problem := unstorable(text):
            where = ".".join(map(str, path))
            issue = Issue(path, problem)
            field = str(path[0]) if path else None
            raise InvalidArgument(f"{where or 'a name'} {problem}", field=field, issues=(issue,))


def _texts(arguments: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    """Every text in a document of any depth, and where it stands; a name stands where its object
    does."""
    left: list[tuple[Path, Any]] = [((), arguments)]
    while left:
        path, node = left.pop()
        if isinstance(node, str):
            yield path, node
        elif isinstance(node, Mapping):
            yield from ((path, name) for name in node)
            left.extend(((*path, name), child) for name, child in node.items())
        elif isinstance(node, list):
            left.extend(((*path, index), child) for index, child in enumerate(node))
