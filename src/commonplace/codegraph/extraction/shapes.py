"""Turns the expressions and types of a syntax tree into shapes, by one rule per node type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import CALLED_ON, FUNC, Shape, ShapeOp
from commonplace.codegraph.extraction.rust_paths import inline_depth, path_shape
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

_MOST_PARTS = 40  # of one list; longer lists are data
_DEEPEST = 60  # a longer chain of calls is not followed


FIRST, LAST, ITSELF = "<first>", "<last>", "<itself>"  # children without a field name


@dataclass(frozen=True, slots=True)
class ShapeRule:
    """How one node type becomes a shape.

    `parts` and `text` name children; the named children of `every` become further parts. `lead`
    goes before the parts, and `wrap` around the whole shape.
    """

    op: ShapeOp
    parts: tuple[str, ...] = ()
    text: str = ""
    every: str = ""
    lead: tuple[Shape, ...] = ()
    wrap: ShapeOp | None = None
    annotation: bool = False  # brackets in it hold type arguments
    callee: tuple[str, str] = ("", "")  # receiver and name, if they are children of the call
    stated: str = ""  # the child with the type arguments of a call
    index: str = ""  # the child with the index of an element, a number or a string
    suffixes: Mapping[str, str] = field(
        default_factory=dict
    )  # types of numbers by their last letter
    comparing: bool = False  # comparison operators make it a truth value
    plain: bool = False  # a single part replaces the shape
    inner: bool = False  # its part is the result of the scope that it opens
    nested: Shape | None = None  # the type around the part, once for each pair of brackets
    typed: bool = False  # names among its parts are types, except the first if there is no lead
    trailing: bool = False  # a call whose last argument may follow the parentheses
    dotted: bool = False  # a type whose qualifiers are siblings, followed by its arguments
    function: bool = False  # a function type, perhaps with a receiver

    @property
    def is_special(self) -> bool:
        """Whether the rule needs a special reader."""
        return bool(self.suffixes) or self.trailing or self.dotted or self.function


@dataclass(frozen=True, slots=True, eq=False)
class ShapeRules:
    """The shape rules of a language.

    `shapes`: a rule per node type. `fixed`: node types with a constant shape.
    `through`: node types that stand for one of their children.
    `scopes`: node types whose shape is the scope that they open.
    `modules`: callees whose call is the module that the argument specifies.
    `words`: names with the same meaning everywhere. `paths`: keywords that begin a module path.
    `members`: members that are the same for any receiver.
    `inner_literals`: literals with the element type of the literal around them.
    """

    shapes: Mapping[str, ShapeRule]
    through: Mapping[str, str]
    scopes: frozenset[str]
    fixed: Mapping[str, Shape]
    modules: frozenset[str] = frozenset()
    inner_literals: frozenset[str] = frozenset()
    words: Mapping[str, Shape] = field(default_factory=dict)
    paths: frozenset[str] = frozenset()
    members: Mapping[str, Shape] = field(default_factory=dict)


class Shaper:
    """Builds the shapes of one file. Each node is read once, and equal shapes are one object."""

    def __init__(
        self, rules: ShapeRules, scopes: Mapping[tuple[int, int], int], source: SourceText
    ) -> None:
        self._rules = rules
        self._names = _plain_names(rules)
        self.has_receivers = any(rule.function for rule in rules.shapes.values())
        self._scopes = scopes
        self._word = source.word
        self._known: dict[int, Shape | None] = {}
        self._made: dict[tuple[object, ...], Shape] = {}

    def shape(self, node: Node | None, depth: int = 0) -> Shape | None:
        """The shape of an expression, or None if it has none."""
        if node is None or depth > _DEEPEST:
            return None
        key = node.id
        if key in self._known:
            return self._known[key]
        shape = self._known[key] = self._read(node, depth + 1)
        return shape

    def _read(self, node: Node, depth: int) -> Shape | None:
        kind = node.type
        name = self._names.get(kind)
        if name is not None:
            word = self._word(node)
            return self._rules.words.get(word) or self._unique(name, word, ())
        rule = self._rules.shapes.get(kind)
        if rule is not None:
            return self._apply(rule, node, depth)
        if kind in self._rules.through:
            return self.shape(_child(node, self._rules.through[kind]), depth)
        return self._by_place(kind, node, depth)

    def _by_place(self, kind: str, node: Node, depth: int) -> Shape | None:
        """The shape of a node that depends on its place, or on its type alone."""
        if kind in self._rules.paths:
            return path_shape([kind], inline_depth(node))
        if kind in self._rules.scopes:
            number = self._scopes.get((node.start_byte, node.end_byte))
            return None if number is None else Shape(ShapeOp.SCOPE, str(number))
        if kind in self._rules.modules:
            return self._required_module(node)
        if kind in self._rules.inner_literals:
            return self._inner_literal(node, depth)
        return self._rules.fixed.get(kind)

    def _unique(self, op: ShapeOp, text: str, parts: tuple[Shape, ...]) -> Shape:
        """The unique shape of these parts; equal parts are one object, so ids identify them."""
        key = (op, text, *map(id, parts))
        shape = self._made.get(key)
        if shape is None:
            shape = self._made[key] = Shape(op, text, parts)
        return shape

    def _apply(self, rule: ShapeRule, node: Node, depth: int) -> Shape | None:
        if rule.is_special:
            return self._special(rule, node, depth)
        if rule.inner or (rule.comparing and _compares(node)):
            return self._scope_result(rule, node) if rule.inner else TRUTH
        parts = [self._part(rule, _child(node, each), depth) for each in rule.parts]
        if parts and parts[0] is None and rule.op is not ShapeOp.EITHER:
            return None
        if rule.every:
            holder = _child(node, rule.every)
            children = inner_nodes(holder)[:_MOST_PARTS] if holder else []
            parts += [self.shape(child, depth) for child in children]
        if rule.callee[1]:
            parts = [self._callee(rule, node, depth), *parts]
        if rule.plain and len(parts) == 1:
            return parts[0]
        if rule.typed:
            kept = 0 if rule.lead else 1
            parts = [*parts[:kept], *map(self._as_type, parts[kept:])]
        if rule.nested is not None:
            return self._nested(rule.nested, parts[0] or UNKNOWN, _brackets(node))
        return self._compose(rule, node, parts, depth)

    def _compose(self, rule: ShapeRule, node: Node, parts: list[Shape | None], depth: int) -> Shape:
        if rule.index:
            return self._indexed(rule.op, node.child_by_field_name(rule.index), parts[0])
        if rule.stated:
            return self._generic_call(rule, node, parts, depth)
        takes_text = rule.text or (not parts and not rule.every)
        named = _child(node, rule.text or ITSELF) if takes_text else None
        if named is not None and named.type in _AROUND_NAMES:
            return self._member(rule, named, parts, depth)
        text = self._word(named)
        if rule.op is ShapeOp.MEMBER and text in self._rules.members:
            return self._rules.members[text]
        shape = self._unique(rule.op, text, (*rule.lead, *(part or UNKNOWN for part in parts)))
        return shape if rule.wrap is None else self._unique(rule.wrap, "", (shape,))

    def _member(self, rule: ShapeRule, named: Node, parts: list[Shape | None], depth: int) -> Shape:
        """A member whose name has type arguments, or is wrapped in another node."""
        holder = parts[0] or UNKNOWN
        if named.type == "element_binding_expression":
            return self._unique(ShapeOp.ELEMENT, "", (holder,))
        if named.type == "member_binding_expression":
            named = named.child_by_field_name("name") or named
        if named.type != "generic_name":
            return self._unique(rule.op, self._word(named), (holder,))
        first, *stated = inner_nodes(named)
        member = self._unique(rule.op, self._word(first), (holder,))
        if rule.wrap is not None:
            member = self._unique(rule.wrap, "", (member,))
        given = (self.shape(each, depth) for each in (inner_nodes(stated[0]) if stated else ()))
        return self._unique(ShapeOp.GENERIC, "", (member, *map(self._as_type, given)))

    def _special(self, rule: ShapeRule, node: Node, depth: int) -> Shape:
        if rule.suffixes:
            last = self._word(node)[-1:].lower()
            return self._unique(rule.op, rule.suffixes.get(last, rule.suffixes[""]), ())
        children = inner_nodes(node)
        if rule.trailing:
            return self._trailing_call(children, depth)
        if rule.function:
            return self._function_type(children, depth)
        names = [each for each in children if each.type == "identifier"]
        shape = self._unique(ShapeOp.TYPE, self._word(names[0]) if names else "", ())
        if self._rules.words.get(shape.text) is not None:
            return self._rules.words[shape.text]
        for each in names[1:]:
            shape = self._unique(ShapeOp.MEMBER, self._word(each), (shape,))
        if len(names) > 1:
            shape = self._unique(ShapeOp.INSTANCE, "", (shape,))
        given = next((each for each in children if each.type == "type_arguments"), None)
        if given is None:
            return shape
        parts = (self.shape(each, depth) or UNKNOWN for each in inner_nodes(given))
        return self._unique(ShapeOp.GENERIC, "", (shape, *parts))

    def _trailing_call(self, children: list[Node], depth: int) -> Shape:
        """A call in Kotlin: to the grammar, `f<T>(a) { b }` is a call of `f(a)`."""
        callee, *given = children
        called = self.shape(callee, depth) or UNKNOWN
        if given and given[-1].type == "annotated_lambda":
            function = self.shape(given[-1], depth) or UNKNOWN
            if callee.type == "call_expression" and called.op is ShapeOp.CALL:
                return self._unique(ShapeOp.CALL, "", (*called.parts, function))
            return self._unique(ShapeOp.CALL, "", (called, function))
        for each in given:
            parts = [self.shape(one, depth) or UNKNOWN for one in inner_nodes(each)[:_MOST_PARTS]]
            if each.type == "type_arguments":
                called = self._unique(ShapeOp.GENERIC, "", (called, *parts))
            else:
                return self._unique(ShapeOp.CALL, "", (called, *parts))
        return self._unique(ShapeOp.CALL, "", (called,))

    def _function_type(self, children: list[Node], depth: int) -> Shape:
        listed = next(n for n, each in enumerate(children) if each.type == FUNCTION_PARAMETERS)
        taken = [self.shape(each, depth) or UNKNOWN for each in inner_nodes(children[listed])]
        given = [self.shape(each, depth) or UNKNOWN for each in children[listed + 1 :]]
        on = [self.shape(each, depth) or UNKNOWN for each in children[:listed]]
        named = Shape(ShapeOp.TYPE, CALLED_ON if on else FUNC)
        return self._unique(ShapeOp.GENERIC, "", (named, *on, *taken, *given))

    def written(self, node: Node, _declarator: Sequence[Node] | None) -> Shape | None:
        """The type that is written, with what its declarator makes of it."""
        return self.shape(node)

    def receiver(self, node: Node) -> Shape:
        """The value whose member is taken."""
        return self.shape(node) or UNKNOWN

    def type_shape(self, node: Node) -> Shape:
        return self._as_type(self.shape(node))

    def _as_type(self, part: Shape | None) -> Shape:
        if part is None or part.op not in {ShapeOp.NAME, ShapeOp.MEMBER}:
            return part or UNKNOWN
        return self._unique(ShapeOp.INSTANCE, "", (part,))

    def _scope_result(self, rule: ShapeRule, node: Node) -> Shape | None:
        number = self._scopes.get((node.start_byte, node.end_byte))
        if number is None:
            return None
        opened = self._unique(ShapeOp.SCOPE, str(number), ())
        return self._unique(rule.op, "", (*rule.lead, self._unique(ShapeOp.CALL, "", (opened,))))

    def _nested(self, holder: Shape, element: Shape, times: int) -> Shape:
        for _ in range(times):
            element = self._unique(ShapeOp.GENERIC, "", (holder, element))
        return element

    def _generic_call(
        self, rule: ShapeRule, node: Node, parts: list[Shape | None], depth: int
    ) -> Shape:
        """A call with type arguments. The grammar reads `await f<T>()` as a call of `await f`."""
        callee, *arguments = (part or UNKNOWN for part in parts)
        stated = node.child_by_field_name(rule.stated)
        if stated is None:
            return self._unique(rule.op, "", (callee, *arguments))
        awaited = callee.op is ShapeOp.AWAIT and inner_nodes(node)[0].type == "await_expression"
        called = callee.parts[0] if awaited else callee
        types = (self.shape(child, depth) or UNKNOWN for child in inner_nodes(stated))
        generic = self._unique(ShapeOp.GENERIC, "", (called, *types))
        shape = self._unique(rule.op, "", (generic, *arguments))
        return self._unique(ShapeOp.AWAIT, "", (shape,)) if awaited else shape

    def _indexed(self, op: ShapeOp, index: Node | None, holder: Shape | None) -> Shape:
        """An element access: a quoted index names a member, a number gives the element's index."""
        kind = index.type if index is not None else ""
        place = self._word(index) if kind in {"string", "number"} else ""
        return self._unique(ShapeOp.MEMBER if kind == "string" else op, place, (holder or UNKNOWN,))

    def _required_module(self, node: Node) -> Shape | None:
        call = node.parent
        arguments = call.child_by_field_name("arguments") if call is not None else None
        specifier = _child(arguments, FIRST) if arguments is not None else None
        is_literal = specifier is not None and specifier.type == "string"
        return self._unique(ShapeOp.MODULE, self._word(specifier), ()) if is_literal else None

    def _inner_literal(self, node: Node, depth: int) -> Shape | None:
        holder = node.parent
        while holder is not None and holder.type in {"literal_element", "keyed_element"}:
            holder = holder.parent
        if holder is None or holder.type not in self._rules.inner_literals:
            return self.shape(holder, depth)
        around = self.shape(holder, depth)
        return None if around is None else self._unique(ShapeOp.ELEMENT, "", (around,))

    def _callee(self, rule: ShapeRule, node: Node, depth: int) -> Shape:
        receiver, name = (node.child_by_field_name(field) for field in rule.callee)
        if receiver is None:
            return self._unique(ShapeOp.CALLED, self._word(name), ())
        holder = self.shape(receiver, depth) or UNKNOWN
        return self._unique(ShapeOp.MEMBER, self._word(name), (holder,))

    def _part(self, rule: ShapeRule, node: Node | None, depth: int) -> Shape | None:
        return self._annotated(node, depth) if rule.annotation else self.shape(node, depth)

    def _annotated(self, node: Node | None, depth: int) -> Shape | None:
        """A type that is written as an expression, such as `t.List[a.B] | None` in Python."""
        if node is None or node.type not in _TYPE_OPERATORS or depth > _DEEPEST:
            return self.shape(node, depth)
        first, *others = [self._annotated(each, depth + 1) for each in inner_nodes(node)]
        op = _TYPE_OPERATORS[node.type]
        if op is ShapeOp.GENERIC:
            return self._unique(op, "", (first or UNKNOWN, *map(self._as_type, others)))
        return self._unique(op, "", tuple(map(self._as_type, (first, *others))))


@cache
def _plain_names(rules: ShapeRules) -> Mapping[str, ShapeOp]:
    """The node types of which only the text is read."""
    return {kind: rule.op for kind, rule in rules.shapes.items() if rule == ShapeRule(rule.op)}


UNKNOWN = Shape(ShapeOp.EITHER)
FUNCTION_PARAMETERS = "function_type_parameters"
_AROUND_NAMES = frozenset(
    {"generic_name", "member_binding_expression", "element_binding_expression"}
)
_TYPE_OPERATORS = {"subscript": ShapeOp.GENERIC, "binary_operator": ShapeOp.EITHER}
TRUTH = Shape(ShapeOp.TYPE, "boolean")
_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


def _compares(node: Node) -> bool:
    operator = node.child_by_field_name("operator")
    return operator is not None and operator.type in _COMPARISONS


def _brackets(node: Node) -> int:
    """The number of dimensions of an array, with or without sizes."""
    given = sum(child.type == "dimensions_expr" for child in node.children)
    open_ones = (child for child in node.children if child.type == "dimensions")
    return given + sum(each.type == "[" for child in open_ones for each in child.children)


def _child(node: Node, which: str) -> Node | None:
    if which == ITSELF:
        return node
    if which in {FIRST, LAST}:
        children = inner_nodes(node)
        return children[0 if which == FIRST else -1] if children else None
    return node.child_by_field_name(which)
