"""The names in the text of a C macro, which the grammar does not read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from commonplace.codegraph.extraction.facts import Shape, ShapeOp, Use
from commonplace.codegraph.extraction.source import SourceText

if TYPE_CHECKING:
    from tree_sitter import Node

_LONGEST = 4_000  # bytes of a macro that are read
_TOKEN = re.compile(
    rb"//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?|\"(?:\\.|[^\"\\\n])*+\"?|'(?:\\.|[^'\\\n])*+'?"
    rb"|(?P<before>(?:->|\.|::|\#)\s*+)?\b(?P<name>[A-Za-z_]\w*+)(?P<after>\s*+(?:\(|::|\#\#))?"
)
_WORDS = frozenset(
    {
        "if", "else", "do", "while", "for", "return", "sizeof", "struct", "union", "enum", "const",
        "static", "inline", "void", "int", "char", "long", "short", "unsigned", "signed", "float",
        "double", "switch", "case", "default", "break", "continue", "goto", "extern", "typedef",
        "volatile", "register", "bool", "true", "false", "class", "typename", "template", "new",
        "delete", "this", "operator", "namespace", "using", "static_cast", "nullptr", "NULL",
        "auto", "constexpr", "noexcept", "override", "public", "private", "protected", "defined",
        "reinterpret_cast", "const_cast", "dynamic_cast", "decltype", "throw", "try", "catch",
        "friend", "virtual", "explicit", "__VA_ARGS__", "__FILE__", "__LINE__", "__func__",
        "__attribute__", "__declspec", "__extension__", "__inline", "__builtin_expect",
    }
)  # fmt: skip


class Written(NamedTuple):
    """A name that is no node of its own."""

    start_byte: int
    end_byte: int


def macro_uses(node: Node, source: SourceText) -> Iterator[tuple[Written, Use, Shape | None]]:
    """The uses of names in a macro's text; members have a receiver that is not known."""
    taken = _parameters(node, source)
    text = source.data[node.start_byte : min(node.end_byte, node.start_byte + _LONGEST)]
    for found in _TOKEN.finditer(text):
        if found["name"] is None:
            continue
        name = found["name"].decode()
        before, after = (found["before"] or b"").strip(), (found["after"] or b"").strip()
        if name in _WORDS or name in taken or b"#" in before or after == b"##":
            continue
        start = node.start_byte + found.start("name")
        use = Use.CALL if after == b"(" else Use.READ
        receiver = Shape(ShapeOp.EITHER) if before else None
        yield Written(start, start + len(found["name"])), use, receiver


def _parameters(node: Node, source: SourceText) -> frozenset[str]:
    holder = node.parent
    listed = holder.child_by_field_name("parameters") if holder is not None else None
    if listed is None:
        return frozenset()
    return frozenset(source.word(each) for each in listed.named_children)
