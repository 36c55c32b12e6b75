"""The facts of one source file: scopes, definitions, exports and references.

They are independent of other files; `resolve` links the facts of a project.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    """The kind of a definition."""

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
    # Needed for lookup, but never shown in an answer.
    PARAMETER = "parameter"
    TYPE_PARAMETER = "type_parameter"
    IMPORT = "import"
    SIGNATURE = "signature"  # how an instance is called: `()` or `new`
    # A place that adds members to a type, named like the type; or the receiver of an extension
    # function, written in the function's scope.
    EXTENSION = "extension"


HIDDEN = frozenset(
    {Kind.PARAMETER, Kind.TYPE_PARAMETER, Kind.IMPORT, Kind.SIGNATURE, Kind.EXTENSION}
)
MEMBERS = frozenset({Kind.METHOD, Kind.CONSTRUCTOR, Kind.FIELD})
TYPES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM, Kind.ALIAS, Kind.TYPE_PARAMETER})


class Use(StrEnum):
    """The way in which a reference uses a name."""

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
    """The operation of a shape, with the meaning of its `text` and `parts`."""

    NAME = "name"  # text
    CALLED = "called"  # the function that a call of the bare name text runs
    MEMBER = "member"  # parts[0].text
    CALL = "call"  # parts[0](parts[1:])
    NEW = "new"  # new parts[0](...)
    THIS = "this"
    SUPER = "super"
    AWAIT = "await"  # the result of the promise parts[0]
    ELEMENT = "element"  # an element of parts[0], at index text; EACH if it is iterated
    MODULE = "module"  # the module that text specifies
    TYPE = "type"  # an instance of the type that text names
    GENERIC = "generic"  # parts[0] with the type arguments parts[1:]
    EITHER = "either"  # any of parts
    REST = "rest"  # a parameter that takes any number of parts[0]
    SCOPE = "scope"  # the function, class or object literal that opens scope number text
    INSTANCE = "instance"  # an instance of the class that the expression parts[0] names
    PARAMETER = "parameter"  # the type that parts[0] expects as argument number text
    ARGUMENT = "argument"  # the argument number text that the enclosing function receives
    RESULTING = "resulting"  # parts[0], called where a value of type parts[1] is expected
    CASE = "case"  # a possible value of parts[0], named without a qualifier
    EXPECTED = "expected"  # the type that is expected at the place of scope number text
    RECEIVER = "receiver"  # the receiver of the function that parts[0] expects
    TAG = "tag"  # the type that `struct`, `union` or `enum` and text name
    ARITY = "arity"  # the type with the number of type parameters in text


EACH = "each"
ENTERED = "entered"  # as the text of `await`: the value that `with` binds
MAPPING = "{}"  # the type of `{k: A(), l: B()}`: its arguments are the types of its values
TUPLE = "[]"  # the type of `[A, B]`: its arguments are the types of its elements, in order
NULL = "null"
COMPANION = "Companion"  # the default name of the companion object of a type
FUNC = "Func"  # the type of functions: its arguments are their parameter types, then the result
CALLED_ON = "Func.this"  # the type of functions with a receiver, whose type comes first
NULLABLE = "?"  # a nullable type: its argument is the type without null
INDEXED = "[]"  # the index signature of a type: the member that any other name leads to
FUNCTION = "()"  # the type of a function of which no more is known


class Shape(NamedTuple):
    """An expression or a type, reduced to what name resolution needs."""

    op: ShapeOp
    text: str = ""
    parts: tuple[Shape, ...] = ()


class CodePosition(NamedTuple):
    """Line and column count from 0; columns in characters."""

    line: int
    column: int


class CodeScope(NamedTuple):
    """A range of source in which names are declared; scope 0 is the file.

    `expected` is the type that the context of a function or an object literal requires.
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
    """A definition in `scope`. `opens` is the scope that it opens, or -1; `value` is its value.

    `written_in` is the scope of the value: a method may declare a field of its class.
    A parameter is `static` if it is optional.
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
    """An export. `name` is `*` to re-export a whole module, WHOLE if the value is the module."""

    name: str
    value: Shape


class Reference(NamedTuple):
    """A use of `name` in `scope`; with a receiver, of a member of the receiver.

    `arguments` are those of a call; None if it is not a call.
    """

    name: str
    use: Use
    position: CodePosition
    scope: int
    receiver: Shape | None = None
    arguments: tuple[Shape, ...] | None = None


GLOBAL = "(global)"
DECLARED_GLOBAL = "global"  # the kind of a scope in which a module declares global names


@dataclass(frozen=True, slots=True)
class FileFacts:
    """The facts of a file. `package` is GLOBAL if the file declares global names. `problem` says
    why the file was not read, or only in part; it is empty otherwise."""

    path: str
    language: str
    package: str = ""
    scopes: tuple[CodeScope, ...] = ()
    definitions: tuple[Definition, ...] = ()
    exports: tuple[Export, ...] = ()
    references: tuple[Reference, ...] = ()
    problem: str = ""
