"""Parses a source file: at once, or in several readings that together leave less unread."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time_ns
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.conditionals import alternatives
from commonplace.codegraph.extraction.languages import Language
from commonplace.codegraph.extraction.quoted_types import unquoted

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

_MACRO = re.compile(rb"\b[A-Z_][A-Z0-9_]++\b")
# Limits are checked before the work, or are the parser's own timeout: stopping a parse or a query
# by its progress callback crashes the binding (tree-sitter 0.25.2 and 0.26.0).
# Error recovery may never end, even in a short file; valid code takes a tenth of this time.
LEAST_MICROS, MICROS_A_BYTE = 1_000_000, 10
MOST_DEBRIS = 5_000  # a query over an error node takes quadratic time in its children


@dataclass(frozen=True, slots=True)
class SourceReading:
    """A syntax tree that is used for some lines, or for all if `lines` is None."""

    root: Node
    lines: frozenset[int] | None
    broken: frozenset[int]

    def has(self, line: int) -> bool:
        return self.lines is None or line in self.lines


@dataclass(frozen=True, slots=True)
class Parsed:
    """The readings of a file. `unread` are the lines that none of them can parse; `problem` says
    why there is no reading."""

    readings: Sequence[SourceReading]
    unread: frozenset[int] = frozenset()
    problem: str = ""
    masked: Sequence[tuple[int, int]] = ()


def parse(language: Language, grammar: Grammar, source: bytes) -> Parsed:
    written = source
    for mask in language.masks:
        source = mask(source)
    root = _parsed(grammar, source)
    if root is None:
        return Parsed((), problem="too broken to read in time")
    if language.quoted_types and (plain := unquoted(grammar, root, source)) != source:
        root, source = _parsed(grammar, plain) or root, plain
    readings: Sequence[SourceReading] = (_reading(root),)
    if readings[0].broken:
        readings, source = _improved(language, grammar, source, readings[0])
    if any(_largest_error(each.root) > MOST_DEBRIS for each in readings):
        return Parsed((), problem="too broken to read")
    masked = _masked(written, source) if language.including else ()
    return Parsed(readings, _unread(readings, written), masked=masked)


def _masked(written: bytes, text: bytes) -> Sequence[tuple[int, int]]:
    """Where names of macros were masked."""
    if text == written:
        return ()
    blank = ord(" ")
    return [each.span() for each in _MACRO.finditer(written) if text[each.start()] == blank]


def _improved(
    language: Language, grammar: Grammar, source: bytes, best: SourceReading
) -> tuple[Sequence[SourceReading], bytes]:
    """The readings with the fewest broken lines: of the repaired text, or if that has errors and
    the language has `#if`, of each alternative."""
    text = source
    for repair in language.repairs:
        masked = repair(text)
        root = _parsed(grammar, masked) if masked != text else None
        found = _reading(root) if root is not None else best
        if len(found.broken) < len(best.broken):
            best, text = found, masked
        if not best.broken:
            return (best,), text
    apart = list(_by_alternative(grammar, text)) if language.conditional else []
    better = apart and len(_unread(apart, source)) < len(best.broken)
    return (apart if better else (best,)), text


def _by_alternative(grammar: Grammar, source: bytes) -> Iterator[SourceReading]:
    for text, lines in alternatives(source):
        root = _parsed(grammar, text)
        if root is not None:
            yield SourceReading(root, lines, _broken(root) & lines)


def _unread(readings: Sequence[SourceReading], source: bytes) -> frozenset[int]:
    """The broken lines, and the lines with code that no reading covers."""
    broken = {line for each in readings for line in each.broken}
    if readings[0].lines is not None:
        read = {line for each in readings for line in each.lines or ()}
        lines = source.split(b"\n")
        broken |= {
            number
            for number, line in enumerate(lines)
            if number not in read and line.strip() and not line.lstrip().startswith(b"#")
        }
    return frozenset(broken)


def _reading(root: Node) -> SourceReading:
    return SourceReading(root, None, _broken(root))


def _broken(root: Node) -> frozenset[int]:
    """The lines with syntax errors or missing tokens."""
    lines: set[int] = set()
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            # A node that ends at the start of a line does not include that line.
            end = node.end_point.row - (node.end_point.column == 0)
            lines.update(range(node.start_point.row, max(node.start_point.row, end) + 1))
        else:
            waiting += [child for child in node.children if child.has_error or child.is_missing]
    return frozenset(lines)


def _largest_error(root: Node) -> int:
    broken = (node for node in (root, *root.children) if node.is_error)
    return max((node.child_count for node in broken), default=0)


def _parsed(grammar: Grammar, source: bytes) -> Node | None:
    """Parse a source; None if the parser does not finish in time.

    The parser's timeout is wall time. If a busy machine left it too little CPU time, it is retried
    with a longer timeout, so that the result does not depend on the load.
    """
    from tree_sitter import Parser

    limit = patience = LEAST_MICROS + MICROS_A_BYTE * len(source)
    while True:
        before = thread_time_ns()
        try:
            return Parser(grammar, timeout_micros=patience).parse(source).root_node
        except ValueError:
            worked_micros = (thread_time_ns() - before) / 1000
            if worked_micros >= limit / 2:
                return None
            patience *= 4
