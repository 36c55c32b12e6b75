"""Assembles a text block by block, and makes text storable."""

from __future__ import annotations

import re

from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.text.normalise import nfc

_LINE_END = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff\ufffe\uffff]")


class ExtractBuilder:
    """Builds an Extract; blocks are separated by an empty line."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._pages: list[int] = []

    def add(self, kind: BlockKind, text: str, level: int = 0, title: str = "") -> None:
        text = storable(text).strip("\n").rstrip()
        if not text.strip():
            return
        if self._parts:
            self._write("\n\n")
        start = self._length
        self._write(text)
        self._blocks.append(Block(kind, start, self._length, level, storable(title)))

    def begin_page(self) -> None:
        self._pages.append(self._length)

    def extract(self, title: str = "") -> Extract:
        return Extract(
            "".join(self._parts), tuple(self._blocks), tuple(self._pages), storable(title)
        )

    def _write(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)


def storable(text: str) -> str:
    """The text in normal form, with uniform line ends, without characters that no store can
    hold."""
    return nfc(_UNSTORABLE.sub("", _LINE_END.sub("\n", text)))
