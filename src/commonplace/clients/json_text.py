"""Edits one value in a JSON text and preserves everything else: comments, order and style."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from commonplace.clients.json_nodes import JsonNode, JsonUnreadable, comment_end, content_end, parse

_INDENT = "  "


def read(text: str) -> Any:
    """The value of a text; an empty object for an empty text."""
    return parse(text).value if text.strip() else {}


def put(text: str, path: Sequence[str], value: Any) -> str:
    """The text with a value set at a path; missing objects on the path are created."""
    if not text.strip():
        text = "{}\n"
    node, depth = parse(text), 0
    while True:
        _expect_object(node, path[:depth])
        child = _child(node, path[depth])
        if child is None:
            for name in reversed(path[depth + 1 :]):
                value = {name: value}
            return _insert(text, node, path[depth], value)
        depth += 1
        node = child
        if depth == len(path):
            flat = _is_flat(text, node)
            written = _written(value, _indent_of(text, node.start), text, compact=flat)
            return text[: node.start] + written + text[node.end :]


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the value at a path, and without objects that become empty."""
    parents, node = [], parse(text)
    for name in path:
        child = _child(node, name)
        if child is None:
            return text
        parents.append(node)
        node = child
    while len(parents) > 1 and len(parents[-1].members) == 1:
        parents.pop()
    return _remove(text, parents[-1], path[len(parents) - 1])


def has_comments(text: str) -> bool:
    """Whether a text is not plain JSON, so that deleting it would lose comments."""
    try:
        json.loads(text)
    except ValueError:
        return True
    return False


def _expect_object(node: JsonNode, path: Sequence[str]) -> None:
    if not node.is_object:
        where = ".".join(path) or "the document"
        raise JsonUnreadable(f"{where} is not an object")


def _child(node: JsonNode, name: str) -> JsonNode | None:
    found = [member.node for member in node.members if member.name == name]
    if len(found) > 1:
        raise JsonUnreadable(f"{name} occurs twice")
    return found[0] if found else None


def _insert(text: str, node: JsonNode, name: str, value: Any) -> str:
    """Insert a member at the end of an object, in the style of the others."""
    if not node.members:
        return _fill(text, node, name, value)
    last = node.members[-1]
    last_end = last.node.end
    content_ends = content_end(text, last_end, node.end - 1)
    between = text[last_end:content_ends]
    comma_last = _has_comma(between)
    if _is_flat(text, node):
        member = f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
        return text[:last_end] + ", " + member + text[last_end:]
    indent = _indent_of(text, last.start)
    member = f"{json.dumps(name)}: {_written(value, indent, text)}{',' if comma_last else ''}"
    comma = "" if comma_last else ","
    added = f"{_newline(text)}{indent}{member}"
    return text[:last_end] + comma + between + added + text[content_ends:]


def _fill(text: str, node: JsonNode, name: str, value: Any) -> str:
    """Insert the first member of an empty object, after any comments in it."""
    outer = _indent_of(text, node.start)
    indent, newline = outer + _step(text), _newline(text)
    content_ends = content_end(text, node.start + 1, node.end - 1)
    member = f"{indent}{json.dumps(name)}: {_written(value, indent, text)}"
    return text[:content_ends] + newline + member + newline + outer + text[node.end - 1 :]


def _remove(text: str, node: JsonNode, name: str) -> str:
    index = next(i for i, member in enumerate(node.members) if member.name == name)
    member = node.members[index]
    if len(node.members) == 1:
        rest = text[node.start + 1 : member.start] + text[member.node.end : node.end - 1]
        if not rest.strip(" \t\r\n,"):
            return text[: node.start] + "{}" + text[node.end :]
    comma = _comma_after(text, member.node.end, node.end - 1)
    cuts = [_whole_lines(text, member.start, comma or member.node.end)]
    if not comma and index:
        ahead = _comma_after(text, node.members[index - 1].node.end, member.start)
        if text[ahead : member.start].strip():
            cuts.append((ahead - 1, ahead))
        else:
            cuts = [(ahead - 1, member.node.end)]
    for start, end in cuts:
        text = text[:start] + text[end:]
    return text


def _whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """The range, extended by the preceding line break if nothing else is in its lines."""
    line = text.rfind("\n", 0, start) + 1
    if text[line:start].strip():
        while text[end : end + 1] == " ":
            end += 1
        return start, end
    return (line - 2 if text[line - 2 : line] == "\r\n" else max(line - 1, 0)), end


def _comma_after(text: str, start: int, limit: int) -> int:
    """The position after the comma that follows a value; 0 if there is none."""
    at = start
    while at < limit and text[at] != ",":
        at = comment_end(text, at) if text[at] == "/" else at + 1
    return at + 1 if at < limit else 0


def _has_comma(between: str) -> bool:
    return _comma_after(between, 0, len(between)) > 0


def _is_flat(text: str, node: JsonNode) -> bool:
    return bool(node.members) and "\n" not in text[node.start : node.end]


def _written(value: Any, indent: str, text: str, *, compact: bool = False) -> str:
    if compact:
        return json.dumps(value, ensure_ascii=False)
    lines = json.dumps(value, ensure_ascii=False, indent=_step(text)).split("\n")
    return (_newline(text) + indent).join(lines)


def _indent_of(text: str, at: int) -> str:
    """The indentation of the line at a position."""
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip(" \t"))]


def _step(text: str) -> str:
    """One level of indentation in a text, taken from its first indented line."""
    for line in text.split("\n"):
        space = line[: len(line) - len(line.lstrip(" \t"))]
        if space and line.strip().startswith('"'):
            return space
    return _INDENT


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"
