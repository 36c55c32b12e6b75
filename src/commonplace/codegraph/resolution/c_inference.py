"""The types of expressions in C and C++: pointers, arrays, containers of the library."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from commonplace.codegraph.extraction.facts import EACH, Kind, Reference, Shape, ShapeOp
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.c_names import CNames
from commonplace.codegraph.resolution.exports import Modules
from commonplace.codegraph.resolution.includes import Includes
from commonplace.codegraph.resolution.inference import Inference
from commonplace.codegraph.resolution.known_types import outside
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.same_name import Namesakes
from commonplace.codegraph.resolution.table import DefinitionTable

# Types of the library whose `->` and `*` lead to their first argument.
_POINTERS = frozenset(
    {
        "unique_ptr", "shared_ptr", "auto_ptr", "optional", "iterator", "reference_wrapper",
        "scoped_ptr", "intrusive_ptr", "atomic",
    }
)  # fmt: skip
_LISTS = frozenset(
    {
        "Array", "vector", "list", "deque", "array", "set", "multiset", "unordered_set", "span",
        "forward_list", "initializer_list", "queue", "stack", "priority_queue", "valarray",
        "unordered_multiset",
    }
)  # fmt: skip
_MAPS = frozenset({"map", "unordered_map", "multimap", "unordered_multimap"})
_TO_ELEMENT = frozenset({"front", "back", "at", "top", "value", "get", "value_or", "load", "lock"})
# Methods that give an iterator; those of a range have a constant form besides.
_TO_ITERATOR = frozenset(
    {
        "cbegin", "cend", "crbegin", "crend", "find", "lower_bound", "upper_bound", "insert",
        "erase", "emplace", "data",
    }
)  # fmt: skip
_CONSTANT = "c"
# The methods that `for (x : y)` and `y[n]` call.
_ITERATING, _INDEXING = ("cbegin".removeprefix(_CONSTANT), "cbegin"), ("operator[]",)
_POINTING = ("operator->", "operator*")
_PAIR = "pair"
_ITERATOR = "iterator"
_WEAK = "weak_ptr"


class CInference(Inference):
    """Infers types as seen from the file `home`."""

    def __init__(
        self,
        table: DefinitionTable,
        modules: Modules,
        barrels: Barrels,
        home: str,
        includes: Includes,
        namesakes: Namesakes,
    ) -> None:
        self._home, self._includes, self._namesakes = home, includes, namesakes
        super().__init__(table, modules, barrels)
        self._handlers[ShapeOp.TAG] = self._tag
        self._handlers[ShapeOp.CALL] = self._call

    def _names_of(self, modules: Modules, barrels: Barrels) -> Names:
        self._c_names = CNames(
            self._table, modules, barrels, self.types, self._home, self._includes, self._namesakes
        )
        return self._c_names

    def associated(self, path: str, call: Reference) -> list[DefinitionKey]:
        """The functions in the namespaces of the arguments' types."""
        for argument in call.arguments or ():
            for one in self.types(path, call.scope, argument):
                if one.form is not Form.INSTANCE:
                    continue
                holder = self._table.name_path(DefinitionKey(one.path, one.number))
                found = self._c_names.in_namespace(holder.rpartition(".")[0], call.name)
                if found:
                    return found
        return []

    def _tag(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        for target in self.names.denoted(path, scope, shape, as_type=True):
            yield from self._instances(target, [], bindings)

    def _itself(self, opener: DefinitionKey, bindings: Bindings) -> Iterable[Type]:
        found = super()._itself(opener, bindings)
        return [
            one._replace(form=Form.INSTANCE) if one.form is Form.ITSELF else one for one in found
        ]

    def _instances(
        self, target: DefinitionKey, arguments: list[Types], bindings: Bindings
    ) -> Iterable[Type]:
        definition = self._table.definition(target)
        if definition is not None and definition.kind in {Kind.CLASS, Kind.ENUM}:
            if definition.opens < 0:
                return [Type(Form.INSTANCE, *target)]
        elif definition is not None and definition.kind is Kind.ALIAS and definition.value:
            bound: Bindings = ()
            if definition.opens >= 0:
                wanted = self._table.parameters(target.path, definition.opens, Kind.TYPE_PARAMETER)
                bound = tuple(zip(wanted, arguments, strict=False))
            return self.types(target.path, definition.written_in, definition.value, bound)
        return super()._instances(target, arguments, bindings)

    def _instance(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        if shape.parts[0].op in {ShapeOp.TAG, ShapeOp.SCOPE}:
            found = self.types(path, scope, shape.parts[0], bindings)
            return [one._replace(form=Form.INSTANCE) if one.form is Form.ITSELF else one
                    for one in found]  # fmt: skip
        return super()._instance(path, scope, shape, bindings)

    def _await(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        """What a pointer points to: one of the library, or of a class with such operators."""
        for one in self.types(path, scope, shape.parts[0], bindings):
            yield from self._pointee(one)

    def _pointee(self, one: Type) -> Iterable[Type]:
        if one.form is Form.OUTSIDE:
            if one.path in _POINTERS or one.path in _LISTS:
                return one.bindings[0][1] if one.bindings else ()
            return ()
        found = self._results_of(one, _POINTING)
        return [one] if found is None else found

    def _element(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        for holder in self.types(path, scope, shape.parts[0], bindings):
            if holder.form is Form.OUTSIDE:
                yield from self._held(holder, iterated=shape.text == EACH)
                continue
            if shape.text == EACH:
                for result in self._results_of(holder, _ITERATING) or ():
                    yield from self._pointee(result)
                continue
            found = self._results_of(holder, _INDEXING)
            yield from [holder] if found is None else found

    def _results_of(self, holder: Type, names: Iterable[str]) -> list[Type] | None:
        """What the methods of these names give; None if the type has none of them."""
        found = [member for name in names for member in self.names.members(holder, name)]
        called = chain.from_iterable(self.value_of(m.target, m.bindings) for m in found)
        results = [result for each in called for result in self._calls.results(each)]
        return list(dict.fromkeys(results)) if found else None

    def _held(self, holder: Type, *, iterated: bool) -> Types:
        """The elements of a container; those of a map are pairs if they are iterated."""
        given = [types for _, types in holder.bindings]
        if holder.path in _LISTS and given:
            return given[0]
        if holder.path in _POINTERS and given:
            return tuple(one for each in given[0] for one in self._held_by(each))
        if holder.path in _MAPS and len(given) > 1:
            return (outside(_PAIR, given[:2]),) if iterated else given[1]
        return ()

    def _held_by(self, one: Type) -> Types:
        return (one,) if one.form is not Form.OUTSIDE else self._held(one, iterated=False)

    def _member(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        owners = self.types(path, scope, shape.parts[0], bindings)
        if shape.text in {"first", "second"}:
            place = int(shape.text == "second")
            pairs = [o for o in owners if o.form is Form.OUTSIDE and o.path == _PAIR]
            if pairs:
                return [one for each in pairs if len(each.bindings) > place
                        for one in each.bindings[place][1]]  # fmt: skip
        found = [each for owner in owners for each in self.names.members(owner, shape.text)]
        return chain.from_iterable(self.value_of(each.target, each.bindings) for each in found)

    def _call(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        callee = shape.parts[0]
        if callee.op is ShapeOp.MEMBER:
            holders = [
                each
                for each in self.types(path, scope, callee.parts[0], bindings)
                if each.form is Form.OUTSIDE
            ]
            if holders:
                return [one for each in holders for one in self._library_result(each, callee.text)]
        if callee.op in {ShapeOp.CALLED, ShapeOp.NAME, ShapeOp.GENERIC, ShapeOp.MEMBER}:
            made = list(self._made(path, scope, callee, bindings))
            if made:
                return made
        return self._calls.call(path, scope, shape, bindings)

    def _made(self, path: str, scope: int, callee: Shape, bindings: Bindings) -> Iterable[Type]:
        """The instance that `Name(...)` makes of a type."""
        named, *stated = callee.parts if callee.op is ShapeOp.GENERIC else (callee,)
        given = [self.types(path, scope, each, bindings) for each in stated]
        for target in self.names.denoted(path, scope, named, as_type=False):
            if self._table.kind(target) in {Kind.CLASS, Kind.ALIAS}:
                yield from self._instances(target, given, bindings)

    def _library_result(self, holder: Type, name: str) -> Iterable[Type]:
        """The result of a method of a type of the library."""
        given = [types for _, types in holder.bindings]
        if not given:
            return ()
        if holder.path in _POINTERS or holder.path == _WEAK:
            return given[0] if name in _TO_ELEMENT else ()
        if not _TO_ITERATOR.isdisjoint({name, f"{_CONSTANT}{name}"}):
            return [outside(_ITERATOR, [self._held(holder, iterated=True)])]
        return self._held(holder, iterated=False) if name in _TO_ELEMENT else ()
