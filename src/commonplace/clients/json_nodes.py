"""A parser of JSON with comments and trailing commas that records the position of every value.

`json_text` uses the positions to edit a file.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

_SPACE = " \t\r\n"
_SCALAR = re.compile(r"(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])")
_DECODER = json.JSONDecoder()
_DEEPEST = 100


class JsonUnreadable(ValueError):
    """The text is not JSON, with or without comments."""


@dataclass(frozen=True, slots=True)
class JsonMember:
    """A member of an object, with the positions of its name and its value."""

    name: str
    start: int
    node: JsonNode


@dataclass(frozen=True, slots=True)
class JsonNode:
    """A value and its range in the text; `members` if it is an object."""

    start: int
    end: int
    value: Any
    members: tuple[JsonMember, ...] = ()

    @property
    def is_object(self) -> bool:
        return isinstance(self.value, dict)


def parse(text: str) -> JsonNode:
    """The value in a text; JsonUnreadable for anything else."""
    reader = _JsonReader(text)
    node = reader.value(reader.skip(0), 0)
    end = reader.skip(node.end)
    if end != len(text):
        raise reader.problem("something follows the end of the document", end)
    return node


def content_end(text: str, start: int, end: int) -> int:
    """The end of the last comma or comment between two values; `start` if there is none."""
    at, last = start, start
    while at < end:
        if text[at] in _SPACE:
            at += 1
        else:
            at = comment_end(text, at) if text[at] == "/" else at + 1
            last = at
    return last


def comment_end(text: str, at: int) -> int:
    """The end of the comment at a position; without the line break of a line comment."""
    return _JsonReader(text).comment(at)


class _JsonReader:
    def __init__(self, text: str) -> None:
        self._text = text

    def problem(self, what: str, at: int) -> JsonUnreadable:
        line = self._text.count("\n", 0, at) + 1
        return JsonUnreadable(f"{what}, in line {line}")

    def skip(self, at: int) -> int:
        """The next position that is neither white space nor in a comment."""
        while at < len(self._text):
            if self._text[at] in _SPACE:
                at += 1
            elif self._text.startswith(("//", "/*"), at):
                at = self.comment(at)
            else:
                break
        return at

    def comment(self, at: int) -> int:
        """The end of the comment at a position; without the line break of a line comment."""
        if self._text.startswith("//", at):
            found = self._text.find("\n", at)
            line = self._text[at : len(self._text) if found < 0 else found]
            return at + len(line.rstrip("\r"))
        found = self._text.find("*/", at + 2)
        if found < 0:
            raise self.problem("a comment is not closed", at)
        return found + 2

    def value(self, at: int, depth: int) -> JsonNode:
        if depth > _DEEPEST:
            raise self.problem("it is nested too deeply", at)
        opening = self._text[at : at + 1]
        if opening == "{":
            return self._object(at, depth)
        if opening == "[":
            return self._array(at, depth)
        if opening == '"':
            value, end = self._string(at)
            return JsonNode(at, end, value)
        scalar = _SCALAR.match(self._text, at)
        if scalar is None:
            raise self.problem("a value is missing or misspelt", at)
        return JsonNode(at, scalar.end(), json.loads(scalar.group()))

    def _string(self, at: int) -> tuple[str, int]:
        try:
            value, end = _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            raise self.problem("a string is not valid or not closed", error.pos) from None
        return value, end

    def _object(self, at: int, depth: int) -> JsonNode:
        members: list[JsonMember] = []
        here = self.skip(at + 1)
        while self._text[here : here + 1] != "}":
            if self._text[here : here + 1] != '"':
                raise self.problem("a name in quotes is expected", here)
            name, end = self._string(here)
            colon = self.skip(end)
            if self._text[colon : colon + 1] != ":":
                raise self.problem("a colon is missing", colon)
            node = self.value(self.skip(colon + 1), depth + 1)
            members.append(JsonMember(name, here, node))
            here = self._next(node.end, "}")
        value = {member.name: member.node.value for member in members}
        return JsonNode(at, here + 1, value, tuple(members))

    def _array(self, at: int, depth: int) -> JsonNode:
        values: list[Any] = []
        here = self.skip(at + 1)
        while self._text[here : here + 1] != "]":
            node = self.value(here, depth + 1)
            values.append(node.value)
            here = self._next(node.end, "]")
        return JsonNode(at, here + 1, values)

    def _next(self, end: int, closing: str) -> int:
        """The position after the comma that follows a value, or of the closing bracket."""
        at = self.skip(end)
        if self._text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self._text[at : at + 1] != closing:
            raise self.problem(f"a comma or {closing} is missing", at)
        return at
