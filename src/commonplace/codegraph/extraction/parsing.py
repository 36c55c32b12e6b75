"""A source file parsed: whole, or in readings that together leave as little unread as can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import thread_time_ns
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.conditionals import alternatives
from commonplace.codegraph.extraction.languages import Language

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

# Bounds stand before the work, or are the parser's own limit of time: stopping a parse or a query
# by its progress callback crashes the binding (tree-sitter 0.25.2 and 0.26.0).
# Recovery from errors can go on for ever, even in a short file; sound code takes a tenth of it.
LEAST_MICROS, MICROS_A_BYTE = 1_000_000, 10
MOST_DEBRIS = 5_000  # a query over an error node takes quadratic time in its children


@dataclass(frozen=True, slots=True)
class SourceReading:
    """A tree that counts for some of the lines (for all where `lines` is None)."""

    root: Node
    lines: frozenset[int] | None
    broken: frozenset[int]

    def has(self, line: int) -> bool:
        return self.lines is None or line in self.lines


@dataclass(frozen=True, slots=True)
class Parsed:
    """`unread` are lines that no reading makes sense of; `problem` says why there is no reading."""

    readings: Sequence[SourceReading]
    unread: frozenset[int] = frozenset()
    problem: str = ""


def parse(language: Language, grammar: Grammar, source: bytes) -> Parsed:
    root = _parsed(grammar, source)
    if root is None:
        return Parsed((), problem="too broken to read in time")
    readings: Sequence[SourceReading] = (_reading(root),)
    if readings[0].broken:
        readings = _better(language, grammar, source, readings[0])
    if any(_debris(each.root) > MOST_DEBRIS for each in readings):
        return Parsed((), problem="too broken to read")
    return Parsed(readings, _unread(readings, source))


def _better(
    language: Language, grammar: Grammar, source: bytes, best: SourceReading
) -> Sequence[SourceReading]:
    """What repairs make of a file, and where conditions are left in the way, each alternative."""
    text = source
    for repair in language.repairs:
        masked = repair(text)
        root = _parsed(grammar, masked) if masked != text else None
        found = _reading(root) if root is not None else best
        if len(found.broken) < len(best.broken):
            best, text = found, masked
        if not best.broken:
            return (best,)
    if not language.conditional:
        return (best,)
    apart = list(_apart(grammar, text))
    return apart if apart and len(_unread(apart, source)) < len(best.broken) else (best,)


def _apart(grammar: Grammar, source: bytes) -> Iterator[SourceReading]:
    for text, lines in alternatives(source):
        root = _parsed(grammar, text)
        if root is not None:
            yield SourceReading(root, lines, _broken(root) & lines)


def _unread(readings: Sequence[SourceReading], source: bytes) -> frozenset[int]:
    """Broken lines, and those that are left to no reading; blank ones have nothing to read."""
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
    """The lines of errors, and those on which something is missing."""
    lines: set[int] = set()
    waiting = [root] if root.has_error else []
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            # An end at the beginning of a line belongs to the one before it.
            end = node.end_point.row - (node.end_point.column == 0)
            lines.update(range(node.start_point.row, max(node.start_point.row, end) + 1))
        else:
            waiting += [child for child in node.children if child.has_error or child.is_missing]
    return frozenset(lines)


def _debris(root: Node) -> int:
    broken = (node for node in (root, *root.children) if node.is_error)
    return max((node.child_count for node in broken), default=0)


def _parsed(grammar: Grammar, source: bytes) -> Node | None:
    """None where the parser did not come to an end.

    The parser goes by the clock. On a busy machine it may have waited for most of its time: then it
    gets more, so that what is read of a file does not depend on what else goes on.
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
