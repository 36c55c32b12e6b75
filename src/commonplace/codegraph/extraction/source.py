"""The text of one file: words by node, and lines by offset.

Nodes only provide offsets; lines and names are read here, and each name is decoded once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import CodePosition

if TYPE_CHECKING:
    from tree_sitter import Node

_QUOTES = frozenset({"'", '"'})


def inner_nodes(node: Node) -> list[Node]:
    """The named children of a node, without comments, which may stand anywhere."""
    return [child for child in node.named_children if not child.is_extra]


class SourceText:
    """The bytes of a file, with lines, positions and words by offset or node."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        lines = data.split(b"\n")
        self.lines = len(lines) - (not lines[-1])
        self._starts = [0, *accumulate(len(line) + 1 for line in lines)]
        # Byte and character columns only differ in lines that are not ASCII.
        self._wide = (
            {}
            if data.isascii()
            else {number: line for number, line in enumerate(lines) if not line.isascii()}
        )
        self._words = _Words()

    def line(self, offset: int) -> int:
        return bisect_right(self._starts, offset) - 1

    def position(self, offset: int) -> CodePosition:
        line = bisect_right(self._starts, offset) - 1
        column = offset - self._starts[line]
        if line in self._wide:
            column = len(self._wide[line][:column].decode(errors="replace"))
        return CodePosition(line, column)

    def text(self, node: Node) -> str:
        return self.data[node.start_byte : node.end_byte].decode(errors="replace")

    def word(self, node: Node | None) -> str:
        """The text of a name, without quotes."""
        return "" if node is None else self._words[self.data[node.start_byte : node.end_byte]]

    def words(self, starts: Iterable[int], ends: Iterable[int]) -> Iterator[str]:
        data, words = self.data, self._words
        return (words[data[start:end]] for start, end in zip(starts, ends, strict=True))


def place_among_siblings(node: Node) -> int:
    siblings = inner_nodes(node.parent) if node.parent is not None else []
    return next((number for number, each in enumerate(siblings) if each == node), 0)


class _Words(dict[bytes, str]):
    """A cache of decoded names, without quotes."""

    def __missing__(self, written: bytes) -> str:
        text = written.decode(errors="replace")
        word = self[written] = text[1:-1] if text[:1] in _QUOTES else text
        return word
