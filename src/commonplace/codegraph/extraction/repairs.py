"""Valid code that a grammar cannot read, masked so that it can: no byte moves.

A repair is tried where a parse has errors, and kept where it leaves fewer lines unread. Names and
lines are always read from the text as it was written.
"""

from __future__ import annotations

import re
from collections.abc import Callable

Repair = Callable[[bytes], bytes]

_STAR = re.compile(rb"\bexport[ \t]++type(?=[ \t]*+\*)")
_IMPORTED_TYPE = re.compile(
    rb"<(typeof[ \t]++import\([ \t]*+(?:'[^'\n]*+'|\"[^\"\n]*+\")[ \t]*+\))"
)
_GAP = re.compile(rb"(?:\s++|//[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?)++")
_SIGNATURE = re.compile(rb"[<(]|in(?:stanceof)?\??:")
_ENDS = frozenset(b")>]}'\"_$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_ATTRIBUTE = re.compile(rb"=\"[^\"\n]*+\"|='[^'\n]*+'")
_ELEMENT_TEXT = re.compile(rb">[^<>{}]*+(?=[<{])")
_VARIADIC_MARK = re.compile(rb"@\w++(?:\.\w++)*+(?:\([^()\n]*+\))?+(?=\s*+\.\.\.)")
_HEADER = re.compile(
    rb"\b(class)[ ](\w++(?:<[^<>\n]*+>)?+)[ \t]*+\n([ \t]*+)"
    rb"(?=(?:(?:@\w++|private|internal|protected|public)[ \t]++)?+constructor\b)"
)
_WHERE = re.compile(rb"\bwhere\b(?!\s++\w++\s*+:)")
_GUARD = re.compile(rb"(?m)^([ \t]*+is[ ][\w.<>*?]++[ ])if[ ][^\n]*?(?=->)")
_MARKED_GETTER = re.compile(rb"@\w++(?:\([^()\n]*+\))?+(?=[ \t]*+\n[ \t]*+get\(\))")
_STR_MACRO = re.compile(rb"\bstr!")


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def star_types(source: bytes) -> bytes:
    """`export type * from "x"`."""
    return _STAR.sub(lambda found: b"export".ljust(len(found[0])), source)


def imported_types(source: bytes) -> bytes:
    """`f<typeof import("x")>()`."""
    return _IMPORTED_TYPE.sub(lambda found: b"<unknown".ljust(len(found[0])), source)


def signatures(source: bytes) -> bytes:
    """Ends a member of a type where its line does, when the next could be taken for its rest."""
    masked = bytearray(source)
    for gap in _GAP.finditer(source):
        start, end = gap.span()
        breaks = source[start : start + 1].isspace() and b"\n" in gap[0]
        if breaks and _ends(source[max(0, start - 2) : start]) and _SIGNATURE.match(source, end):
            masked[start] = ord(";")
    return bytes(masked)


def _ends(before: bytes) -> bool:
    return bool(before) and before[-1] in _ENDS and before != b"=>"


def attribute_strings(source: bytes) -> bytes:
    """`<a href="?a=1&b=2">`."""
    return _ATTRIBUTE.sub(_without_ampersands, source)


def element_texts(source: bytes) -> bytes:
    """`<p>this && that</p>`."""
    return _ELEMENT_TEXT.sub(_without_ampersands, source)


def variadic_marks(source: bytes) -> bytes:
    """`Object @Nullable ... args`."""
    return _VARIADIC_MARK.sub(_blank, source)


def macro_tokens(source: bytes) -> bytes:
    """`~` among the tokens of a macro, and the macro whose name is that of a type."""
    return _STR_MACRO.sub(b"st_!", source).replace(b"~", b"^")


def class_headers(source: bytes) -> bytes:
    """`class A⏎private constructor() : B by c, D`: the line is broken before the name instead."""
    return _HEADER.sub(_broken_before_the_name, source)


def where_names(source: bytes) -> bytes:
    """`where` as a name, which is a word of the language before `T : Type` alone."""
    return _WHERE.sub(b"wher_", source)


def guards(source: bytes) -> bytes:
    """`is A if a.fits() -> b`: the condition is left out."""
    return _GUARD.sub(lambda found: found[1].ljust(len(found[0])), source)


def marked_getters(source: bytes) -> bytes:
    """`val a⏎@Marked⏎get() = b`: the mark is left out."""
    return _MARKED_GETTER.sub(_blank, source)


def _broken_before_the_name(found: re.Match[bytes]) -> bytes:
    return b"\n".join(found.group(1, 2)).ljust(len(found[0]))


def _without_ampersands(found: re.Match[bytes]) -> bytes:
    return found[0].replace(b"&", b"+")


TYPESCRIPT: tuple[Repair, ...] = (star_types, imported_types, signatures)
ELEMENTS: tuple[Repair, ...] = (attribute_strings, element_texts)
JAVA: tuple[Repair, ...] = (variadic_marks,)
RUST: tuple[Repair, ...] = (macro_tokens,)
KOTLIN: tuple[Repair, ...] = (class_headers, where_names, guards, marked_getters)
