"""Finds the comment that states the purpose of a code file, as a part of its own.

Pure. It is not indented: a docstring before everything else, or the first comment that is about the
code and neither a licence nor an instruction to a tool.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from commonplace.text.count import estimate_tokens
from commonplace.workspace.indexing.cutting import Part

# Later comments are seldom about the whole file; a long comment states the purpose first.
_READ_CHARS = 30_000
_MOST_CHARS = 1_200
_LEAST_WORDS = 4
_DOCSTRING = re.compile(
    r"\A(?:#[^\n]*+\n|\s)*+[rR]?(?P<said>(\"\"\"|''').*?\2)", re.DOTALL | re.MULTILINE
)
_SLASHES = re.compile(r"^/\*.*?(?:\*/|\Z)|(?:^//[^\n]*(?:\n|\Z))+", re.DOTALL | re.MULTILINE)
_HASHES = re.compile(r"(?:^#(?!!)[^\n]*(?:\n|\Z))+", re.MULTILINE)
_BY_HASHES = frozenset({"python", "ruby"})
_OF_OTHER_THINGS = re.compile(
    r"licen[cs]e|copyright|spdx|\A\W*(?:eslint|tslint|prettier|istanbul|@ts-|-\*-)", re.IGNORECASE
)
_WORD = re.compile(r"[^\W\d_]{2,}")


def opening_of(text: str, language: str) -> Part | None:
    for start, end in _comments(text[:_READ_CHARS], language):
        said = text[start:end]
        if not _OF_OTHER_THINGS.search(said) and len(_WORD.findall(said)) >= _LEAST_WORDS:
            return _part(text, start, end)
    return None


def _comments(text: str, language: str) -> Iterator[tuple[int, int]]:
    docstring = _DOCSTRING.match(text) if language == "python" else None
    if docstring:
        yield docstring.span("said")
    pattern = _HASHES if language in _BY_HASHES else _SLASHES
    yield from (found.span() for found in pattern.finditer(text) if _is_whole(found[0]))


def _is_whole(comment: str) -> bool:
    return not comment.startswith("/*") or comment.endswith("*/")


def _part(text: str, start: int, end: int) -> Part:
    """The comment as a part, cut after a line if it is too long."""
    if end - start > _MOST_CHARS:
        line_end = text.rfind("\n", start, start + _MOST_CHARS)
        end = line_end if line_end > start else start + _MOST_CHARS
    said = text[start:end].rstrip()
    first = text.count("\n", 0, start) + 1
    last = first + said.count("\n")
    return Part(start, start + len(said), first, last, estimate_tokens(said))
