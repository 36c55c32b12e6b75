"""The shapes of expressions and types in C and C++: rules, and what depends on the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.c_declarators import names_in, plain_name, qualified, wrapped
from commonplace.codegraph.extraction.facts import FUNC, NULL, Shape, ShapeOp
from commonplace.codegraph.extraction.shapes import (
    FIRST,
    TRUTH,
    UNKNOWN,
    Shaper,
    ShapeRule,
    ShapeRules,
)
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

_POINTED = "->"
_QUALIFIED = "qualified_identifier"
_TEMPLATE = "template_type"
_TYPE_NAMES = frozenset({"type_identifier", _TEMPLATE})
_INFERRED = frozenset({"auto", "placeholder_type_specifier"})
_TYPED_INITIALIZERS = frozenset({"compound_literal_expression", "new_expression"})
_RECORDS = frozenset({"struct_specifier", "union_specifier", "class_specifier", "enum_specifier"})
# Functions that give what their first template argument names.
_MAKING = frozenset(
    {
        "static_cast", "dynamic_cast", "const_cast", "reinterpret_cast", "static_pointer_cast",
        "dynamic_pointer_cast", "const_pointer_cast", "down_cast", "make_unique", "make_shared",
        "get_if", "any_cast",
    }
)  # fmt: skip
# Types of numbers; a pointer to one is read as an array.
ARITHMETIC = frozenset(
    {
        "int", "char", "long", "short", "double", "float", "unsigned", "unsigned char", "boolean",
        "unsigned long", "unsigned short", "long long", "unsigned long long", "wchar_t", "void",
        "uint8_t", "int8_t", "char16_t", "char32_t", "char8_t", "int32_t", "uint32_t", "int64_t",
        "uint64_t", "size_t", "int16_t", "uint16_t", "ssize_t", "ptrdiff_t", "intptr_t",
        "uintptr_t", "long double",
    }
)  # fmt: skip
# Functions that give their argument.
_PASSED_ON = frozenset({"move", "forward", "ref", "cref", "as_const", "addressof"})

_ARRAY, _FUNCTION = Shape(ShapeOp.TYPE, "Array"), Shape(ShapeOp.TYPE, FUNC)
_TEXT = Shape(ShapeOp.GENERIC, "", (_ARRAY, Shape(ShapeOp.TYPE, "char")))
_NULL = Shape(ShapeOp.TYPE, NULL)
_MOST_ARGUMENTS = 40
_MOST_QUALIFIERS = 20

C_RULES = ShapeRules(
    shapes={
        "identifier": ShapeRule(ShapeOp.NAME),
        "namespace_identifier": ShapeRule(ShapeOp.NAME),
        "type_identifier": ShapeRule(ShapeOp.TYPE),
        "primitive_type": ShapeRule(ShapeOp.TYPE),
        "subscript_expression": ShapeRule(ShapeOp.ELEMENT, ("argument",)),
        "conditional_expression": ShapeRule(ShapeOp.EITHER, ("consequence", "alternative")),
        "binary_expression": ShapeRule(ShapeOp.EITHER, ("left", "right"), comparing=True),
        "template_type": ShapeRule(ShapeOp.GENERIC, ("name",), every="arguments"),
    },
    through={
        "parenthesized_expression": FIRST,
        "compound_literal_expression": "type",
        "cast_expression": "type",
        "new_expression": "type",
        "assignment_expression": "left",
        "update_expression": "argument",
        "template_function": "name",
        "template_method": "name",
        "dependent_type": FIRST,
        "dependent_name": FIRST,
        "decltype": FIRST,
        "parameter_pack_expansion": "pattern",
        "macro_type_specifier": "type",
        "condition_clause": "value",
    },
    scopes=frozenset({"lambda_expression"}),
    fixed={
        "this": Shape(ShapeOp.THIS),
        "true": TRUTH,
        "false": TRUTH,
        "string_literal": _TEXT,
        "concatenated_string": _TEXT,
        "char_literal": Shape(ShapeOp.TYPE, "char"),
        "null": _NULL,
        "sizeof_expression": Shape(ShapeOp.TYPE, "size_t"),
    },
    words={"bool": TRUTH, "_Bool": TRUTH, "NULL": _NULL},
)  # fmt: skip


class CShaper(Shaper):
    """Reads what one rule per node type cannot: qualified names, pointers and declared types."""

    def __init__(
        self, rules: ShapeRules, scopes: Mapping[tuple[int, int], int], source: SourceText
    ) -> None:
        super().__init__(rules, scopes, source)
        self._readers: dict[str, Callable[[Node, int], Shape | None]] = {
            "field_expression": self._field,
            "call_expression": self._call,
            "namespace_identifier": self._owner,
            "pointer_expression": self._pointed,
            "type_descriptor": self._described,
            "initializer_list": self._initialized,
            "number_literal": self._number,
            "sized_type_specifier": self._sized,
            _QUALIFIED: self._qualified,
            **dict.fromkeys(_RECORDS, self._record),
        }

    def _read(self, node: Node, depth: int) -> Shape | None:
        if node.type == _TEMPLATE and _is_scope(node):
            return self.owner(node)
        reader = self._readers.get(node.type)
        return super()._read(node, depth) if reader is None else reader(node, depth)

    def declared(self, written: Node | None, declarator: Node | None) -> Shape | None:
        """The type of what a declarator declares, from the type that is written before it."""
        if written is None or written.type in _INFERRED:
            return None
        shape = self.shape(written)
        return None if shape is None else self._wrapped(self._as_type(shape), declarator)

    def written(self, node: Node, declarator: Sequence[Node] | None) -> Shape | None:
        return self.declared(node, declarator[0] if declarator else None)

    def receiver(self, argument: Node) -> Shape:
        """The value whose member a field expression takes; `->` follows a pointer."""
        holder = self.shape(argument) or UNKNOWN
        field = argument.parent
        return holder if field is None else self._followed(field, holder)

    def owner(self, scope: Node) -> Shape:
        """What a qualifier names: a namespace or a type, with the qualifiers before it."""
        inner_first, outer = [scope], _outer(scope)
        while outer is not None and len(inner_first) <= _MOST_QUALIFIERS:
            inner_first.append(outer)
            outer = _outer(outer)
        return self._named([plain_name(each) for each in reversed(inner_first)])

    def path(self, node: Node) -> Shape:
        """What a qualified name names, whether a value, a type or a namespace."""
        return self._named(names_in(node))

    def _named(self, names: Sequence[Node]) -> Shape:
        """What the last of these names, each a member of the one before, stands for."""
        if len(names) > _MOST_QUALIFIERS:
            return UNKNOWN
        first, *others = map(self._word, names)
        shape = self._unique(ShapeOp.NAME, first, ())
        for name in others:
            shape = self._unique(ShapeOp.MEMBER, name, (shape,))
        return shape

    def _owner(self, node: Node, _depth: int) -> Shape:
        return self.owner(node)

    def _wrapped(self, shape: Shape, declarator: Node | None) -> Shape:
        for form in wrapped(declarator):
            to_number = shape.op is ShapeOp.TYPE and shape.text in ARITHMETIC
            if form == "function":
                shape = self._unique(ShapeOp.GENERIC, "", (_FUNCTION, shape))
            elif form == "array" or to_number:
                shape = self._unique(ShapeOp.GENERIC, "", (_ARRAY, shape))
        return shape

    def _followed(self, field: Node, holder: Shape) -> Shape:
        operator = field.child_by_field_name("operator")
        if operator is not None and operator.type == _POINTED:
            return self._unique(ShapeOp.AWAIT, "", (holder,))
        return holder

    def _field(self, node: Node, depth: int) -> Shape:
        holder = self.shape(node.child_by_field_name("argument"), depth) or UNKNOWN
        field = node.child_by_field_name("field")
        name = "" if field is None else self._word(plain_name(field))
        return self._unique(ShapeOp.MEMBER, name, (self._followed(node, holder),))

    def _call(self, node: Node, depth: int) -> Shape | None:
        function = node.child_by_field_name("function")
        if function is None:
            return None
        listed = node.child_by_field_name("arguments")
        arguments = inner_nodes(listed)[:_MOST_ARGUMENTS] if listed is not None else []
        *_, named = qualified(function)
        stated = self._stated(named, depth) if named.type == "template_function" else []
        name = self._word(plain_name(named))
        if stated and name in _MAKING:
            return stated[0]
        if not stated and len(arguments) == 1 and name in _PASSED_ON:
            return self.shape(arguments[0], depth)
        called = self.shape(function, depth) or UNKNOWN
        if called.op is ShapeOp.TYPE:
            return called
        if called.op is ShapeOp.NAME:
            called = self._unique(ShapeOp.CALLED, called.text, ())
        if stated:
            called = self._unique(ShapeOp.GENERIC, "", (called, *stated))
        parts = (self.shape(each, depth) or UNKNOWN for each in arguments)
        return self._unique(ShapeOp.CALL, "", (called, *parts))

    def _stated(self, named: Node, depth: int) -> list[Shape]:
        """The template arguments of a name."""
        given = named.child_by_field_name("arguments")
        types = inner_nodes(given)[:_MOST_ARGUMENTS] if given is not None else []
        return [self._as_type(self.shape(each, depth)) for each in types]

    def _qualified(self, node: Node, depth: int) -> Shape:
        """The innermost name with its qualifiers; an instance if it is the name of a type."""
        *_, holder, named = (node, *qualified(node))
        scope = holder.child_by_field_name("scope")
        word, is_type = self._word(plain_name(named)), named.type in _TYPE_NAMES
        if scope is None:
            shape = self._unique(ShapeOp.TYPE if is_type else ShapeOp.NAME, word, ())
        else:
            shape = self._unique(ShapeOp.MEMBER, word, (self.owner(scope),))
            shape = self._as_type(shape) if is_type else shape
        if named.type != _TEMPLATE:
            return shape
        return self._unique(ShapeOp.GENERIC, "", (shape, *self._stated(named, depth)))

    def _pointed(self, node: Node, depth: int) -> Shape | None:
        shape = self.shape(node.child_by_field_name("argument"), depth)
        operator = node.child_by_field_name("operator")
        if shape is None or operator is None:
            return shape
        if operator.type == "&":
            return self._unique(ShapeOp.GENERIC, "", (_ARRAY, shape))
        return self._unique(ShapeOp.AWAIT, "", (shape,))

    def _described(self, node: Node, _depth: int) -> Shape | None:
        declarator = node.child_by_field_name("declarator")
        return self.declared(node.child_by_field_name("type"), declarator)

    def _number(self, node: Node, _depth: int) -> Shape:
        return self._unique(ShapeOp.TYPE, _number(self._word(node)), ())

    def _sized(self, node: Node, _depth: int) -> Shape:
        return self._unique(ShapeOp.TYPE, _sized(self._word(node)), ())

    def _record(self, node: Node, depth: int) -> Shape | None:
        """The type that `struct name` means, or that a body without a name is."""
        name = node.child_by_field_name("name")
        if name is None:
            number = self._scopes.get((node.start_byte, node.end_byte))
            opened = None if number is None else self._unique(ShapeOp.SCOPE, str(number), ())
            return None if opened is None else self._unique(ShapeOp.INSTANCE, "", (opened,))
        if name.type == _QUALIFIED:
            return self.shape(name, depth)
        tag = self._unique(ShapeOp.TAG, self._word(plain_name(name)), ())
        return self._unique(ShapeOp.INSTANCE, "", (tag,))

    def _initialized(self, node: Node, depth: int) -> Shape | None:
        """The type that an initializer in braces is for."""
        holder = node.parent
        if holder is None:
            return None
        if holder.type == "initializer_pair":
            return self._designated(holder, depth)
        if holder.type == "initializer_list":
            around = self.shape(holder, depth)
            return None if around is None else self._unique(ShapeOp.ELEMENT, "", (around,))
        if holder.type == "init_declarator" and holder.parent is not None:
            written = holder.parent.child_by_field_name("type")
            return self.declared(written, holder.child_by_field_name("declarator"))
        return self.shape(holder, depth) if holder.type in _TYPED_INITIALIZERS else None

    def _designated(self, pair: Node, depth: int) -> Shape | None:
        """The type of what `.name = {...}` or `[n] = {...}` initializes."""
        field, listed = pair.child_by_field_name("designator"), self.shape(pair.parent, depth)
        if field is None or listed is None:
            return None
        if field.type != "field_designator":
            return self._unique(ShapeOp.ELEMENT, "", (listed,))
        return self._unique(ShapeOp.MEMBER, self._word(inner_nodes(field)[0]), (listed,))


def _number(text: str) -> str:
    """The type of a number as it is written."""
    lower = text.lower()
    if "x" not in lower and any(each in lower for each in ".e"):
        return "float" if lower.endswith("f") else "double"
    unsigned = "unsigned " if "u" in lower else ""
    return f"{unsigned}long" if lower.endswith(("l", "lu")) else unsigned.strip() or "int"


def _sized(text: str) -> str:
    """The usual name of a type such as `unsigned long int`."""
    words = [each for each in text.split() if each not in {"int", "signed", "const"}]
    return " ".join(sorted(words, reverse=True)) or "int"


def _outer(scope: Node) -> Node | None:
    """The qualifier before this one: in `a::b::c` the grammar puts `b::c` behind `a`."""
    holder = scope.parent
    around = holder.parent if holder is not None else None
    if around is None or around.type != _QUALIFIED:
        return None
    if around.child_by_field_name("name") != holder:
        return None
    return around.child_by_field_name("scope")


def _is_scope(node: Node) -> bool:
    holder = node.parent
    if holder is None or holder.type != _QUALIFIED:
        return False
    return holder.child_by_field_name("scope") == node
