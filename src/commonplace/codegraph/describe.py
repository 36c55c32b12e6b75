"""What a reader sees of a definition: its first line, and the comment that stands before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 200
_WRAPPERS = frozenset({"export_statement", "lexical_declaration", "variable_declaration"})
_BODY = b"{"


def signature_of(node: Node) -> str:
    """The declaration up to its body, on one line."""
    body = node.child_by_field_name("body")
    end = (body.start_byte if body else node.end_byte) - node.start_byte
    head = (node.text or b"")[: min(end, _LONGEST * 4)].decode(errors="replace")
    line = " ".join(head.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def comment_before(node: Node) -> str:
    """The comment that ends on the line before the declaration; its marks are taken away."""
    top = node
    while top.parent is not None and top.parent.type in _WRAPPERS:
        top = top.parent
    before = top.prev_sibling
    if before is None or "comment" not in before.type:
        return ""
    if top.start_point[0] - before.end_point[0] > 1:
        return ""
    lines = (before.text or b"").decode(errors="replace").splitlines()
    return "\n".join(stripped for stripped in map(_bare, lines) if stripped)


def _bare(line: str) -> str:
    return line.strip().removeprefix("/**").removeprefix("/*").removesuffix("*/").strip(" \t*/#")
