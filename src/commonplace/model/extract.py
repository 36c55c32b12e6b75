"""What reading a file or page gives: its text, and what each part of the text is."""

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
    """A part of the text, from `start` to before `end`; a heading has a level and its words."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Extract:
    """Blocks are in order and leave out nothing but white space; `pages` are where pages begin."""

    text: str
    blocks: tuple[Block, ...]
    pages: tuple[int, ...] = ()
    title: str = ""
