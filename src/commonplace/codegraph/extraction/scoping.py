"""The scopes of a file, and the annotations of scopes and declarations by plain captures."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from commonplace.codegraph.extraction.facts import CodeScope, Shape, ShapeOp
from commonplace.codegraph.extraction.matches import CaptureRole, Captures, Match
from commonplace.codegraph.extraction.shapes import UNKNOWN, Shaper
from commonplace.codegraph.extraction.source import SourceText, inner_nodes

if TYPE_CHECKING:
    from tree_sitter import Node

Span = tuple[int, int]

FUNCTIONS = frozenset({"function", "arrow"})
CLASSES = frozenset({"class"})
_OBJECTS = frozenset({"object"})
_TRAILING = "annotated_lambda"  # follows a call
_ARGUMENTS = frozenset(
    {"argument", "value_argument", "annotated_lambda"}
)  # nodes that wrap one argument each
_LONGEST_MODIFIERS = 80  # bytes searched before a function's parameters
_ITERATOR = Shape(ShapeOp.TYPE, "Iterator")


def span_of(node: Node) -> Span:
    return node.start_byte, node.end_byte


def around_of(span: Span) -> Span:
    """The span of an extension's scope, around the scope that the declaration itself opens."""
    return span[0], span[1] + 1


class Scopes:
    """The nested scopes of a file, found by position."""

    def __init__(self, source: SourceText, opened: Iterable[Match]) -> None:
        spans = {(-1, len(source.data) + 1): "file"}
        for role, captures in opened:
            span = span_of(captures[role.name][0])
            if role.what == "extension":
                spans[around_of(span)] = "class"
            elif role.what != "block" or span not in spans:
                spans[span] = role.what
        ordered = sorted(spans, key=lambda span: (span[0], -span[1]))
        self.numbers = {span: number for number, span in enumerate(ordered)}
        self._source = source
        self._spans = ordered
        self._kinds = [spans[span] for span in ordered]
        self._parents = list(_parents(ordered))
        self._starts = [span[0] for span in ordered]

    def around(self, span: Span, kinds: frozenset[str] | None = None) -> int:
        """The innermost scope that strictly contains a span, of one of the given kinds if any."""
        start, end = span
        number = bisect_right(self._starts, start) - 1
        while number > 0:
            found = self._spans[number]
            if (
                found[1] >= end
                and found != span
                and (kinds is None or self._kinds[number] in kinds)
            ):
                return number
            number = self._parents[number]
        return 0

    def kind(self, number: int) -> str:
        return self._kinds[number]

    def expected(self, key: Node) -> Shape:
        """The type that is expected of the object literal around a key."""
        return Shape(ShapeOp.EXPECTED, str(self.around(span_of(key), _OBJECTS)))

    def outwards(self, number: int) -> Iterator[int]:
        while number >= 0:
            yield number
            number = self._parents[number]

    def finished(
        self, places: Iterable[Match], shaper: Shaper, notes: Notes
    ) -> tuple[CodeScope, ...]:
        bases: dict[int, list[Shape]] = defaultdict(list)
        returns: dict[int, list[Shape]] = defaultdict(list)
        expected: dict[int, Shape] = {}
        for role, captures in places:
            if role.group == "extends":
                self._extend(captures, shaper, bases)
            elif role.group == "return":
                self._return(role, captures[role.name][0], shaper, returns)
            else:
                self._expect(role, captures, shaper, expected)
        results = notes.results
        for number, wanted in expected.items():
            if wanted.op is ShapeOp.PARAMETER and shaper.has_receivers:
                bases[number].append(Shape(ShapeOp.RECEIVER, "", (wanted,)))
        return tuple(
            CodeScope(
                parent, kind, *span, tuple(bases.get(number, ())), results.get(span),
                tuple(returns.get(number, ())), expected.get(number),
            )
            for number, (parent, kind, span) in enumerate(
                zip(self._parents, self._kinds, self._spans, strict=True)
            )
        )  # fmt: skip

    def _extend(self, captures: Captures, shaper: Shaper, bases: dict[int, list[Shape]]) -> None:
        if "mapped" in captures:
            mapped = captures["mapped"][0]
            bases[self.around(span_of(mapped), _OBJECTS)].append(shaper.shape(mapped) or UNKNOWN)
        else:
            holder = self.around(span_of(captures["base"][0]), CLASSES)
            bases[holder].append(_base(captures, shaper))

    def _return(
        self, role: CaptureRole, node: Node, shaper: Shaper, returns: dict[int, list[Shape]]
    ) -> None:
        shape = shaper.shape(node)
        if shape is not None and role.what == "yielded":
            shape = Shape(ShapeOp.GENERIC, "", (_ITERATOR, shape))
        if shape is not None:
            returns[self.around(span_of(node), FUNCTIONS)].append(shape)

    def _expect(
        self, role: CaptureRole, captures: Captures, shaper: Shaper, expected: dict[int, Shape]
    ) -> None:
        node = captures[role.name][0]
        shape = shaper.shape(node)
        listed = captures.get("list")
        place = listed[0] if listed else node
        wanted = self._expected_shape(role.what, captures, place, shaper)
        if listed and wanted is not None:
            wanted = Shape(ShapeOp.ELEMENT, "", (wanted,))
        opened = self.numbers.get(span_of(node), -1)
        if shape is not None and shape.op is ShapeOp.SCOPE:
            opened = int(shape.text)
        if wanted is not None and opened >= 0:
            known = expected.get(opened)
            if known is None or "by" in captures:
                expected[opened] = wanted

    def _expected_shape(
        self, where: str, captures: Captures, node: Node, shaper: Shaper
    ) -> Shape | None:
        if where == "by":
            return shaper.shape(captures["by"][0])
        if where == "typed":
            return shaper.type_shape(captures["by"][0])
        if where == "member":
            holder = self.around(span_of(node), _OBJECTS)
            name = self._source.word(captures["name"][0])
            return Shape(ShapeOp.MEMBER, name, (Shape(ShapeOp.EXPECTED, str(holder)),))
        if where == "result":
            function = self.around(span_of(node), FUNCTIONS)
            result = Shape(ShapeOp.CALL, "", (Shape(ShapeOp.SCOPE, str(function)),))
            return Shape(ShapeOp.AWAIT, "", (result,)) if self._is_async(function) else result
        return self.wanted_of(node, shaper, captures)

    def _is_async(self, function: int) -> bool:
        """Whether a function is `async`: it returns a promise of what its statements return."""
        start = max(0, self._starts[function])
        header = self._source.data[start : start + _LONGEST_MODIFIERS]
        return b"async" in header.partition(b"(")[0].split()

    def wanted_of(
        self, node: Node, shaper: Shaper, captures: Captures | None = None
    ) -> Shape | None:
        """The type that the called function expects at the place of an argument."""
        if node.parent is not None and node.parent.type in _ARGUMENTS:
            node = node.parent
        arguments = node.parent
        call = arguments.parent if arguments is not None else None
        if arguments is None or call is None:
            return None
        if node.type == _TRAILING:
            called = _callee_and_arguments(shaper.shape(arguments))
            return Shape(ShapeOp.PARAMETER, str(len(called) - 2), called) if called else None
        place = next(n for n, each in enumerate(inner_nodes(arguments)) if each == node)
        called = _callee_and_arguments(shaper.shape(call))
        wanted = shaper.shape(captures["by"][0]) if captures and "by" in captures else None
        if called and wanted is not None:
            called = (Shape(ShapeOp.RESULTING, "", (called[0], wanted)), *called[1:])
        return Shape(ShapeOp.PARAMETER, str(place), called) if called else None


def _callee_and_arguments(call: Shape | None) -> tuple[Shape, ...]:
    if call is not None and call.op is ShapeOp.AWAIT:
        call = call.parts[0]
    if call is None or call.op not in {ShapeOp.CALL, ShapeOp.NEW}:
        return ()
    return call.parts if call.op is ShapeOp.CALL else call.parts[:1]


def _parents(ordered: Sequence[Span]) -> Iterator[int]:
    open_scopes: list[int] = []
    for number, (start, end) in enumerate(ordered):
        while open_scopes and ordered[open_scopes[-1]][1] <= start:
            open_scopes.pop()
        yield open_scopes[-1] if open_scopes else -1
        if end > start:
            open_scopes.append(number)


def _base(captures: Captures, shaper: Shaper) -> Shape:
    """The shape of a base type. A superclass is an expression, an interface a type; both become
    an instance."""
    shape = shaper.shape(captures["base"][0]) or UNKNOWN
    if shape.op in {ShapeOp.NAME, ShapeOp.MEMBER, ShapeOp.CALL}:
        shape = Shape(ShapeOp.INSTANCE, "", (shape,))
    if "arguments" not in captures:
        return shape
    arguments = inner_nodes(captures["arguments"][0])
    return Shape(
        ShapeOp.GENERIC, "", (shape, *(shaper.shape(each) or UNKNOWN for each in arguments))
    )


class Notes:
    """The annotations of nodes by plain roles, by the span of the node."""

    def __init__(self, noted: Iterable[Match], shaper: Shaper) -> None:
        self.static: set[Span] = set()
        self.constant: set[Span] = set()
        self.exported: set[Span] = set()
        self.accessors: set[Span] = set()
        self.selves: set[Span] = set()
        self.types: dict[Span, Shape] = {}
        self.results: dict[Span, Shape] = {}
        marked = {
            "static": self.static,
            "constant": self.constant,
            "accessor": self.accessors,
            "self": self.selves,
        }
        for role, captures in noted:
            if role.group == "exported":
                self._export(captures["declared"][0])
            elif role.group in marked:
                marked[role.group].add(span_of(captures[role.name][0]))
            else:
                shape = shaper.written(captures["type"][0], captures.get("declarator"))
                if shape is not None and shape.op is ShapeOp.NAME:
                    shape = Shape(ShapeOp.INSTANCE, "", (shape,))
                if shape is not None:
                    shapes = self.types if role.group == "typed" else self.results
                    shapes[span_of(captures[role.name][0])] = shape

    def _export(self, declared: Node) -> None:
        self.exported.add(span_of(declared))
        self.exported.update(
            span_of(child)
            for child in declared.named_children
            if child.type.endswith("_declarator")
        )
