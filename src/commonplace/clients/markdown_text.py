"""Edits our own section in a file of instructions, between two marks; the rest stays."""

from __future__ import annotations

BEGIN = "<!-- commonplace: begin -->"
END = "<!-- commonplace: end -->"


class MarkdownUnreadable(ValueError):
    """The marks do not form one pair."""


def put(text: str, paragraph: str) -> str:
    """The text with the section: replacing the old one, else at the end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    block = f"{BEGIN}\n{paragraph.strip()}\n{END}\n".replace("\n", newline)
    if section := _section(text):
        return text[: section.start] + block.rstrip("\r\n") + text[section.stop :]
    before = text if not text or text.endswith("\n") else text + newline
    return before + (newline if before.strip() else "") + block


def drop(text: str) -> str:
    """The text without the section, and without a line break before and after it."""
    section = _section(text)
    if section is None:
        return text
    before, after = text[: section.start], text[section.stop :]
    if before.endswith("\n"):
        before = before[:-1].removesuffix("\r")
    if after.startswith(("\n", "\r\n")):
        after = after.removeprefix("\r")[1:]
    return before + after


def _section(text: str) -> slice | None:
    marks = (text.count(BEGIN), text.count(END))
    if marks == (0, 0):
        return None
    start, end = text.find(BEGIN), text.find(END)
    if marks != (1, 1) or end < start:
        raise MarkdownUnreadable("the marks around our section are duplicate or incomplete")
    return slice(start, end + len(END))
