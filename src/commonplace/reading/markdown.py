"""Reads Markdown: the text unchanged, with blocks found by a CommonMark parser."""

from __future__ import annotations

import re
from itertools import accumulate

from markdown_it import MarkdownIt
from markdown_it.token import Token

from commonplace.model.extract import Block, BlockKind, Extract
from commonplace.reading.building import storable
from commonplace.reading.plain import read_plain

_KINDS = {
    "heading_open": BlockKind.HEADING,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "table_open": BlockKind.TABLE,
    "fence": BlockKind.CODE,
    "code_block": BlockKind.CODE,
}
_MARKS = re.compile(r"!?\[([^\[\]]*+)\]\([^)\[]*+\)|[*`]+|(?<!\w)_+|(?<!_)_++(?!\w)|\s#+$")
_FRONT_MATTER = re.compile(r"---\n.*?\n(?:---|\.\.\.)(?:\n|\Z)", re.DOTALL)


def read_markdown(text: str) -> Extract:
    text = storable(text)
    front = _FRONT_MATTER.match(text)
    head = text[: front.end()] if front else ""
    blocks = list(read_plain(head).blocks)
    blocks += _blocks(text, len(head))
    titles = [block.title for block in blocks if block.kind is BlockKind.HEADING]
    return Extract(text, tuple(blocks), title=titles[0] if titles else "")


def _blocks(text: str, offset: int) -> list[Block]:
    """The outermost blocks; lines outside any (link definitions) become text."""
    body = text[offset:]
    starts = [offset, *accumulate((len(line) + 1 for line in body.split("\n")), initial=offset)]
    starts = starts[1:]
    tokens = MarkdownIt("commonmark").enable("table").parse(body)
    found: list[Block] = []
    position = offset
    for index, token in enumerate(tokens):
        if token.level or not token.map or token.nesting < 0:
            continue
        start, end = starts[token.map[0]], min(starts[token.map[1]], len(text))
        if start < position:
            continue
        found += _gap(text, position, start)
        found += _block(text, token, tokens[index + 1 : index + 2], start, end)
        position = end
    return found + _gap(text, position, len(text))


def _block(text: str, token: Token, following: list[Token], start: int, end: int) -> list[Block]:
    trimmed = _trimmed(text, start, end)
    if trimmed is None:
        return []
    kind = _KINDS.get(token.type, BlockKind.TEXT)
    if kind is not BlockKind.HEADING:
        return [Block(kind, *trimmed)]
    words = following[0].content if following else ""
    return [Block(kind, *trimmed, level=int(token.tag[1:]), title=_plain_words(words))]


def _gap(text: str, start: int, end: int) -> list[Block]:
    trimmed = _trimmed(text, start, end)
    return [Block(BlockKind.TEXT, *trimmed)] if trimmed else []


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    """A span without surrounding empty lines, but with the indentation of its first line."""
    body = text[start:end]
    if not body.strip():
        return None
    first = start + len(body) - len(body.lstrip())
    return text.rfind("\n", start, first) + 1 or start, start + len(body.rstrip())


def _plain_words(heading: str) -> str:
    """The words of a heading, without emphasis, code marks and link targets."""
    return " ".join(_MARKS.sub(r"\1", heading).split())
