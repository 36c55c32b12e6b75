"""The description of a definition for readers: its signature and the comment before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 200
_WRAPPERS = frozenset({"export_statement", "lexical_declaration", "variable_declaration"})


def signature_of(node: Node, source: SourceText) -> str:
    """The declaration up to its body, on one line."""
    body, start = node.child_by_field_name("body"), node.start_byte
    end = min(body.start_byte if body else node.end_byte, start + _LONGEST * 4)
    head = source.data[start:end].decode(errors="replace")
    line = " ".join(head.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def comment_before(node: Node, source: SourceText) -> str:
    """The comment directly above a declaration, without comment marks."""
    top, holder = node, node.parent
    while holder is not None and holder.type in _WRAPPERS:
        top, holder = holder, holder.parent
    before = top.prev_sibling
    if before is None or "comment" not in before.type:
        return ""
    if source.line(top.start_byte) - source.line(before.end_byte) > 1:
        return ""
    lines = source.text(before).splitlines()
    return "\n".join(stripped for stripped in map(_bare, lines) if stripped)


def _bare(line: str) -> str:
    return line.strip().removeprefix("/**").removeprefix("/*").removesuffix("*/").strip(" \t*/#")
