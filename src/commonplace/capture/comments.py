"""Comments of code as prose: without their marks, apart from the code that they are about.

The classifier has learned comments without marks, and a title needs none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_OPENED = re.compile(r"[ \t]*/\*[*!]?[ \t]?")
_STARRED = re.compile(r"[ \t]*\*(?!/)(?:[ \t]|(?=\n|\Z))")
_CLOSED = "*/"
_SLASHED = re.compile(r"[ \t]*(?://+!?(?:[ \t]|(?=\n|\Z))|--[ \t](?=\w))")
_INTERPRETER = re.compile(r"#![ \t]{0,3}/")
# Two in a row: one alone is a heading.
_HASHED = re.compile(r"[ \t]*#(?:[ \t](?=\S)|[ \t]*(?=\n|\Z))")
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)


def uncommented(text: str) -> str:
    """The text with the marks of comments removed; one with fenced code stays as it is."""
    if not any(mark in text for mark in ("//", "/*", "#", "--")) or _FENCE.search(text):
        return text
    written: list[str] = []
    said_before = False
    for line, said in _lines(text.splitlines(keepends=True)):
        if said_before and not said and line.strip():
            written.append("\n")
        written.append(line)
        said_before = said
    return "".join(written)


def _lines(lines: list[str]) -> Iterator[tuple[str, bool]]:
    """Each line without marks, and whether it is of a comment."""
    inside = False
    for at, line in enumerate(lines):
        opened = _OPENED.match(line)
        if inside or opened:
            mark = opened or _STARRED.match(line)
            body, closed, rest = line[mark.end() if mark else 0 :].partition(_CLOSED)
            inside = not closed
            bare = (opened or closed) and not body.strip()
            yield "" if bare else body.rstrip() + (rest or "\n"), True
        elif _INTERPRETER.match(line):
            yield "", False
        elif mark := _SLASHED.match(line) or (
            _HASHED.match(line) if _is_hashed(lines, at) else None
        ):
            yield line[mark.end() :], True
        else:
            yield line, False


def _is_hashed(lines: list[str], at: int) -> bool:
    """Whether a line beside this one is a comment after `#` too."""
    beside = lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]
    return any(map(_HASHED.match, beside))
