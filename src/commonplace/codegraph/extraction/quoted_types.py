"""Types in quotes: Python lets any annotation be a string, which the grammar does not look into."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Query

_TYPES = """
(type) @type
((call function: [(identifier) @called (attribute attribute: (identifier) @called)]
  arguments: (argument_list . (string) @type)) (#eq? @called "cast"))
"""
_QUOTED = re.compile(rb"([\"'])[ ]*+[A-Za-z_][\w.\[\], |]*+\1")
# What is in their brackets are values.
_OF_VALUES = re.compile(rb"(?:\w++\.)*+(?:Literal|Annotated)\b")
_QUOTES = frozenset(b"\"'")


def unquoted(grammar: Language, root: Node, source: bytes) -> bytes:
    """The source without the quotes around types; no other byte changes or moves."""
    from tree_sitter import QueryCursor

    text = bytearray(source)
    types = QueryCursor(_query(grammar)).captures(root).get("type", [])
    end = 0
    for node in sorted(types, key=lambda each: each.start_byte):
        if node.start_byte >= end and not _QUOTES.isdisjoint(text[node.start_byte : node.end_byte]):
            for quoted in _strings(node, source):
                text[quoted.start_byte] = text[quoted.end_byte - 1] = ord(" ")
        end = max(end, node.end_byte)
    return bytes(text)


@cache
def _query(grammar: Language) -> Query:
    from tree_sitter import Query

    return Query(grammar, _TYPES)


def _strings(written: Node, source: bytes) -> Iterator[Node]:
    """The types in quotes in a type."""
    waiting = [written]
    while waiting:
        node = waiting.pop()
        if node.type == "string":
            if _QUOTED.fullmatch(source, node.start_byte, node.end_byte):
                yield node
        elif not _OF_VALUES.match(source, node.start_byte, node.end_byte):
            waiting += node.named_children
