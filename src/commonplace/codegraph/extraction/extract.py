"""Reads one source file into facts; never fails: what could not be read is said in `problem`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import thread_time_ns
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.assemble import assemble
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import Language, Tools, language_of, tools_of
from commonplace.codegraph.extraction.matches import CaptureRole, Matches, sorted_matches
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Language as Grammar
    from tree_sitter import Node

# Bounds stand before the work, or are the parser's own limit of time: stopping a parse or a query
# by its progress callback crashes the binding (tree-sitter 0.25.2 and 0.26.0).
MOST_BYTES = 1_500_000  # beyond that a file is generated, and its graph of no use
MINIFIED = 50_000, 500  # bytes of a file, and of its average line, that no one writes by hand
DEEPEST = 250  # nesting beyond that is not followed
MOST_DEBRIS = 5_000  # a query over an error node takes quadratic time in its children
# Recovery from errors can go on for ever, even in a short file; sound code takes a tenth of it.
LEAST_MICROS, MICROS_A_BYTE = 1_000_000, 10


BINARY = "binary"
READ_IN_PART = "read in part: syntax errors in"
# What the outline of a file is made of; the rest is for who wants to know what names mean.
_OUTLINED = frozenset({"scope", "define", "constant", "accessor"})
_NOT_OUTLINED = frozenset({"define.parameter", "define.type_parameter", "define.property"})


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of a file; empty, with a reason, where it is not read at all."""
    return _extracted(path, source, _all)


def outline(path: str, source: bytes) -> FileFacts:
    """Extracts only what a file defines, and where: a third of the work."""
    return _extracted(path, source, _outlined)


Wanted = Callable[[Tools], Sequence[CaptureRole | None]]


def _all(tools: Tools) -> Sequence[CaptureRole | None]:
    return tools.roles


def _outlined(tools: Tools) -> Sequence[CaptureRole | None]:
    return [
        role if role.group in _OUTLINED and role.name not in _NOT_OUTLINED else None
        for role in tools.roles
    ]


def _extracted(path: str, source: bytes, wanted: Wanted) -> FileFacts:
    language = language_of(path)
    if language is None:
        return FileFacts(path, "", problem="language not supported")
    reason = unreadable(source)
    if reason:
        return FileFacts(path, language.name, problem=reason)
    return _read(path, as_utf8(source), language, wanted)


def unreadable(source: bytes) -> str:
    if len(source) > MOST_BYTES:
        return f"larger than {MOST_BYTES} bytes"
    if b"\0" in source and not source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return BINARY
    size, line = MINIFIED
    if len(source) > size and len(source) > line * (source.count(b"\n") + 1):
        return "minified or generated: very long lines"
    return ""


def as_utf8(source: bytes) -> bytes:
    """UTF-16 with its mark, UTF-8 with or without one, else Latin-1, which reads every byte."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace").encode()
    if source.startswith(b"\xef\xbb\xbf"):
        return source[3:]
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1").encode()
    return source


def _read(path: str, source: bytes, language: Language, wanted: Wanted) -> FileFacts:
    tools = tools_of(language)
    root = _parsed(tools.grammar, source)
    if root is None:
        return FileFacts(path, language.name, problem="too broken to read in time")
    if root.has_error and _debris(root) > MOST_DEBRIS:
        return FileFacts(path, language.name, problem="too broken to read")
    problem = doubtful(root, len(source.splitlines())) if root.has_error else ""
    return assemble(path, language, SourceText(source), _matches(tools, root, wanted), problem)


def doubtful(root: Node, lines: int) -> str:
    """What a file with syntax errors is not surely read of: how many of its lines, and where."""
    spans = list(_error_spans(root))
    doubted = {line for first, last in spans for line in range(first, last + 1)}
    first, share = min(doubted, default=0) + 1, max(1, round(100 * len(doubted) / max(1, lines)))
    return f"{READ_IN_PART} {len(doubted)} of {lines} lines ({share} %), from line {first} on"


def _error_spans(root: Node) -> Iterator[tuple[int, int]]:
    """First and last line of what the grammar made nothing of, and where it missed something."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            # An end at the beginning of a line belongs to the one before it.
            end = node.end_point.row - (node.end_point.column == 0)
            yield node.start_point.row, max(node.start_point.row, end)
        else:
            waiting += [child for child in node.children if child.has_error]


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


def _debris(root: Node) -> int:
    broken = (node for node in (root, *root.children) if node.is_error)
    return max((node.child_count for node in broken), default=0)


def _matches(tools: Tools, root: Node, wanted: Wanted) -> Matches:
    from tree_sitter import QueryCursor

    cursor = QueryCursor(tools.query)
    cursor.set_max_start_depth(DEEPEST)
    return sorted_matches(wanted(tools), cursor.matches(root))
