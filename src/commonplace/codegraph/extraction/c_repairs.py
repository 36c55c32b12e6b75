"""Repairs of C and C++: mask macros that are no code to the grammar, and what it cannot parse.

Marks are macros that stand beside a type or declaration: `class EXPORTED Name`.
"""

from __future__ import annotations

import re

from commonplace.codegraph.extraction.repairs import Repair

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


MASKS: tuple[Repair, ...] = (marked_types, marked_declarations)
_SINGLE: tuple[Repair, ...] = (
    access_labels, text_marks, member_pointers, outer_friends, empty_defaults, lone_macros,
    trailing_marks, marks_between, pointer_marks,
)  # fmt: skip


def together(source: bytes) -> bytes:
    """All repairs at once: one class with two of their constructs needs both."""
    for repair in _SINGLE:
        source = repair(source)
    return source


REPAIRS: tuple[Repair, ...] = (together, *_SINGLE)
