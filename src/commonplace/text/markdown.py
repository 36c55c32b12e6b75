"""Markdown: its code, the comments that readers do not see, and how much structure it has."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

_CODE = re.compile(
    r"^(?P<fence>`{3,9}|~{3,9})[^\n]*\n.*?(?:^(?P=fence)[`~]*[ \t]*$|\Z)"
    r"|(?<!`)(?P<ticks>`{1,8})(?!`)[^\n]{1,300}?(?<!`)(?P=ticks)(?!`)",
    re.MULTILINE | re.DOTALL,
)
_COMMENT = re.compile(r"<!--(?P<text>.*?)(?:-->|\Z)", re.DOTALL)
_HEADING = re.compile(r"^#{1,6}[ \t]+\S", re.MULTILINE)
_STEP = re.compile(r"^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\S", re.MULTILINE)
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Stripped:
    """A text without its HTML comments, and those comments."""

    text: str
    comments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class MarkdownShape:
    """Counts of what makes instructions useful."""

    words: int
    sections: int
    steps: int


def without_comments(text: str) -> Stripped:
    """Remove the HTML comments that a rendered page hides; comments inside code are visible and
    stay."""
    code = [match.span() for match in _CODE.finditer(text)]
    starts = [start for start, _ in code]
    kept: list[str] = []
    found: list[str] = []
    end = 0
    for comment in _COMMENT.finditer(text):
        before = bisect_right(starts, comment.start()) - 1
        if before >= 0 and comment.start() < code[before][1]:
            continue
        kept.append(_separated(text[end : comment.start()]))
        found.append(comment["text"])
        end = comment.end()
    return Stripped("".join([*kept, text[end:]]), tuple(found))


def _separated(piece: str) -> str:
    """Add a space, so that the text around a removed comment cannot form a new one."""
    return f"{piece} " if piece.endswith(("<", "<!", "<!-")) else piece


def without_code(text: str) -> str:
    return _CODE.sub("", text)


def shape_of(body: str) -> MarkdownShape:
    fences = len(_FENCE.findall(body)) // 2
    return MarkdownShape(
        words=len(_WORD.findall(body)),
        sections=len(_HEADING.findall(body)),
        steps=len(_STEP.findall(body)) + fences,
    )
