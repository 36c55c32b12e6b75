"""The definitions of C and C++ files, whose names stand inside of declarators."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.c_declarators import (
    Declarator,
    declared_in,
    names_in,
    plain_name,
    qualified,
)
from commonplace.codegraph.extraction.c_shapes import CShaper
from commonplace.codegraph.extraction.definitions import Definitions
from commonplace.codegraph.extraction.describe import comment_before, signature_of
from commonplace.codegraph.extraction.facts import EACH, HIDDEN, Definition, Kind, Shape, ShapeOp
from commonplace.codegraph.extraction.matches import CaptureRole, Captures
from commonplace.codegraph.extraction.scoping import Notes, Scopes, around_of, span_of
from commonplace.codegraph.extraction.shapes import Shaper
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

_RECORDS = frozenset({"struct_specifier", "union_specifier", "class_specifier"})
_NAMES = frozenset(
    {
        "identifier", "field_identifier", "type_identifier", "destructor_name", "operator_name",
        "operator_cast",
    }
)  # fmt: skip
_BODIES = frozenset({"function_definition"})
_TEMPLATED = frozenset({"template_parameter_list"})
_LOCAL_SCOPES = frozenset({"block", "function", "arrow"})
_UNNAMED = ""
_TYPES = frozenset({"class", "enum"})
# Macros of GoogleTest that define a test, by its suite and its name.
_TESTS = frozenset({"TEST", "TEST_F", "TEST_P", "TYPED_TEST", "TYPED_TEST_P"})
_TEST_PARTS = 2
_VARIADIC = frozenset({"parameter_list", "variadic_parameter"})


class CDefinitions(Definitions):
    """Builds definitions from declarators; a method that is written outside of its class is in a
    scope of its own, as an extension of the class or namespace."""

    _shaper: CShaper

    def __init__(
        self, path: str, source: SourceText, scopes: Scopes, shaper: Shaper, notes: Notes
    ) -> None:
        super().__init__(path, source, scopes, shaper, notes)
        self._forwarded: set[str] = set()

    def _declared(self, role: CaptureRole, captures: Captures) -> Iterator[tuple[int, Definition]]:
        what = role.what
        if what in {"declared", "captured"}:
            yield from self._by_declarator(captures[role.name][0], captures)
        elif what == "typedef":
            yield from self._typedef(captures[role.name][0], captures)
        elif what == "parameter":
            yield from self._parameter(captures[role.name][0], captures)
        elif what == "type_parameter":
            yield self._type_parameter(captures["name"][0])
        elif what == "namespace":
            yield from self._namespace(captures[role.name][0], captures["name"][0])
        elif what == "alias":
            node, name = captures[role.name][0], captures["name"][0]
            value = self._shaper.declared(captures["type"][0], None)
            opens = self._scopes.numbers.get(span_of(node), -1)
            yield self._made(name, Kind.ALIAS, node, value, opens, opens)
        elif what == "enumerator":
            yield self._enumerator(captures[role.name][0], captures["name"][0])
        elif what == "macro":
            yield from self._macro(role, captures)
        elif what in _TYPES:
            yield self._type(Kind(what), captures[role.name][0], captures["name"][0])
        else:
            yield from super()._declared(role, captures)

    def _read(self, role: CaptureRole, captures: Captures) -> Iterable[tuple[int, Definition]]:
        if role.what == "unnamed":
            return self._without_name(captures[role.name][0], captures.get("type"))
        if role.what == "forward":
            return self._forward(captures[role.name][0], captures["name"][0])
        if role.what == "variadic":
            node = captures[role.name][0]
            if node.parent is None or node.parent.type not in _VARIADIC:
                return []
            rest = Shape(ShapeOp.REST, "", (Shape(ShapeOp.EITHER),))
            return [self._made(node, Kind.PARAMETER, node, rest, name=_UNNAMED)]
        return super()._read(role, captures)

    def _forward(self, node: Node, named: Node) -> Iterator[tuple[int, Definition]]:
        """A type that is only declared, outside of any scope: again adds nothing."""
        name = self._source.word(named)
        if name not in self._forwarded:
            self._forwarded.add(name)
            yield self._made(named, Kind.IMPORT, node, Shape(ShapeOp.TAG, name))

    def _imported(self, role: CaptureRole, captures: Captures) -> tuple[int, Definition]:
        """A name that `using a::f;` or `namespace x = a::b;` declares."""
        path = captures["imported"][0]
        value = self._shaper.path(path)
        named = captures["name"][0] if "name" in captures else names_in(path)[-1]
        return self._made(named, Kind.IMPORT, captures[role.name][0], value)

    def _made(
        self,
        named: Node,
        kind: Kind,
        node: Node,
        value: Shape | None,
        opens: int = -1,
        written_in: int = -1,
        *,
        name: str | None = None,
        prefix: str = "",
        optional: bool = False,
    ) -> tuple[int, Definition]:
        """A definition in the scope around `node`; `prefix` are qualifiers of its path."""
        source, start, place = self._source, named.start_byte, span_of(node)
        scope = self._scopes.around(place)
        shown = kind not in HIDDEN
        return start, Definition(
            source.word(named) if name is None else name, kind, prefix, scope, opens,
            source.position(start), source.line(place[0]), source.line(place[1]), value,
            scope if written_in < 0 else written_in,
            shown and self._is_offered(node, scope), optional,
            signature_of(node, source) if shown or _is_constant(node) else "",
            comment_before(_outermost(node), source) if shown else "",
        )  # fmt: skip

    def _is_offered(self, node: Node, scope: int) -> bool:
        """Whether other files may use it: it is no local, and not `static` in its file."""
        kind = self._scopes.kind(scope)
        return kind == "class" or (kind not in _LOCAL_SCOPES and not _is_static(node))

    def _by_declarator(self, node: Node, captures: Captures) -> Iterator[tuple[int, Definition]]:
        declarator = captures["name"][0]
        found = declared_in(declarator)
        if found is None or found.name.type not in _NAMES:
            yield from self._bound(node, declarator)
            return
        if node.type in _BODIES and self._source.word(found.name) in _TESTS:
            yield from self._test(node, found)
            return
        local = self._scopes.kind(self._scopes.around(span_of(node))) in _LOCAL_SCOPES
        if found.scopes and around_of(span_of(node)) in self._scopes.numbers:
            yield self._extension_of(node, found)
        is_function = found.function is not None and not (local and _is_plain(found.name))
        if node.type in _BODIES and not is_function:
            return
        if is_function:
            yield self._function(node, found)
            return
        value = self._variable_type(captures, declarator)
        kind = Kind.VARIABLE
        if self._scopes.kind(self._scopes.around(span_of(node))) == "class":
            kind = Kind.FIELD
        yield self._made(found.name, kind, node, value)

    def _variable_type(self, captures: Captures, declarator: Node) -> Shape | None:
        written = captures["type"][0] if "type" in captures else None
        value = self._shaper.declared(written, declarator)
        if value is not None:
            return value
        if "iterated" in captures:
            listed = self._shaper.shape(captures["iterated"][0])
            return None if listed is None else Shape(ShapeOp.ELEMENT, EACH, (listed,))
        return self._shaper.shape(captures["value"][0]) if "value" in captures else None

    def _bound(self, node: Node, declarator: Node) -> Iterator[tuple[int, Definition]]:
        """The names of a structured binding, whose types are not known."""
        if declarator.type == "reference_declarator":
            declarator = inner_nodes(declarator)[-1]
        if declarator.type == "structured_binding_declarator":
            for each in inner_nodes(declarator):
                yield self._made(each, Kind.VARIABLE, node, None)

    def _function(self, node: Node, found: Declarator) -> tuple[int, Definition]:
        scopes, name = self._scopes, self._function_name(found.name)
        scope = scopes.around(span_of(node))
        holder = self._source.word(plain_name(found.scopes[-1])) if found.scopes else None
        member = scopes.kind(scope) == "class"
        kind = Kind.METHOD if member else Kind.FUNCTION
        untyped = node.child_by_field_name("type") is None
        constructing = holder == name or (member and not found.scopes)
        if untyped and constructing and _is_plain(found.name):
            kind = Kind.CONSTRUCTOR
        opened = node if node.type in _BODIES else found.function
        opens = -1 if opened is None else scopes.numbers.get(span_of(opened), -1)
        return self._made(found.name, kind, node, None, opens, name=name)

    def _test(self, node: Node, found: Declarator) -> Iterator[tuple[int, Definition]]:
        """A test of GoogleTest, which may use the members of its fixture."""
        listed = found.function.child_by_field_name("parameters") if found.function else None
        named = inner_nodes(listed) if listed is not None else []
        if len(named) != _TEST_PARTS:
            return
        fixture, name = named
        numbers, span = self._scopes.numbers, span_of(node)
        opens, prefix = numbers.get(span, -1), ""
        if around_of(span) in numbers:
            suite = self._source.word(fixture)
            value = Shape(ShapeOp.NAME, suite)
            start, extension = self._made(fixture, Kind.EXTENSION, node, value, name=suite)
            around = self._scopes.around(around_of(span))
            self.shared.add(start)
            yield (
                start,
                extension._replace(scope=around, opens=numbers[around_of(span)], written_in=around),
            )
        else:
            prefix = self._source.word(fixture)
        yield self._made(name, Kind.TEST, node, None, opens, prefix=prefix)

    def _function_name(self, name: Node) -> str:
        text = self._source.text(name)
        if name.type == "operator_cast":
            return " ".join(text.partition("(")[0].split())
        return "".join(text.split()) if name.type != "identifier" else text

    def _extension_of(self, node: Node, found: Declarator) -> tuple[int, Definition]:
        """The class or namespace around a function that is defined outside of it."""
        *outer, last = found.scopes
        start, definition = self._made(
            last, Kind.EXTENSION, node, self._shaper.owner(last),
            name=self._source.word(plain_name(last)),
            prefix=".".join(self._source.word(plain_name(each)) for each in outer),
        )  # fmt: skip
        self.shared.add(start)
        opens = self._scopes.numbers[around_of(span_of(node))]
        around = self._scopes.around(around_of(span_of(node)))
        return start, definition._replace(scope=around, opens=opens, written_in=around)

    def _typedef(self, node: Node, captures: Captures) -> Iterator[tuple[int, Definition]]:
        written, declarator = captures["type"][0], captures["name"][0]
        found = declared_in(declarator)
        if found is None or found.name.type not in {"type_identifier", "primitive_type"}:
            return
        unnamed = written.child_by_field_name("name") is None
        body = written.child_by_field_name("body")
        if unnamed and body is not None and declarator.type == "type_identifier":
            kind = Kind.CLASS if written.type in _RECORDS else Kind.ENUM
            opens = self._scopes.numbers.get(span_of(written), -1)
            yield self._made(found.name, kind, node, None, opens)
            return
        value = self._shaper.declared(written, declarator)
        if found.function is not None:
            value = self._shaper.declared(written, found.function)
        yield self._made(found.name, Kind.ALIAS, node, value)

    def _type(self, kind: Kind, node: Node, named: Node) -> tuple[int, Definition]:
        """A type with a body; a specialisation has the name of its template."""
        scopes = (each.child_by_field_name("scope") for each in qualified(named)[:-1])
        prefix = ".".join(self._source.word(plain_name(each)) for each in scopes if each)
        opens = self._scopes.numbers.get(span_of(node), -1)
        return self._made(plain_name(named), kind, node, None, opens, prefix=prefix)

    def _enumerator(self, node: Node, name: Node) -> tuple[int, Definition]:
        holder = node.parent.parent if node.parent is not None else None
        named = holder.child_by_field_name("name") if holder is not None else None
        value = None if named is None else Shape(ShapeOp.TAG, self._source.word(named))
        return self._made(name, Kind.FIELD, node, value)

    def _macro(self, role: CaptureRole, captures: Captures) -> Iterator[tuple[int, Definition]]:
        """A macro, which belongs to no namespace."""
        node = captures[role.name][0]
        kind = Kind.FUNCTION if node.type == "preproc_function_def" else Kind.CONSTANT
        start, definition = self._made(captures["name"][0], kind, node, None)
        yield start, definition._replace(scope=0, written_in=0)

    def _namespace(self, node: Node, named: Node) -> Iterator[tuple[int, Definition]]:
        """A namespace; `a::b` is one in the other. An inline one is as if it were not there."""
        if node.children and node.children[0].type == "inline":
            return
        parts = inner_nodes(named) if named.type == "nested_namespace_specifier" else [named]
        opens = self._scopes.numbers.get(span_of(node), -1)
        outer: list[str] = []
        for each in parts:
            last = each == parts[-1]
            yield self._made(
                each, Kind.NAMESPACE, node, None, opens if last else -1, prefix=".".join(outer)
            )
            outer.append(self._source.word(each))

    def _parameter(self, node: Node, captures: Captures) -> Iterator[tuple[int, Definition]]:
        found = declared_in(captures["name"][0])
        if node.parent is not None and node.parent.type in _TEMPLATED:
            if found is not None and found.name.type in _NAMES:
                yield self._type_parameter(found.name)
            return
        if found is None or found.name.type not in _NAMES:
            yield from self._without_name(node, captures["type"])
            return
        value = self._shaper.declared(captures["type"][0], captures["name"][0])
        if node.type == "variadic_parameter_declaration":
            value = Shape(ShapeOp.REST, "", (value or Shape(ShapeOp.EITHER),))
        yield self._made(found.name, Kind.PARAMETER, node, value,
                         optional=node.type == "optional_parameter_declaration")  # fmt: skip

    def _without_name(
        self, node: Node, written: list[Node] | None
    ) -> Iterator[tuple[int, Definition]]:
        """A parameter without a name, which counts for overloads; `(void)` is none."""
        if node.parent is not None and node.parent.type in _TEMPLATED:
            return
        if self._source.text(node) == "void":
            return
        self.shared.add(node.start_byte)
        declarator = node.child_by_field_name("declarator")
        value = self._shaper.declared(written[0], declarator) if written else None
        yield self._made(node, Kind.PARAMETER, node, value, name=_UNNAMED,
                         optional=node.type == "optional_parameter_declaration")  # fmt: skip

    def _type_parameter(self, name: Node) -> tuple[int, Definition]:
        """A parameter of a template, in the scope of what the template makes."""
        holder = name.parent
        while holder is not None and holder.type != "template_declaration":
            holder = holder.parent
        made = inner_nodes(holder)[-1] if holder is not None else None
        while made is not None and made.type == "template_declaration":
            made = inner_nodes(made)[-1]
        scope = -1 if made is None else self._scopes.numbers.get(span_of(made), -1)
        start, definition = self._made(name, Kind.TYPE_PARAMETER, name, None)
        if scope < 0:
            return start, definition
        return start, definition._replace(scope=scope, written_in=scope)


def _is_static(node: Node) -> bool:
    return any(
        each.type == "storage_class_specifier" and each.children[0].type == "static"
        for each in _specifiers(node)
        if each.child_count
    )


def _is_constant(node: Node) -> bool:
    """Whether a parameter is declared `const`, which tells overloads apart."""
    return any(each.type == "type_qualifier" for each in _specifiers(node))


def _specifiers(node: Node) -> Iterator[Node]:
    """What stands before the declarators, of which one declaration may have thousands."""
    declarator = node.child_by_field_name("declarator")
    each = node.child(0) if node.child_count else None
    while each is not None and each != declarator:
        yield each
        each = each.next_sibling


def _is_plain(name: Node) -> bool:
    return name.type in {"identifier", "field_identifier"}


def _outermost(node: Node) -> Node:
    """The template around a declaration, before which its comment stands."""
    holder = node.parent
    return holder if holder is not None and holder.type == "template_declaration" else node
