"""Extracts the facts of a source file; never fails, but describes unread parts in `problem`."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from commonplace.codegraph.extraction.assemble import assemble
from commonplace.codegraph.extraction.c_definitions import CDefinitions
from commonplace.codegraph.extraction.c_shapes import CShaper
from commonplace.codegraph.extraction.definitions import Definitions
from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import (
    Language,
    Tools,
    dialect_of,
    language_of,
    tools_of,
)
from commonplace.codegraph.extraction.matches import Matches, sorted_matches
from commonplace.codegraph.extraction.parsing import SourceReading, parse
from commonplace.codegraph.extraction.scripts import scripts_of
from commonplace.codegraph.extraction.shapes import Shaper
from commonplace.codegraph.extraction.source import SourceText

MOST_BYTES = 1_500_000  # larger files are generated, and their graph is of no use
MINIFIED = 50_000, 500  # sizes of a file and of its average line that nobody writes by hand
DEEPEST = 250  # deeper nesting is not followed

BINARY = "binary"
READ_IN_PART = "read in part: syntax errors in"


def extract(path: str, source: bytes) -> FileFacts:
    """The facts of a file; empty, with a problem, if it cannot be read at all."""
    language = language_of(path)
    if language is None:
        return FileFacts(path, "", problem="language not supported")
    reason = unreadable(source)
    if reason:
        return FileFacts(path, language.name, problem=reason)
    text = as_utf8(source)
    return _read(path, text, dialect_of(language, path, text))


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
    """Convert a source from UTF-16 (with a byte order mark), UTF-8, or else Latin-1, which can
    decode any byte."""
    if source.startswith((b"\xff\xfe", b"\xfe\xff")):
        return source.decode("utf-16", errors="replace").encode()
    if source.startswith(b"\xef\xbb\xbf"):
        return source[3:]
    try:
        source.decode()
    except UnicodeDecodeError:
        return source.decode("latin-1").encode()
    return source


def _read(path: str, source: bytes, language: Language) -> FileFacts:
    tools = tools_of(language)
    written = scripts_of(source) if language.component else source
    parsed = parse(language, tools.grammar, written)
    if not parsed.readings:
        return FileFacts(path, language.name, problem=parsed.problem)
    text = SourceText(source)
    matches = _matches(tools, parsed.readings, text)
    problem = doubtful(parsed.unread, text.lines) if parsed.unread else ""
    builders = (CShaper, CDefinitions) if language.including else (Shaper, Definitions)
    matches.masked += parsed.masked
    return assemble(path, language, text, matches, problem, builders)


def doubtful(unread: AbstractSet[int], lines: int) -> str:
    """Describe the lines of a file with syntax errors that were not reliably read."""
    share = max(1, round(100 * len(unread) / max(1, lines)))
    where = f"{len(unread)} of {lines} lines ({share} %), from line {min(unread) + 1} on"
    return f"{READ_IN_PART} {where}"


def _matches(tools: Tools, readings: Sequence[SourceReading], text: SourceText) -> Matches:
    """The matches of each reading on the lines that it counts for."""
    from tree_sitter import QueryCursor

    roles = tools.roles
    cursor = QueryCursor(tools.query)
    cursor.set_max_start_depth(DEEPEST)
    first = readings[0]
    if first.lines is None:
        return sorted_matches(roles, cursor.matches(first.root))
    found = [
        (pattern, captures)
        for reading in readings
        for pattern, captures in cursor.matches(reading.root)
        if reading.has(text.line(captures[roles[pattern].name][0].start_byte))
    ]
    return sorted_matches(roles, found)
