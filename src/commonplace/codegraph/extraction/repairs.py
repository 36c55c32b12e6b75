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
# Macros of C and C++ that are no code to the grammar: marks of types and declarations.
_MARKED_TYPE = re.compile(
    rb"\b(?:class|struct|union|enum)[ \t]++((?:alignas\([^()\n]*+\)[ \t]*+)?[A-Z_][A-Z0-9_]++"
    rb"(?:\([^()\n]*+\))?+)(?=\s++[A-Za-z_]\w*+\s*+(?:<[^<>;{}]*+>\s*+)?(?:final\b\s*+)?(?::(?!:)|\{))"
)
_MARKED_DECLARATION = re.compile(
    rb"^[ \t]*+(?:(?:static|extern|inline|virtual|constexpr|explicit)[ \t]++)*+"
    rb"([A-Z_][A-Z0-9_]{2,}+(?:[ \t]++[A-Z_][A-Z0-9_]{2,}+\b)*+)"
    rb"(?=[ \t]++(?!const\b)[A-Za-z_][\w:]*+(?:<[^<>;(){}\n]*+>)?[ \t*&]++"
    rb"(?:const[ \t*&]++)?\(?[A-Za-z_~])",
    re.MULTILINE,
)
_MARKED_CONST = re.compile(
    rb"^[ \t]*+(?:(?:static|extern|inline)[ \t]++)*+([A-Z_][A-Z0-9_]{2,}+)"
    rb"(?=[ \t]++const[ \t]++\w++[ \t*&]++\(?\w)",
    re.MULTILINE,
)
_MARKED_MEMBER = re.compile(
    rb"^[ \t]*+(?:(?:static|inline|template[ \t]*+<[^<>\n]*+>)[ \t]++)*+([A-Z_][A-Z0-9_]{2,}+)"
    rb"(?=[ \t]++(?:\w++(?:<[^<>\n]*+>)?+::)++~?\w++[ \t]*+\()",
    re.MULTILINE,
)
_BETWEEN = re.compile(
    rb"^[ \t]*+(?:[A-Za-z_][\w:]*+(?:<[^<>\n]*+>)?[ \t*&]++){1,4}?([A-Z_][A-Z0-9_]{3,}+)"
    rb"(?=[ \t]++(?:operator\W{1,3}|[A-Za-z_~][\w:~]*+[ \t]*+\())",
    re.MULTILINE,
)
_BEHIND = re.compile(
    rb"^(?![ \t]*+(?:if|for|while|switch|else|return|do|case|namespace|class|struct|union|enum"
    rb"|extern)\b)[^\n;{}]*?[\w)](?:[ \t]++|\s++(?=\w*(?:LOCK|GUARD|REQUIRE)))"
    rb"([A-Z_][A-Z0-9_]{3,}+(?:\([^()\n]*+\))?+)(?=\s*+(?:[;{]|:[^:]))",
    re.MULTILINE,
)
_POINTED = re.compile(
    rb"(?<!\breturn)(?<!\bconst)(?<!\bstatic)(?<!\bextern)(?<!\bstruct)(?<!\bcase)(?<!\belse)"
    rb"(?<!\bsizeof)(?<!\bregister)(?<!\btypedef)(?<!\bvolatile)(?<=[\w*]) ([A-Z_]{3,}+)(?=[ ]*+\*)"
)
_TEXT_MARK = re.compile(
    rb"^[ \t]*+([A-Z_][A-Z0-9_]{3,}+\([ \t]*+\"[^\"\n]*+\"[ \t]*+\))(?=\s++[A-Za-z_])", re.MULTILINE
)
_ACCESS = re.compile(
    rb"^[ \t]*+((?:(?:public|private|protected)(?:[ \t]++(?:Q_SLOTS|slots))?|signals|Q_SIGNALS)"
    rb"[ \t]*+:)(?!:)",
    re.MULTILINE,
)
_MEMBER_POINTER = re.compile(rb"->\*(?=[\w(])|(?<=\w)\.\*(?=\w)")
_FRIEND = re.compile(rb"\bfriend[ \t]++(?:class|struct)[ \t]++(::)")
_EMPTY_DEFAULT = re.compile(rb"=[ \t]*+\{\}(?=\s*+[,)])")
_ALONE = re.compile(rb"(?<=[;}\n])\n[ \t]*+([A-Z_][A-Z0-9_]{3,}+)[ \t]*+(?=\n\s*+[A-Za-z_#/])")
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


def _blank_group(found: re.Match[bytes]) -> bytes:
    start, end = (each - found.start() for each in found.span(1))
    return found[0][:start] + b" " * (end - start) + found[0][end:]


def marked_types(source: bytes) -> bytes:
    """Blank the macro in `class EXPORTED Name {`."""
    return _MARKED_TYPE.sub(_blank_group, source)


def marked_declarations(source: bytes) -> bytes:
    """Blank the macro in `EXPORTED int f(void);`."""
    for pattern in (_MARKED_DECLARATION, _MARKED_CONST, _MARKED_MEMBER):
        source = pattern.sub(_blank_group, source)
    return source


def pointer_marks(source: bytes) -> bytes:
    """Blank the macro in `char FAR *text`."""
    return _POINTED.sub(_blank_group, source)


def access_labels(source: bytes) -> bytes:
    """Blank labels such as `public:`, which the grammar does not read under `#if`."""
    return _ACCESS.sub(_blank_group, source)


def text_marks(source: bytes) -> bytes:
    """Blank the macro in `DEPRECATED("use g") void f();`."""
    return _TEXT_MARK.sub(_blank_group, source)


def member_pointers(source: bytes) -> bytes:
    """Mask the operator in `(object->*method)()`."""
    return _MEMBER_POINTER.sub(lambda found: b"+".ljust(len(found[0])), source)


def outer_friends(source: bytes) -> bytes:
    """Blank the colons in `friend class ::Name;`."""
    return _FRIEND.sub(_blank_group, source)


def empty_defaults(source: bytes) -> bytes:
    """Mask the braces in `const Options& options = {}`, a default of a parameter."""
    return _EMPTY_DEFAULT.sub(lambda found: b"=".ljust(len(found[0]) - 1) + b"0", source)


def marks_between(source: bytes) -> bytes:
    """Blank the macro in `void EXPORTED f();`."""
    return _BETWEEN.sub(_blank_group, source)


def trailing_marks(source: bytes) -> bytes:
    """Blank the macro in `void f() GUARDED_BY(lock);`."""
    return _BEHIND.sub(_blank_group, source)


def lone_macros(source: bytes) -> bytes:
    """Blank a macro that is a line of its own, such as `BEGIN_DECLS`."""
    return _ALONE.sub(_blank_group, source)


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
C_MASKS: tuple[Repair, ...] = (marked_types, marked_declarations)
_C_SINGLE: tuple[Repair, ...] = (
    access_labels, text_marks, member_pointers, outer_friends, empty_defaults, lone_macros,
    trailing_marks, marks_between, pointer_marks,
)  # fmt: skip


def c_together(source: bytes) -> bytes:
    """All repairs of C and C++ at once: one class with two of their constructs needs both."""
    for repair in _C_SINGLE:
        source = repair(source)
    return source


C: tuple[Repair, ...] = (c_together, *_C_SINGLE)
