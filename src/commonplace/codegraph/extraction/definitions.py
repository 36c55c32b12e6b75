"""Builds the definitions of a file from the matches that declare them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.describe import comment_before, signature_of
from commonplace.codegraph.extraction.facts import (
    EACH,
    ENTERED,
    HIDDEN,
    INDEXED,
    Definition,
    Kind,
    Shape,
    ShapeOp,
)
from commonplace.codegraph.extraction.fixtures import fixture_shape
from commonplace.codegraph.extraction.imports import (
    import_shape,
    name_node,
    name_of_location,
    type_name_node,
)
from commonplace.codegraph.extraction.matches import CaptureRole, Captures, Match
from commonplace.codegraph.extraction.patterns import Unpacked, unpacked
from commonplace.codegraph.extraction.rust_paths import used_names
from commonplace.codegraph.extraction.scoping import (
    CLASSES,
    Notes,
    Scopes,
    Span,
    around_of,
    span_of,
)
from commonplace.codegraph.extraction.shapes import Shaper
from commonplace.codegraph.extraction.source import SourceText, place_among_siblings

if TYPE_CHECKING:
    from tree_sitter import Node

_KINDS = {kind.value: kind for kind in Kind}
_IN_CLASS = {
    Kind.FUNCTION: Kind.METHOD,
    Kind.VARIABLE: Kind.FIELD,
    Kind.CONSTANT: Kind.FIELD,
}
# Destructured parameters: the pattern as a whole counts as the parameter.
_DESTRUCTURED = frozenset({"object_pattern", "array_pattern", "tuple_pattern", "struct_pattern"})
_OTHER_ROLES = {
    "embedded": "field", "matched": "variable", "rest": "parameter", "vararg": "parameter",
}  # fmt: skip
_REST = frozenset({"rest", "vararg"})
_SIMPLE_NAMES = frozenset({"identifier", "type_identifier"})
_CONSTRUCTORS = frozenset({"constructor", "__init__"})
_VARIABLES = frozenset({"identifier", "shorthand_field_identifier"})
# Declared types that do not tell the type of the value.
_INFERRED = frozenset(
    {
        Shape(ShapeOp.TYPE, "var"),
        *(
            Shape(ShapeOp.INSTANCE, "", (named,))
            for name in ("Final", "ClassVar")
            for named in (
                Shape(ShapeOp.NAME, name),
                Shape(ShapeOp.MEMBER, name, (Shape(ShapeOp.NAME, "typing"),)),
            )
        ),
    }
)
_UNNAMED = {
    "call": "()", "new": "new", "default": "default", "companion": "Companion", "setter": "value",
    "index": INDEXED,
}  # fmt: skip
_UNNAMED_KINDS = {
    "default": Kind.CONSTANT, "companion": Kind.NAMESPACE, "setter": Kind.PARAMETER,
}  # fmt: skip
_ITSELF = Shape(ShapeOp.THIS)


class Definitions:
    """Builds the definitions of one file from the matches that declare them."""

    def __init__(
        self, path: str, source: SourceText, scopes: Scopes, shaper: Shaper, notes: Notes
    ) -> None:
        self._path = path
        self._source = source
        self._scopes = scopes
        self._shaper = shaper
        self._notes = notes
        self.keys: list[Unpacked] = []  # members that patterns take by name
        self.shared: set[int] = set()  # positions of names that are both declared and used
        self._receivers: list[int] = []  # positions of receivers written as parameters

    def found(self, declarations: Iterable[Match]) -> dict[tuple[int, Kind], Definition]:
        """The definitions by the position of their name and kind; the first of each counts."""
        found: dict[tuple[int, Kind], Definition] = {}
        imported: set[int] = set()
        for role, captures in declarations:
            if role.group == "import":
                start, definition = self._imported(role, captures)
                imported.add(start)
                found.setdefault((start, Kind.IMPORT), definition)
            else:
                for start, definition in self._read(role, captures):
                    known = found.setdefault((start, definition.kind), definition)
                    if role.what in _REST or (known.value is None and self._may_be_refined(known)):
                        found[start, known.kind] = definition
        for start in self._receivers:
            # One alternative of `#if` may have one and not the other.
            parameter = found.pop((start, Kind.PARAMETER), None)
            if parameter is not None:
                found[start, Kind.VARIABLE] = parameter._replace(kind=Kind.VARIABLE)
        if imported:
            return {k: d for k, d in found.items() if k[1] is Kind.IMPORT or k[0] not in imported}
        return found

    def _may_be_refined(self, known: Definition) -> bool:
        """Whether another declaration at the same position may tell its type."""
        bounded = known.kind is Kind.TYPE_PARAMETER
        return bounded or (self._shaper.has_receivers and known.kind is not Kind.PARAMETER)

    def _read(self, role: CaptureRole, captures: Captures) -> Iterable[tuple[int, Definition]]:
        if role.what == "extension":
            return [self._extension(role, captures)]
        if role.what == "receiver":
            return [self._receiver(captures)]
        if role.what == "it":
            return self._implicit(captures[role.name][0])
        if role.what in _UNNAMED:
            return [self._unnamed(role, captures)]
        return self._declared(role, captures)

    def _declared(self, role: CaptureRole, captures: Captures) -> Iterator[tuple[int, Definition]]:
        source, scopes, notes = self._source, self._scopes, self._notes
        node, named, what = captures[role.name][0], captures["name"][0], role.what
        span = span_of(node)
        if what == "shorthand":
            node = named
        if what in {"shorthand", "enumerated"}:
            what = "field"
        if what == "embedded":
            self.shared.add(named.start_byte)
        what = _OTHER_ROLES.get(what, what)
        place = span_of(node)
        if "until" in captures:
            place = place[0], captures["until"][0].end_byte
        written_in = scopes.around(place)
        scope = scopes.around(place, CLASSES) if what == "property" else written_in
        kind = self._kind(what, span, named)
        if scopes.kind(scope) == "class":
            kind = _IN_CLASS.get(kind, kind)
        value = (
            _ITSELF if role.what == "enumerated" else self._value(role, captures, span, kind, node)
        )
        opens = self._opened_scope(captures, place, node)
        plain = kind in HIDDEN
        signature = "" if plain else signature_of(node, source)
        doc = "" if plain else comment_before(node, source)
        is_static = span in notes.static and what != "property"
        names, destructured = list(self._names(named, value)), None
        if kind is Kind.PARAMETER and named.type in _DESTRUCTURED:
            names, kind, destructured = [Unpacked(named, value), *names], Kind.VARIABLE, named
        for each in names:
            if role.what == "matched" and not self._is_variable(each.name):
                continue
            if each.key:
                self.keys.append(each)
                continue
            name, start = each.name, each.name.start_byte
            yield (
                start,
                Definition(
                    *self._name_and_kind(name, kind, whole=name == destructured), "", scope, opens,
                    source.position(start),
                    source.line(place[0]), source.line(place[1]), each.value, written_in,
                    span in notes.exported, is_static, signature, doc,
                ),
            )  # fmt: skip

    def _name_and_kind(self, name: Node, kind: Kind, *, whole: bool) -> tuple[str, Kind]:
        return ("{}", Kind.PARAMETER) if whole else (self._source.word(name), kind)

    def _is_variable(self, name: Node) -> bool:
        """Whether a name in a pattern is a variable; by convention, capitalised names are not."""
        return name.type in _VARIABLES and not self._source.word(name)[:1].isupper()

    def _opened_scope(self, captures: Captures, span: Span, node: Node) -> int:
        opens = self._scopes.numbers.get(span, -1)
        if opens >= 0:
            return opens
        if "until" in captures:
            return self._scopes.numbers.get(span_of(captures["until"][0]), -1)
        if "iterated" in captures:
            return -1  # the body is that of the loop, not of its variable
        inner = captures["value"][0] if "value" in captures else node.child_by_field_name("body")
        return -1 if inner is None else self._scopes.numbers.get(span_of(inner), -1)

    def _unnamed(self, role: CaptureRole, captures: Captures) -> tuple[int, Definition]:
        """Define a thing without a name: a signature of an interface, or a default export."""
        node = captures[role.name][0]
        value = captures["value"][0] if "value" in captures else None
        span, source = span_of(node), self._source
        is_default = role.what == "default"
        around = self._scopes.around(span)
        return span[0], Definition(
            _UNNAMED[role.what], _UNNAMED_KINDS.get(role.what, Kind.SIGNATURE), "", around,
            -1 if role.what == "setter" else self._scopes.numbers.get(span_of(value or node), -1),
            source.position(span[0]), source.line(span[0]), source.line(span[1]),
            self._shaper.shape(value), around, exported=is_default,
        )  # fmt: skip

    def _extension(self, role: CaptureRole, captures: Captures) -> tuple[int, Definition]:
        """Define an extension, named after the extended type, with the scope of its members."""
        written, source = captures["name"][0], self._source
        named = type_name_node(written)
        span = span_of(captures[role.name][0])
        outer, start = around_of(span), named.start_byte
        place = outer if outer in self._scopes.numbers else span
        self.shared.add(start)
        return start, Definition(
            source.word(named), Kind.EXTENSION, "", self._scopes.around(place),
            self._scopes.numbers[place], source.position(start), source.line(span[0]),
            source.line(span[1]), self._extended_type(written), self._scopes.numbers[place],
        )  # fmt: skip

    def _extended_type(self, written: Node) -> Shape:
        if written.type in _SIMPLE_NAMES:
            return Shape(ShapeOp.TYPE, self._source.word(written))
        return self._shaper.type_shape(written)

    def _implicit(self, node: Node) -> Iterator[tuple[int, Definition]]:
        """Define `it`, the implicit parameter of a lambda that names none."""
        if any(child.type == "lambda_parameters" for child in node.named_children):
            return
        span, source = span_of(node), self._source
        scope = self._scopes.numbers[span]
        yield span[0], Definition(
            "it", Kind.PARAMETER, "", scope, -1, source.position(span[0]), source.line(span[0]),
            source.line(span[0]), Shape(ShapeOp.ARGUMENT, "0"), scope, static=True,
        )  # fmt: skip

    def _receiver(self, captures: Captures) -> tuple[int, Definition]:
        """Define the receiver of a C# extension method, which is written as a parameter."""
        named, marked, source = captures["extending"][0], captures["marked"][0], self._source
        self._receivers.append(captures["name"][0].start_byte)
        start = marked.start_byte
        inner = self._scopes.around(span_of(marked))
        line = source.line(start)
        return start, Definition(
            source.word(named), Kind.EXTENSION, "", 0, -1, source.position(start), line, line,
            self._shaper.type_shape(captures["type"][0]), inner,
        )  # fmt: skip

    def _imported(self, role: CaptureRole, captures: Captures) -> tuple[int, Definition]:
        name = captures["name"][0] if "name" in captures else name_node(captures["imported"][0])
        span, source, start = span_of(captures[role.name][0]), self._source, name.start_byte
        called = source.word(name)
        if "name" not in captures and role.what == "location":
            called = name_of_location(called)
        elif "name" not in captures and role.what == "use":
            called = used_names(captures["imported"][0], source)[-1]
        return start, Definition(
            called, Kind.IMPORT, "", self._scopes.around(span), -1,
            source.position(start), source.line(span[0]), source.line(span[1]),
            import_shape(role.what, captures, source),
        )  # fmt: skip

    def _kind(self, what: str, span: Span, name: Node) -> Kind:
        if what == "property" or span in self._notes.accessors:
            return Kind.FIELD
        if what in {"method", "function"} and self._source.text(name) in _CONSTRUCTORS:
            return Kind.CONSTRUCTOR
        if what == "variable" and span in self._notes.constant:
            return Kind.CONSTANT
        return _KINDS[what]

    def _names(self, pattern: Node, value: Shape | None) -> Iterable[Unpacked]:
        if "pattern" in pattern.type or pattern.type == "expression_list":
            return unpacked(pattern, value, self._source)
        return [Unpacked(pattern, value)]

    def _value(
        self, role: CaptureRole, captures: Captures, span: Span, kind: Kind, node: Node
    ) -> Shape | None:
        value = self._value_shape(captures, span)
        if kind is not Kind.PARAMETER:
            return value
        if value is None:
            value = self._untyped_parameter(node)
        elif "type" not in captures and node.type == "required_parameter":
            value = Shape(ShapeOp.EITHER, "", (self._untyped_parameter(node), value))  # a default
        if node.type in {"spread_parameter", "variadic_parameter_declaration"}:
            return Shape(ShapeOp.REST, "", (value,))
        if role.what in _REST:
            one = _element_of(value) if role.what == "rest" else value
            return Shape(ShapeOp.REST, "", (one,))
        pattern = node.child_by_field_name("pattern")
        if (
            pattern is not None
            and pattern.type == "rest_pattern"
            and value.op is not ShapeOp.ARGUMENT
        ):
            return Shape(ShapeOp.REST, "", (_element_of(value),))
        return value

    def _value_shape(self, captures: Captures, span: Span) -> Shape | None:
        """The shape of a definition's value; a declared type takes precedence."""
        shape = self._shaper.shape
        declared = shape(captures["type"][0]) if "type" in captures else self._notes.types.get(span)
        if declared is not None and declared.op is ShapeOp.NAME:
            declared = Shape(ShapeOp.INSTANCE, "", (declared,))
        if declared is not None and declared not in _INFERRED:
            return declared
        if "handed" in captures:
            return self._scopes.wanted_of(captures["handed"][0], self._shaper)
        if "iterated" in captures:
            source = shape(captures["iterated"][0])
            return None if source is None else Shape(ShapeOp.ELEMENT, EACH, (source,))
        if "entered" in captures:
            entered = shape(captures["entered"][0])
            return None if entered is None else Shape(ShapeOp.AWAIT, ENTERED, (entered,))
        return shape(captures["value"][0]) if "value" in captures else None

    def _untyped_parameter(self, node: Node) -> Shape:
        """The shape of an untyped parameter: the object, its class, a fixture or the argument."""
        span = span_of(node)
        if span not in self._notes.selves:
            fixture = fixture_shape(node, self._path, self._source)
            return fixture or Shape(ShapeOp.ARGUMENT, str(place_among_siblings(node)))
        if self._source.text(node) == "cls":
            return Shape(ShapeOp.SCOPE, str(self._scopes.around(span, CLASSES)))
        return _ITSELF


def _element_of(listed: Shape) -> Shape:
    """The type of an element of a list type."""
    if listed.op is ShapeOp.GENERIC and len(listed.parts) == 2:
        return listed.parts[1]
    return Shape(ShapeOp.ELEMENT, "", (listed,))
