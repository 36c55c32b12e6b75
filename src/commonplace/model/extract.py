"""The result of reading a file or page: its text, and the structure of that text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class BlockKind(StrEnum):
    HEADING = "heading"
    TEXT = "text"
    LIST = "list"
    TABLE = "table"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the text, from `start` up to but excluding `end`; headings have a level and a
    title."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Extract:
    """A text and its blocks in order, which cover all but white space.

    `pages` has the offsets at which pages begin.
    """

    text: str
    blocks: tuple[Block, ...]
    pages: tuple[int, ...] = ()
    title: str = ""
