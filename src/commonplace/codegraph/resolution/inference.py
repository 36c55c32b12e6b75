"""Infers the types of expressions through names, members, calls and type arguments.

An unknown type gives no answer rather than a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from commonplace.codegraph.extraction.facts import ENTERED, GLOBAL, Kind, Reference, Shape, ShapeOp
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.calls import Calls
from commonplace.codegraph.resolution.exports import Modules
from commonplace.codegraph.resolution.extensions import Extensions
from commonplace.codegraph.resolution.known_types import (
    COMPONENT_PARTS,
    COMPONENTS,
    GLOBAL_OBJECTS,
    UNBOXED,
    UNIONS,
    WINDOW,
    WRAPPERS,
    YIELDING,
    instances_outside,
    last_of,
    omits,
    outside,
    promises,
)
from commonplace.codegraph.resolution.linking import Bindings, DefinitionKey, Form, Type, Types
from commonplace.codegraph.resolution.mentions import Mentions
from commonplace.codegraph.resolution.names import Names
from commonplace.codegraph.resolution.namespaces import imported_package, named_package
from commonplace.codegraph.resolution.table import DefinitionTable

_TRANSPARENT = WRAPPERS | UNIONS
_MOST_TYPES = 8  # alternatives of one expression
_DEEPEST_QUESTION = 40
_ENTERING = ("__enter__", "__aenter__")
_CLASSES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM})
_THEMSELVES = _CLASSES | {Kind.NAMESPACE, Kind.FUNCTION, Kind.METHOD}


class Inference:
    """The types in a project. Answers are cached; a circular question has no answer."""

    def __init__(self, table: DefinitionTable, modules: Modules, barrels: Barrels) -> None:
        self._table = table
        self._modules = modules
        self.names = self._names_of(modules, barrels)
        self._calls = Calls(table, self.names, self.types, self.value_of)
        self.extensions = Extensions(table, self.names, self.types)
        self._mentions = Mentions(table, self.names)
        self._known: dict[tuple[object, ...], Types] = {}
        self._in_progress: set[tuple[object, ...]] = set()
        self._shapes: dict[Shape, int] = {}
        self._numbers: dict[int, int] = {}
        self._kept_alive: list[Shape] = []
        self._handlers: dict[ShapeOp, Callable[[str, int, Shape, Bindings], Iterable[Type]]] = {
            ShapeOp.NAME: self._name,
            ShapeOp.CALLED: self._name,
            ShapeOp.MEMBER: self._member,
            ShapeOp.CALL: self._calls.call,
            ShapeOp.NEW: self._new,
            ShapeOp.THIS: self._this,
            ShapeOp.SUPER: self._super,
            ShapeOp.AWAIT: self._await,
            ShapeOp.ELEMENT: self._element,
            ShapeOp.MODULE: self._module,
            ShapeOp.TYPE: self._type,
            ShapeOp.GENERIC: self._generic,
            ShapeOp.EITHER: self._either,
            ShapeOp.REST: self._rest,
            ShapeOp.SCOPE: self._scope,
            ShapeOp.INSTANCE: self._instance,
            ShapeOp.PARAMETER: self._calls.parameter,
            ShapeOp.ARGUMENT: self._calls.argument,
            ShapeOp.EXPECTED: self._expected,
            ShapeOp.RECEIVER: self._calls.receiver,
        }

    def _names_of(self, modules: Modules, barrels: Barrels) -> Names:
        return Names(self._table, modules, barrels, self.types)

    def types(self, path: str, scope: int, shape: Shape, bindings: Bindings = ()) -> Types:
        """The possible types of an expression in a scope, under bindings of type parameters."""
        number = self._numbers.get(id(shape))
        if number is None:
            number = self._numbered(shape)
        if bindings:
            bindings = self._mentions.relevant(path, scope, shape, number, bindings)
        key = (path, scope, number, bindings)
        found = self._known.get(key)
        if found is not None:
            return found
        return self._compute(key, self._handlers[shape.op], path, scope, shape, bindings)

    def value_of(self, target: DefinitionKey, bindings: Bindings = ()) -> Types:
        """The types of a definition's value."""
        key = (target, bindings)
        found = self._known.get(key)
        return self._compute(key, self._infer_value, target, bindings) if found is None else found

    def associated(self, _path: str, _call: Reference) -> list[DefinitionKey]:
        """The functions that a call may mean because of the types of its arguments."""
        return []

    def forget(self) -> None:
        for answers in (self._known, self._shapes, self._numbers, self._kept_alive, self._handlers):
            answers.clear()
        self._mentions.forget()

    def _numbered(self, shape: Shape) -> int:
        """Number a shape; equal shapes share a number. Shapes may be deep, so each object is
        compared only once. It is kept alive, or its id could be used again."""
        number = self._shapes.setdefault(shape, len(self._shapes))
        self._kept_alive.append(shape)
        self._numbers[id(shape)] = number
        return number

    def _compute(
        self, key: tuple[object, ...], answer: Callable[..., Iterable[Type]], *question: object
    ) -> Types:
        if key in self._in_progress or len(self._in_progress) > _DEEPEST_QUESTION:
            return ()
        self._in_progress.add(key)
        alternatives: dict[Type, None] = {}
        for each in answer(*question):
            alternatives[each] = None
            if len(alternatives) == _MOST_TYPES:
                break  # more would be computed in vain
        self._in_progress.discard(key)
        found = self._known[key] = tuple(alternatives)
        return found

    def _infer_value(self, target: DefinitionKey, bindings: Bindings) -> Iterable[Type]:
        definition = self._table.definition(target)
        if definition is None:
            return [Type(Form.MODULE, target.path)]
        if definition.kind in _THEMSELVES:
            return [Type(Form.ITSELF, target.path, target.number, bindings)]
        if definition.kind is Kind.IMPORT and not self._table.is_packaged(target.path):
            targets = self.names.follow([target], as_type=False)
            return chain.from_iterable(self.value_of(each) for each in targets)
        if definition.value is not None:
            return self.types(target.path, definition.written_in, definition.value, bindings)
        if definition.kind is Kind.FIELD and definition.opens >= 0:
            return self._calls.result(target.path, definition.opens, bindings)
        return ()

    def _name(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        called = shape.op is ShapeOp.CALLED
        found = self.names.lookup(path, scope, shape.text, as_type=False, called=called)
        if not found and shape.text in GLOBAL_OBJECTS and self._table.knows_globals(path):
            return self._global_object(GLOBAL_OBJECTS[shape.text])
        if not found and self._table.language(path) == "csharp" and not called:
            return named_package(self._table, path, shape)
        return chain.from_iterable(
            self.value_of(target, bindings) for target in self._table.of_arity(found, 0)
        )

    def _global_object(self, interface: str) -> Iterable[Type]:
        """The type of `window` and the like: what the project adds to it or declares globally."""
        for target in self._table.global_declarations(interface, as_type=True):
            yield from self._instances(target, [], ())
        if interface == WINDOW:
            yield Type(Form.PACKAGE, GLOBAL)

    def _member(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        owners = self.types(path, scope, shape.parts[0], bindings)
        found = [each for owner in owners for each in self.names.members(owner, shape.text)]
        if not found and self._table.has_extensions(path):
            found = self.extensions.of_any_use(path, owners, shape.text)
        if found:
            return chain.from_iterable(self.value_of(each.target, each.bindings) for each in found)
        if self._table.has_bare_members(path):
            return self._unknown_member(path, shape, owners)
        if shape.text in COMPONENT_PARTS:
            return self._component_part(COMPONENT_PARTS[shape.text], owners)
        return chain.from_iterable(self._calls.library.member(each, shape.text) for each in owners)

    def _component_part(self, place: int, owners: Types) -> Iterable[Type]:
        """The types of `this.props` and `this.state` in a React class component."""
        for owner in owners:
            for base in self.names.with_bases(owner):
                if (
                    base.form is Form.OUTSIDE
                    and base.path in COMPONENTS
                    and place < len(base.bindings)
                ):
                    yield from base.bindings[place][1]

    def _unknown_member(self, path: str, shape: Shape, owners: Types) -> Iterable[Type]:
        """The type of `Outer.this`, of a package, or of a constant: assumed to be of its class."""
        named = shape.parts[0]
        if shape.text == "this":
            return [each._replace(form=Form.INSTANCE) for each in owners]
        if (
            named.op is ShapeOp.NAME
            and not owners
            and shape.text.isupper()
            and named.text[:1].isupper()
        ):
            return [outside(UNBOXED.get(named.text, named.text), [])]
        return () if owners else named_package(self._table, path, shape)

    def _expected(self, path: str, _scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        scope = self._table.scope(path, int(shape.text))
        if scope.expected is None:
            return ()
        return self.types(path, scope.parent, scope.expected, bindings)

    def _new(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        arguments = [self.types(path, scope, each, bindings) for each in shape.parts[1:]]
        named = shape.parts[0]
        if named.op is ShapeOp.NAME and not self.names.lookup(
            path, scope, named.text, as_type=False
        ):
            yield from instances_outside(named.text, arguments)
        for made in self.types(path, scope, named, bindings):
            if made.form is Form.ITSELF:
                yield from self._instances(DefinitionKey(made.path, made.number), arguments, ())
            else:
                for signature in self._calls.signatures(made, "new"):
                    yield from self._calls.result(
                        signature.path, signature.number, signature.bindings
                    )

    def _this(self, path: str, scope: int, _shape: Shape, bindings: Bindings) -> Iterable[Type]:
        in_function = False
        for number in self._table.around(path, scope):
            kind = self._table.scope(path, number).kind
            opener = self._table.opener(path, number)
            if kind == "class" and opener is not None:
                return self._itself(opener, bindings)
            if kind == "arrow" and (on := self._table.scope(path, number).bases):
                found = self.types(path, self._table.scope(path, number).parent, on[0], bindings)
                if found:
                    return found
            if kind == "object" and in_function:
                wanted = Shape(ShapeOp.EXPECTED, str(number))
                return self.types(path, number, wanted, bindings) or [
                    Type(Form.SCOPE, path, number, bindings)
                ]
            in_function |= kind == "function"
        return ()

    def _itself(self, opener: DefinitionKey, bindings: Bindings) -> Iterable[Type]:
        definition = self._table.definition(opener)
        if definition is None or definition.kind is not Kind.EXTENSION:
            return [Type(Form.INSTANCE, opener.path, opener.number, bindings)]
        if definition.value is None:
            return ()
        return self.types(opener.path, definition.written_in, definition.value, bindings)

    def _super(self, path: str, scope: int, _shape: Shape, bindings: Bindings) -> Iterable[Type]:
        for number in self._table.around(path, scope):
            found = self._table.scope(path, number)
            if found.kind == "class":
                for base in found.bases:
                    yield from self.types(path, number, base, bindings)
                return

    def _await(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        if shape.text == ENTERED:
            for entered in self.types(path, scope, shape.parts[0], bindings):
                yield from self._entered(entered)
            return
        for promised in self.types(path, scope, shape.parts[0], bindings):
            kept = [each for each in self.names.with_bases(promised) if promises(each)]
            yield from last_of(kept[0]) if kept else [promised]

    def _entered(self, one: Type) -> Iterable[Type]:
        """The type that `with` binds: what is yielded, or `__enter__` returns, or the value."""
        if one.form is Form.OUTSIDE and one.path in YIELDING:
            return one.bindings[0][1] if one.bindings else ()
        entering = [m for name in _ENTERING for m in self.names.members(one, name)]
        if not entering:
            return [one]
        called = chain.from_iterable(self.value_of(m.target, m.bindings) for m in entering)
        results = [result for each in called for result in self._calls.results(each)]
        return [r for r in results if r.form is not Form.OUTSIDE or r.bindings] or [one]

    def _element(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        for holder in self.types(path, scope, shape.parts[0], bindings):
            for each in self.names.with_bases(holder):
                yield from self._calls.library.element(each, shape.text)

    def _module(self, path: str, _scope: int, shape: Shape, _bindings: Bindings) -> Iterable[Type]:
        if self._table.has_bare_members(path):
            return imported_package(self._table, path, shape.text)
        module = self._modules.find(path, shape.text)
        form = Form.PACKAGE if self._table.is_packaged(path) else Form.MODULE
        return [] if module is None else [Type(form, module)]

    def _type(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        return self._named_type(path, scope, shape, [], bindings)

    def _generic(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        named, *parts = shape.parts
        arguments = [self.types(path, scope, each, bindings) for each in parts]
        return self._named_type(path, scope, named, arguments, bindings)

    def _instance(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        named = shape.parts[0]
        if named.op is ShapeOp.EITHER:
            each = (shape._replace(parts=(part,)) for part in named.parts)
            return chain.from_iterable(self.types(path, scope, one, bindings) for one in each)
        if named.op in {ShapeOp.GENERIC, ShapeOp.INSTANCE}:
            return self.types(path, scope, named, bindings)
        return self._named_type(path, scope, named, [], bindings)

    def _named_type(
        self, path: str, scope: int, shape: Shape, arguments: list[Types], bindings: Bindings
    ) -> Iterable[Type]:
        if shape.op is ShapeOp.INSTANCE:
            shape = shape.parts[0]
        local = self.names.lookup(path, scope, shape.text, as_type=True)
        plain = shape.op in {ShapeOp.TYPE, ShapeOp.NAME}
        if plain and (not local or shape.text in _TRANSPARENT):
            found = []
        else:
            found = self.names.denoted(path, scope, shape, as_type=True)
        if not found and shape.text == "Self" and self._table.is_dynamic(path):
            return self._this(path, scope, shape, bindings)
        if not found and shape.op is ShapeOp.MEMBER and self._table.has_bare_members(path):
            return named_package(self._table, path, shape) or instances_outside(
                shape.text, arguments
            )
        if not found:
            return self._calls.library.computed(shape.text, arguments)
        found = self._table.of_arity(found, len(arguments))
        if self._table.is_partial(found[0]):
            found = found[:1]
        return chain.from_iterable(self._instances(target, arguments, bindings) for target in found)

    def _instances(
        self, target: DefinitionKey, arguments: list[Types], bindings: Bindings
    ) -> Iterable[Type]:
        """The instance of a class, or the types behind an alias or a type parameter."""
        definition = self._table.definition(target)
        if definition is None:
            return ()
        if definition.kind is Kind.TYPE_PARAMETER:
            bound = dict(bindings)
            return bound[target] if target in bound else self._infer_value(target, bindings)
        if definition.opens < 0:
            return ()
        parameters = self._table.parameters(target.path, definition.opens, Kind.TYPE_PARAMETER)
        type_arguments = tuple(zip(parameters, arguments, strict=False))
        named_anew = definition.kind is Kind.ALIAS and definition.value is None
        if definition.kind in _CLASSES or named_anew:
            return [Type(Form.INSTANCE, target.path, target.number, type_arguments)]
        if definition.kind is Kind.ALIAS and definition.value is not None:
            return self.types(target.path, definition.opens, definition.value, type_arguments)
        return ()

    def _either(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        ordered = sorted(shape.parts, key=omits)
        return chain.from_iterable(self.types(path, scope, each, bindings) for each in ordered)

    def _rest(self, path: str, scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        return instances_outside("Array", [self.types(path, scope, shape.parts[0], bindings)])

    def _scope(self, path: str, _scope: int, shape: Shape, bindings: Bindings) -> Iterable[Type]:
        number = int(shape.text)
        opener = self._table.opener(path, number)
        if self._table.scope(path, number).kind == "class" and opener is not None:
            return [Type(Form.ITSELF, path, opener.number, bindings)]
        return [Type(Form.SCOPE, path, number, bindings)]
