"""Edits one table in a TOML text and preserves everything else: comments and order."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

_HEADER = re.compile(r"^\s*\[{1,2}(?P<name>[^\[\]]+)\]{1,2}\s*(?:#.*)?$")
_BARE = re.compile(r"[A-Za-z0-9_-]+")


class TomlUnreadable(ValueError):
    """The text is not TOML, or has a form that cannot be edited here."""


def read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise TomlUnreadable(str(error)[:1].lower() + str(error)[1:]) from None
    except RecursionError:
        raise TomlUnreadable("it is nested too deeply") from None


def put(text: str, path: Sequence[str], value: Mapping[str, Any]) -> str:
    """The text with a table at a path: replacing the old one, else at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    rows = (f"{_key(k)} = {_written(value[k])}" for k in value)
    table = [f"[{'.'.join(map(_key, path))}]", *rows]
    lines = text.splitlines(keepends=True)
    if _at(read(text), path) is not None:
        start, end = _block(lines, path)
        lines[start:end] = [line + newline for line in table]
        return "".join(lines)
    before = text if not text or text.endswith("\n") else text + newline
    gap = newline if before.strip() else ""
    return before + gap + "".join(line + newline for line in table)


def drop(text: str, path: Sequence[str]) -> str:
    """The text without the table at a path and the empty line before it."""
    if _at(read(text), path) is None:
        return text
    lines = text.splitlines(keepends=True)
    start, end = _block(lines, path)
    if start and not lines[start - 1].strip():
        start -= 1
    return "".join(lines[:start] + lines[end:])


def _at(document: Mapping[str, Any], path: Sequence[str]) -> Any:
    found: Any = document
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _block(lines: Sequence[str], path: Sequence[str]) -> tuple[int, int]:
    """The lines of a table and its subtables, without comments that belong to the next table."""
    headings = [_heading(line) for line in lines]
    start = next((i for i, name in enumerate(headings) if name == tuple(path)), None)
    if start is None:
        where = ".".join(path)
        raise TomlUnreadable(f"{where} exists, but not under a header [{where}]")
    end = start + 1
    while end < len(lines) and (headings[end] or tuple(path))[: len(path)] == tuple(path):
        end += 1
    while end > start + 1 and not lines[end - 1].split("#")[0].strip():
        end -= 1
    return start, end


def _heading(line: str) -> tuple[str, ...] | None:
    """The path in a table header; None for any other line."""
    header = _HEADER.match(line)
    if header is None:
        return None
    try:
        table: Any = tomllib.loads(f"{header['name']} = 0")
    except (tomllib.TOMLDecodeError, RecursionError):
        return None
    path: list[str] = []
    while isinstance(table, dict):
        name, table = next(iter(table.items()))
        path.append(name)
    return tuple(path)


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else _written(name)


def _written(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {_written(value[k])}" for k in value) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_written, value)) + "]"
    if isinstance(value, str | bool | int | float):
        return json.dumps(value, ensure_ascii=False)
    raise TomlUnreadable(f"{value!r} cannot be written")
