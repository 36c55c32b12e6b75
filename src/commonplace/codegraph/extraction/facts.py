"""What one source file says by itself: scopes, definitions, exports and references.

Nothing here knows another file; `resolve` links the facts of a project.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    CLASS = "class"
    INTERFACE = "interface"
    ENUM = "enum"
    ALIAS = "type"
    VARIABLE = "variable"
    CONSTANT = "constant"
    FIELD = "field"
    NAMESPACE = "namespace"
    MODULE = "module"
    TEST = "test"
    # Names that lookup needs and no answer shows.
    PARAMETER = "parameter"
    TYPE_PARAMETER = "type_parameter"
    IMPORT = "import"
    SIGNATURE = "signature"  # how an instance is called: `()` or `new`
    # Where a type gets members outside of its declaration, named like it; or that the function of
    # this name, whose scope is where it is written, is called on a value.
    EXTENSION = "extension"


HIDDEN = frozenset(
    {Kind.PARAMETER, Kind.TYPE_PARAMETER, Kind.IMPORT, Kind.SIGNATURE, Kind.EXTENSION}
)
MEMBERS = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.FIELD})
TYPES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM, Kind.ALIAS, Kind.TYPE_PARAMETER})


class Use(StrEnum):
    """How a reference uses what it names."""

    CALL = "call"
    IMPORT = "import"
    EXPORT = "export"
    TYPE = "type"
    EXTENDS = "extends"
    ANNOTATION = "annotation"
    JSX = "jsx"
    READ = "read"
    WRITE = "write"


class ShapeOp(StrEnum):
    """What a shape stands for; `text` and `parts` as noted."""

    NAME = "name"  # text
    CALLED = "called"  # the function that a call of the bare name text runs
    MEMBER = "member"  # parts[0].text
    CALL = "call"  # parts[0](parts[1:])
    NEW = "new"  # new parts[0](...)
    THIS = "this"
    SUPER = "super"
    AWAIT = "await"  # what parts[0] promises
    ELEMENT = "element"  # one of the elements of parts[0], at place text; EACH where it is iterated
    MODULE = "module"  # the module that text specifies
    TYPE = "type"  # an instance of the type that text names
    GENERIC = "generic"  # parts[0] with the type arguments parts[1:]
    EITHER = "either"  # any of parts
    REST = "rest"  # a parameter that takes any number of parts[0]
    SCOPE = "scope"  # the function, class or object literal that opens scope number text
    INSTANCE = "instance"  # an instance of the class that the expression parts[0] names
    PARAMETER = "parameter"  # what parts[0] wants as its argument number text
    ARGUMENT = "argument"  # what the function around is given as its argument number text
    RESULTING = "resulting"  # parts[0], called where a parts[1] is wanted
    CASE = "case"  # a value that parts[0] may be, named without saying so
    EXPECTED = "expected"  # what scope number text is expected to be, where it stands
    RECEIVER = "receiver"  # what a function that parts[0] wants is called on
    ARITY = "arity"  # the type that has as many type parameters as text says


EACH = "each"
ENTERED = "entered"  # of `await`: what a value gives where it is entered by `with`
MAPPING = "{}"  # the type of `{k: A(), l: B()}`: its arguments are the types of its values
TUPLE = "[]"  # the type of `[A, B]`: its arguments are the types of its elements, in order
NULL = "null"
COMPANION = "Companion"  # the object that stands for a type itself, where it has no other name
FUNC = "Func"  # the type of functions: its arguments are the types of theirs, then what they give
CALLED_ON = "Func.this"  # the same of those that are called on a value, whose type comes first
NULLABLE = "?"  # the type of what may be nothing: its argument is the type of what it may be
INDEXED = "[]"  # the member of a type that all other names lead to: its index signature
FUNCTION = "()"  # the type of what is some function, and more is not known


class Shape(NamedTuple):
    """An expression or a type, reduced to what tells where a name leads."""

    op: ShapeOp
    text: str = ""
    parts: tuple[Shape, ...] = ()


class CodePosition(NamedTuple):
    """Line and column count from 0; columns in characters."""

    line: int
    column: int


class CodeScope(NamedTuple):
    """A stretch of source in which names are declared; scope 0 is the file.

    `expected` is what the place of a function or an object literal says that it has to be.
    """

    parent: int
    kind: str
    start: int
    end: int
    bases: tuple[Shape, ...] = ()
    result: Shape | None = None
    returns: tuple[Shape, ...] = ()
    expected: Shape | None = None


class Definition(NamedTuple):
    """`scope` declares it; `opens` is the scope it has itself, or -1; `value` is what it holds.

    `written_in` is the scope that the value stands in: a method may declare a field of its class.
    A parameter is `static` where a call may leave it out.
    """

    name: str
    kind: Kind
    path: str
    scope: int
    opens: int
    position: CodePosition
    first_line: int
    last_line: int
    value: Shape | None = None
    written_in: int = 0
    exported: bool = False
    static: bool = False
    signature: str = ""
    doc: str = ""


WHOLE = "="


class Export(NamedTuple):
    """`name` is `*` where everything of a module is passed on, WHOLE where the value is all."""

    name: str
    value: Shape


class Reference(NamedTuple):
    """A use of `name` in `scope`; with a receiver it is one of the receiver's members.

    `arguments` is what a call hands over; None where it is no call.
    """

    name: str
    use: Use
    position: CodePosition
    scope: int
    receiver: Shape | None = None
    arguments: tuple[Shape, ...] | None = None


GLOBAL = "(global)"
DECLARED_GLOBAL = "global"  # the kind of a scope in which a module declares names for all others


@dataclass(frozen=True, slots=True)
class FileFacts:
    """`package` is GLOBAL where a file declares names for all others. `problem` says why a file
    is missing or only partly read; empty when all is well."""

    path: str
    language: str
    package: str = ""
    scopes: tuple[CodeScope, ...] = ()
    definitions: tuple[Definition, ...] = ()
    exports: tuple[Export, ...] = ()
    references: tuple[Reference, ...] = ()
    problem: str = ""
