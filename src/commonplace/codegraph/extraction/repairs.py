"""Repairs: mask valid code that a grammar cannot parse, without moving a byte.

A repair is tried if a parse has errors, and kept if it leaves fewer broken lines. Names and lines
are always read from the original text.
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
_GET_CALL = re.compile(rb"(?m)^([ \t]*+)get(?=\([^)\s])")
_MODIFIER_CALL = re.compile(rb"(?m)^([ \t]*+)override(?=\(\)[ \t]*+$)")
_EMPTY_LITERAL = re.compile(rb"(?<== )\[\]")
_STATED_CONSTRUCTOR = re.compile(
    rb"\b(class[ ]\w++(?:<[^<>\n]*+>)?+)"
    rb"((?:[ ](?:private|internal|protected|public))?+[ ]constructor)(?=\()"
)
_STR_MACRO = re.compile(rb"\bstr!")


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def star_types(source: bytes) -> bytes:
    """Mask `type` in `export type * from "x"`."""
    return _STAR.sub(lambda found: b"export".ljust(len(found[0])), source)


def imported_types(source: bytes) -> bytes:
    """Mask the imported type in `f<typeof import("x")>()`."""
    return _IMPORTED_TYPE.sub(lambda found: b"<unknown".ljust(len(found[0])), source)


def signatures(source: bytes) -> bytes:
    """End a member of a type at the end of its line if the next line could continue it."""
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
    """Mask ampersands in attributes, as in `<a href="?a=1&b=2">`."""
    return _ATTRIBUTE.sub(_without_ampersands, source)


def element_texts(source: bytes) -> bytes:
    """Mask ampersands in texts of elements, as in `<p>this && that</p>`."""
    return _ELEMENT_TEXT.sub(_without_ampersands, source)


def variadic_marks(source: bytes) -> bytes:
    """Blank the annotation in `Object @Nullable ... args`."""
    return _VARIADIC_MARK.sub(_blank, source)


def macro_tokens(source: bytes) -> bytes:
    """Mask `~` among the tokens of a macro, and the macro `str!`, which is named like a type."""
    return _STR_MACRO.sub(b"st_!", source).replace(b"~", b"^")


def class_headers(source: bytes) -> bytes:
    """Move the line break in `class A⏎private constructor() : B by c, D` before the name."""
    return _HEADER.sub(_broken_before_the_name, source)


def where_names(source: bytes) -> bytes:
    """Mask `where` used as a name; it is a keyword only before `T : Type`."""
    return _WHERE.sub(b"wher_", source)


def guards(source: bytes) -> bytes:
    """Blank the guard condition in `is A if a.fits() -> b`."""
    return _GUARD.sub(lambda found: found[1].ljust(len(found[0])), source)


def marked_getters(source: bytes) -> bytes:
    """Blank the annotation in `val a⏎@Marked⏎get() = b`."""
    return _MARKED_GETTER.sub(_blank, source)


def get_calls(source: bytes) -> bytes:
    """Mask `get` in the call `get("/path")`, which is taken for a getter of the property before."""
    return _GET_CALL.sub(rb"\1ge_", source)


def modifier_calls(source: bytes) -> bytes:
    """Mask `override` in the call `override()`; it is a keyword only before a declaration."""
    return _MODIFIER_CALL.sub(rb"\1overrid_", source)


def empty_literals(source: bytes) -> bytes:
    """Mask the empty array in the annotation `annotation class A(val b: Array<C> = [])`."""
    return _EMPTY_LITERAL.sub(b"0 ", source)


def stated_constructors(source: bytes) -> bytes:
    """Blank the keyword in `class A internal constructor(val b: C)`, which says nothing more: with
    two annotations before it, the class is taken for a call."""
    return _STATED_CONSTRUCTOR.sub(lambda found: found[1].ljust(len(found[0])), source)


def _broken_before_the_name(found: re.Match[bytes]) -> bytes:
    return b"\n".join(found.group(1, 2)).ljust(len(found[0]))


def _without_ampersands(found: re.Match[bytes]) -> bytes:
    return found[0].replace(b"&", b"+")


TYPESCRIPT: tuple[Repair, ...] = (star_types, imported_types, signatures)
ELEMENTS: tuple[Repair, ...] = (attribute_strings, element_texts)
JAVA: tuple[Repair, ...] = (variadic_marks,)
RUST: tuple[Repair, ...] = (macro_tokens,)
KOTLIN: tuple[Repair, ...] = (
    class_headers, where_names, guards, marked_getters, get_calls, modifier_calls, empty_literals,
)  # fmt: skip
# Masked in every file, because what is misread without them is no error.
KOTLIN_ALWAYS: tuple[Repair, ...] = (stated_constructors,)
