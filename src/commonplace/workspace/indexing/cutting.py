"""Cuts a text into parts: one per symbol, several for a large one; tiny parts are merged.

Pure. Cuts between lines only; comments and decorators stay with the symbol below them.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from commonplace.model.chunk import SymbolMark
from commonplace.text.count import HUNDREDTHS, token_hundredths

# The bundled model reads 512 tokens at once; the estimate is on the high side.
MOST_TOKENS = 400
# Smaller parts say too little by themselves and are merged with a neighbour, up to this size.
TINY_TOKENS = 60
JOINED_TOKENS = 200
_BRACKET_TOKENS = 8
_LONGEST_LINE = 1_000
# How comments, decorators and attributes begin, which belong to the symbol below, in any language.
_LEADS = ("#", "/", "*", "@", "[", "--")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_WHOLE = ("function", "method", "constructor", "test")
_SMALL = ("variable", "constant", "field")


@dataclass(frozen=True, slots=True)
class CutSymbol:
    """A definition on the lines `first` to `last`, both counted from 0."""

    kind: str
    path: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text, from `start` to before `end`; lines count from 1."""

    start: int
    end: int
    first_line: int
    last_line: int
    tokens: int
    symbol: SymbolMark | None = None


def parts_of(text: str, symbols: Sequence[CutSymbol] = ()) -> list[Part]:
    """Parts that together contain everything but white space; without symbols, windows of lines."""
    rows = _Rows(text)
    nested = _nested([rows.placed(symbol) for symbol in symbols])
    return [rows.part(span) for span in _cut(rows, _Span(0, len(rows)), nested, whole=False)]


class _Span(NamedTuple):
    """Rows from `first` to before `after`. `own` is the weight of the symbol `mark` within it."""

    first: int
    after: int
    mark: SymbolMark | None = None
    own: int = 0


@dataclass(slots=True)
class _Node:
    """The rows of a symbol and the symbols inside it. Mutable while the tree is built."""

    symbol: CutSymbol
    first: int
    after: int
    inner: list[_Node]

    @property
    def mark(self) -> SymbolMark:
        return SymbolMark(self.symbol.kind, self.symbol.path)


class _Rows:
    """The lines of a text; an overlong line counts as several rows."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts: list[int] = []
        self._lines: list[int] = []
        at = 0
        for number, line in enumerate(_LINE.findall(text)):
            for offset in range(0, len(line), _LONGEST_LINE):
                self._starts.append(at + offset)
                self._lines.append(number)
            at += len(line)
        self._starts.append(at)
        weights = (token_hundredths(self.text(row)) for row in range(len(self)))
        self._totals = list(accumulate(weights, initial=0))

    def __len__(self) -> int:
        return len(self._lines)

    def text(self, row: int) -> str:
        return self._text[self._starts[row] : self._starts[row + 1]]

    def is_blank(self, row: int) -> bool:
        return not self.text(row).strip()

    def indent(self, row: int) -> int:
        text = self.text(row)
        return len(text) - len(text.lstrip())

    def weight(self, span: _Span) -> int:
        """The weight in tokens."""
        return self.tokens(span.first, span.after)

    def tokens(self, first: int, after: int) -> int:
        return -(-(self._totals[after] - self._totals[first]) // HUNDREDTHS)

    def placed(self, symbol: CutSymbol) -> _Node:
        first = bisect_left(self._lines, symbol.first)
        return _Node(symbol, first, bisect_left(self._lines, symbol.last + 1), [])

    def trimmed(self, span: _Span) -> _Span:
        first, after = span.first, span.after
        while first < after and self.is_blank(first):
            first += 1
        while first < after and self.is_blank(after - 1):
            after -= 1
        return span._replace(first=first, after=after)

    def part(self, span: _Span) -> Part:
        start, end = self._starts[span.first], self._starts[span.after]
        while self._text[end - 1].isspace():
            end -= 1
        first, last = self._lines[span.first], self._lines[span.after - 1]
        return Part(start, end, first + 1, last + 1, self.weight(span), span.mark)


def _nested(nodes: Sequence[_Node]) -> list[_Node]:
    """The outermost symbols with those inside; a symbol that partly overlaps another is dropped."""
    roots: list[_Node] = []
    open_nodes: list[_Node] = []
    for node in sorted(nodes, key=lambda each: (each.first, -each.after)):
        while open_nodes and open_nodes[-1].after <= node.first:
            open_nodes.pop()
        around = open_nodes[-1] if open_nodes else None
        if around is not None and (node.after > around.after or _is_detail(node, around)):
            continue
        if node.first >= node.after or (around and _same(around, node)):
            continue
        (around.inner if around else roots).append(node)
        open_nodes.append(node)
    return roots


def _same(around: _Node, node: _Node) -> bool:
    return (around.first, around.after) == (node.first, node.after)


def _is_detail(node: _Node, around: _Node) -> bool:
    """A value inside a function belongs to the function, however many lines it has."""
    return node.symbol.kind in _SMALL and around.symbol.kind in _WHOLE


def _cut(rows: _Rows, span: _Span, inner: Sequence[_Node], *, whole: bool) -> list[_Span]:
    """Cut a symbol; with `whole`, leave it in one part if it is small enough."""
    span = rows.trimmed(span)
    weight = rows.weight(span)
    if whole and weight <= MOST_TOKENS:
        return [span._replace(own=weight)] if weight else []
    spans: list[_Span] = []
    at = span.first
    for node in inner:
        first = _with_comment(rows, at, node.first)
        spans += _windows(rows, span._replace(first=at, after=first))
        spans += _cut(rows, _Span(first, node.after, node.mark), node.inner, whole=True)
        at = node.after
    spans += _windows(rows, span._replace(first=at))
    return list(_joined(rows, spans))


def _with_comment(rows: _Rows, least: int, first: int) -> int:
    while first > least and rows.text(first - 1).lstrip().startswith(_LEADS):
        first -= 1
    return first


def _windows(rows: _Rows, span: _Span) -> Iterator[_Span]:
    rest = rows.trimmed(span)
    while rest.first < rest.after:
        after = _window_end(rows, rest)
        window = rows.trimmed(rest._replace(after=after))
        yield window._replace(own=rows.weight(window))
        rest = rows.trimmed(rest._replace(first=after))


def _window_end(rows: _Rows, span: _Span) -> int:
    """Where a part ends: at the end if it fits, else at the best place in the second half of the
    largest part that fits: after a blank line, then at the least indentation."""
    if rows.weight(span) <= MOST_TOKENS or span.after - span.first == 1:
        return span.after
    most = span.first + 1
    while rows.tokens(span.first, most + 1) <= MOST_TOKENS:
        most += 1
    least = span.first + max(1, (most - span.first) // 2)
    places = range(least, most + 1)
    return min(places, key=lambda row: (not rows.is_blank(row - 1), rows.indent(row), -row))


def _joined(rows: _Rows, spans: Sequence[_Span]) -> Iterator[_Span]:
    held: _Span | None = None
    for span in spans:
        if held is None:
            held = span
        elif _may_join(rows, held, span):
            named = held if held.own >= span.own else span
            held = _Span(held.first, span.after, named.mark, named.own)
        else:
            yield held
            held = span
    if held is not None:
        yield held


def _may_join(rows: _Rows, held: _Span, span: _Span) -> bool:
    first, second = rows.weight(held), rows.weight(span)
    if min(first, second) <= _BRACKET_TOKENS:
        return first + second <= MOST_TOKENS + _BRACKET_TOKENS
    return min(first, second) < TINY_TOKENS and first + second <= JOINED_TOKENS
