"""Edits our own section in a file of instructions, between two marks; the rest stays."""

from __future__ import annotations

import re

BEGIN = "<!-- commonplace: begin -->"
END = "<!-- commonplace: end -->"
_BLOCK = re.compile(rf"(?:\r?\n)?{re.escape(BEGIN)}.*?{re.escape(END)}(?:\r?\n)?", re.DOTALL)


class MarkdownUnreadable(ValueError):
    """The marks do not form one pair."""


def put(text: str, paragraph: str) -> str:
    """The text with the section: replacing the old one, else at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{paragraph.strip()}\n{END}\n".replace("\n", newline)
    if _found(text):
        start = text.index(BEGIN)
        end = text.index(END) + len(END)
        return text[:start] + block.rstrip("\r\n") + text[end:]
    before = text if not text or text.endswith("\n") else text + newline
    return before + (newline if before.strip() else "") + block


def drop(text: str) -> str:
    return _BLOCK.sub("", text, count=1) if _found(text) else text


def _found(text: str) -> bool:
    marks = (text.count(BEGIN), text.count(END))
    if marks not in ((0, 0), (1, 1)):
        raise MarkdownUnreadable("the marks around our section are duplicate or incomplete")
    return marks == (1, 1)
