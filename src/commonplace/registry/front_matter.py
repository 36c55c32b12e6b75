"""Parses the YAML front matter of a SKILL.md into text, lists and mappings, within tight limits.

Anchors, aliases and tags are refused, so the result cannot be larger than the text or name a type.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from commonplace.errors import InvalidArgument, Issue

MAX_CHARS = 32_000
MAX_DEPTH = 8
MAX_NODES = 2_000

Value = str | list[Any] | dict[str, Any] | None

_BLOCK = re.compile(r"---[ \t]*\r?\n(?P<yaml>.*?\r?\n|)---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})


@dataclass(frozen=True, slots=True)
class Parts:
    """A file split in two; `head` and `body` together are the whole file."""

    head: str
    body: str
    fields: dict[str, Any]


def split(text: str) -> Parts:
    """The front matter and the rest; InvalidArgument says what is wrong."""
    block = _BLOCK.match(text)
    if block is None:
        raise refused("The file must start with front matter: YAML between two --- lines.")
    if len(block["yaml"]) > MAX_CHARS:
        raise refused(f"The front matter may have at most {MAX_CHARS:,} characters.")
    fields = _read(block["yaml"])
    if not isinstance(fields, dict):
        raise refused("The front matter must be a mapping of names to values.")
    return Parts(block[0], text[block.end() :], fields)


def refused(message: str, *path: str | int) -> InvalidArgument:
    return InvalidArgument(
        f"{'.'.join(map(str, path))}: {message}" if path else message,
        field="skill_md_content",
        issues=(Issue(path, message),),
    )


def _read(text: str) -> Value:
    import yaml

    try:
        return _Reader(yaml.parse(text, Loader=yaml.SafeLoader)).document()
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 2 if error.problem_mark else 1
        raise refused(
            f"The front matter is not valid YAML (line {line}): {error.problem}. "
            "A value with a colon, a hash or brackets needs quotes."
        ) from None
    except yaml.YAMLError:
        raise refused("The front matter is not valid YAML: it has a forbidden character.") from None


class _Reader:
    """Builds values from parser events; scalars stay text as written."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._nodes = 0

    def document(self) -> Value:
        value: Value = None
        documents = 0
        for event in self._events:
            kind = type(event).__name__
            if kind == "DocumentStartEvent":
                documents += 1
            elif kind not in ("StreamStartEvent", "StreamEndEvent", "DocumentEndEvent"):
                value = self._value(event, ())
        if documents > 1:
            raise refused("The front matter must be one YAML document.")
        return value

    def _value(self, event: Any, path: tuple[str | int, ...]) -> Value:
        self._guard(event, path)
        match type(event).__name__:
            case "ScalarEvent":
                is_null = event.implicit[0] and event.value in _NULLS
                return None if is_null else str(event.value)
            case "SequenceStartEvent":
                return self._sequence(path)
            case _:
                return self._mapping(path)

    def _guard(self, event: Any, path: tuple[str | int, ...]) -> None:
        self._nodes += 1
        if type(event).__name__ == "AliasEvent" or event.anchor is not None:
            raise refused("YAML anchors and aliases are not allowed.", *path)
        if event.tag is not None:
            raise refused("YAML tags are not allowed.", *path)
        if len(path) > MAX_DEPTH:
            raise refused(f"The front matter is nested more than {MAX_DEPTH} deep.")
        if self._nodes > MAX_NODES:
            raise refused(f"The front matter has more than {MAX_NODES:,} values.")

    def _sequence(self, path: tuple[str | int, ...]) -> list[Any]:
        items: list[Any] = []
        while type(event := next(self._events)).__name__ != "SequenceEndEvent":
            items.append(self._value(event, (*path, len(items))))
        return items

    def _mapping(self, path: tuple[str | int, ...]) -> dict[str, Any]:
        fields: dict[str, Any] = {}
        while type(event := next(self._events)).__name__ != "MappingEndEvent":
            if type(event).__name__ != "ScalarEvent":
                raise refused("A name must be plain text.", *path)
            self._guard(event, path)
            name = str(event.value)
            if name in fields:
                raise refused("This name is given twice.", *path, name)
            fields[name] = self._value(next(self._events), (*path, name))
        return fields
