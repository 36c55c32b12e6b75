"""Reads plain text: paragraphs are its only structure."""

from __future__ import annotations

import re

from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.reading.building import storable

_PARAGRAPH = re.compile(r"^[^\S\n]*+\S[^\n]*(?:\n[^\S\n]*+\S[^\n]*)*", re.MULTILINE)


def read_plain(text: str) -> Extract:
    text = storable(text)
    blocks = [
        Block(BlockKind.TEXT, found.start(), found.end()) for found in _PARAGRAPH.finditer(text)
    ]
    return Extract(text, tuple(blocks))
