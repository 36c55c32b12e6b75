"""What an expression is: follows names, members, calls and type arguments through a project.

It answers with nothing rather than with a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain

from commonplace.codegraph.facts import Kind, Op, Shape
from commonplace.codegraph.known_types import (
    GIVING_ELEMENT,
    GIVING_SAME,
    HANDING_ELEMENT,
    HOLDERS,
    OMITTING,
    PROMISES,
    UNIONS,
    WRAPPERS,
)
from commonplace.codegraph.linking import (
    Form,
    Given,
    Target,
    Type,
    Types,
)
from commonplace.codegraph.names import Modules, Names
from commonplace.codegraph.table import Table

_SUPER = Shape(Op.NAME, "super")
_MOST = 8  # alternatives of one expression
_DEEPEST = 40
_CLASSES = frozenset({Kind.CLASS, Kind.INTERFACE, Kind.ENUM})
_THEMSELVES = _CLASSES | {Kind.NAMESPACE, Kind.FUNCTION, Kind.METHOD}


class Inference:
    """One project's types; every answer is kept, and a question inside itself answers nothing."""

    def __init__(self, table: Table, modules: Modules) -> None:
        self._table = table
        self._modules = modules
        self.names = Names(table, modules, self.types)
        self._known: dict[tuple[object, ...], Types] = {}
        self._asked: set[tuple[object, ...]] = set()
        self._handlers: dict[Op, Callable[[str, int, Shape, Given], Iterable[Type]]] = {
            Op.NAME: self._name,
            Op.CALLED: self._name,
            Op.MEMBER: self._member,
            Op.CALL: self._call,
            Op.NEW: self._new,
            Op.THIS: self._this,
            Op.SUPER: self._super,
            Op.AWAIT: self._await,
            Op.ELEMENT: self._element,
            Op.MODULE: self._module,
            Op.TYPE: self._type,
            Op.GENERIC: self._generic,
            Op.EITHER: self._either,
            Op.REST: self._rest,
            Op.SCOPE: self._scope,
            Op.INSTANCE: self._instance,
            Op.PARAMETER: self._parameter,
            Op.ARGUMENT: self._argument,
            Op.EXPECTED: self._expected,
        }

    def types(self, path: str, scope: int, shape: Shape, given: Given = ()) -> Types:
        """What an expression may be, at a place and under bindings of type parameters."""
        return self._once(
            ("shape", path, scope, shape, given),
            lambda: self._handlers[shape.op](path, scope, shape, given),
        )

    def held(self, target: Target, given: Given = ()) -> Types:
        """The type of what a definition holds."""
        return self._once(("held", target, given), lambda: self._held(target, given))

    def _once(self, key: tuple[object, ...], answer: Callable[[], Iterable[Type]]) -> Types:
        if key in self._known:
            return self._known[key]
        if key in self._asked or len(self._asked) > _DEEPEST:
            return ()
        self._asked.add(key)
        found = tuple(dict.fromkeys(answer()))[:_MOST]
        self._asked.discard(key)
        self._known[key] = found
        return found

    def _held(self, target: Target, given: Given) -> Iterable[Type]:
        definition = self._table.definition(target)
        if definition is None:
            return [Type(Form.MODULE, target.path)]
        if definition.kind in _THEMSELVES:
            return [Type(Form.ITSELF, target.path, target.number, given)]
        if definition.kind is Kind.IMPORT:
            followed = self.names.followed([target], False)
            return chain.from_iterable(self.held(each) for each in followed)
        if definition.value is not None:
            return self.types(target.path, definition.written_in, definition.value, given)
        if definition.kind is Kind.FIELD and definition.opens >= 0:
            return self._result(target.path, definition.opens, given)
        return ()

    def _name(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        called = shape.op is Op.CALLED
        found = self.names.lookup(path, scope, shape.text, False, called)
        return chain.from_iterable(self.held(target, given) for target in found)

    def _member(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        for owner in self.types(path, scope, shape.parts[0], given):
            for member in self.names.members(owner, shape.text):
                yield from self.held(member.target, member.given)

    def _call(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        callee, *arguments = shape.parts
        if callee == _SUPER:
            yield from self._super(path, scope, shape, given)
        yield from self._of_holder(path, scope, callee, given)
        functions: list[Type] = []
        for called in self.types(path, scope, callee, given):
            yield from self._created(called)
            functions += self._signatures(called, "()")
        for function in self._taking(len(arguments), functions):
            inferred = self._inferred(function, path, scope, arguments, given)
            yield from self._result(function.path, function.number, inferred)

    def _taking(self, arguments: int, functions: list[Type]) -> list[Type]:
        """Of overloads those that take as many arguments; all where none does."""
        fitting = [
            each for each in functions if self._table.takes(each.path, each.number, arguments)
        ]
        return fitting or functions

    def _created(self, called: Type) -> Iterable[Type]:
        """Where no `new` is written, a class is called to make an instance."""
        if called.form is Form.ITSELF and self._table.is_dynamic(called.path):
            target = Target(called.path, called.number)
            if self._table.kind(target) is Kind.CLASS:
                yield from self._made(target, [], ())

    def _of_holder(self, path: str, scope: int, callee: Shape, given: Given) -> Iterable[Type]:
        """What the methods of arrays and maps give."""
        if callee.op is Op.MEMBER and callee.text in GIVING_ELEMENT | GIVING_SAME:
            for holder in self.types(path, scope, callee.parts[0], given):
                if _holds(holder):
                    yield from [holder] if callee.text in GIVING_SAME else _last(holder)

    def _signatures(self, called: Type, name: str) -> Iterable[Type]:
        """The scopes of the functions that a call of a value runs."""
        if called.form is Form.ITSELF:
            opened = self._function(called)
            return [] if opened is None else [Type(Form.SCOPE, called.path, opened, called.given)]
        declared = [
            Type(Form.SCOPE, member.target.path, definition.opens, member.given)
            for member in self.names.members(called, name)
            if (definition := self._table.definition(member.target)) is not None
        ]
        runs_itself = called.form is Form.SCOPE and name == "()" and not declared
        return [called] if runs_itself else declared

    def _inferred(
        self, function: Type, path: str, scope: int, arguments: list[Shape], given: Given
    ) -> Given:
        """What a generic function's type parameters stand for, from the arguments it gets."""
        generic = self._table.parameters(function.path, function.number, Kind.TYPE_PARAMETER)
        if not generic:
            return function.given
        names = {self._table.name(target): target for target in generic}
        bound: dict[Target, Types] = dict(function.given)
        parameters = self._table.parameters(function.path, function.number, Kind.PARAMETER)
        for parameter, argument in zip(parameters, arguments, strict=False):
            definition = self._table.definition(parameter)
            wanted = definition.value if definition else None
            if wanted is not None and wanted.op is Op.TYPE and wanted.text in names:
                found = self.types(path, scope, argument, given)
                if found:
                    bound[names[wanted.text]] = found
        return tuple(bound.items())

    def _function(self, called: Type) -> int | None:
        definition = self._table.definition(Target(called.path, called.number))
        if definition is None or definition.kind in _CLASSES or definition.opens < 0:
            return None
        return definition.opens

    def _result(self, path: str, scope: int, given: Given) -> Iterable[Type]:
        function = self._table.scope(path, scope)
        if function.result is not None:
            return self.types(path, scope, function.result, given)
        if function.expected is not None:
            wanted = Shape(Op.CALL, "", (function.expected,))
            found = self.types(path, function.parent, wanted, given)
            if found:
                return found
        return chain.from_iterable(
            self.types(path, scope, each, given) for each in function.returns
        )

    def _parameter(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        for called in self.types(path, scope, shape.parts[0], given):
            for function in self._signatures(called, "()"):
                yield from self._wants(self._unbound(function), int(shape.text))

    def _unbound(self, function: Type) -> Type:
        """A function whose type parameters stand for nothing: seen from outside, a bound on
        one says too little of what a caller will make of it."""
        generic = self._table.parameters(function.path, function.number, Kind.TYPE_PARAMETER)
        return function._replace(given=tuple((each, ()) for each in generic) + function.given)

    def _wants(self, function: Type, place: int) -> Types:
        wanted = self._table.parameters(function.path, function.number, Kind.PARAMETER)
        return self.held(wanted[place], function.given) if place < len(wanted) else ()

    def _argument(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        function = self._table.scope(path, scope)
        wanted, place = function.expected, int(shape.text)
        if wanted is None:
            return
        if place == 0:
            yield from self._handed(path, function.parent, wanted, given)
        for expected in self.types(path, function.parent, wanted, given):
            for signature in self._signatures(expected, "()"):
                yield from self._wants(signature, place)

    def _handed(self, path: str, scope: int, wanted: Shape, given: Given) -> Iterable[Type]:
        """What the methods of arrays and maps hand to the function they are given."""
        callee = wanted.parts[0] if wanted.op is Op.PARAMETER else wanted
        if callee.op is Op.MEMBER and callee.text in HANDING_ELEMENT:
            for holder in self.types(path, scope, callee.parts[0], given):
                yield from _last(holder) if _holds(holder) else ()

    def _expected(self, path: str, _scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        scope = self._table.scope(path, int(shape.text))
        if scope.expected is None:
            return ()
        return self.types(path, scope.parent, scope.expected, given)

    def _new(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        arguments = [self.types(path, scope, each, given) for each in shape.parts[1:]]
        for made in self.types(path, scope, shape.parts[0], given):
            if made.form is Form.ITSELF:
                yield from self._made(Target(made.path, made.number), arguments, ())
            else:
                for signature in self._signatures(made, "new"):
                    yield from self._result(signature.path, signature.number, signature.given)

    def _this(self, path: str, scope: int, _shape: Shape, given: Given) -> Iterable[Type]:
        in_function = False
        for number in self._table.around(path, scope):
            kind = self._table.scope(path, number).kind
            opener = self._table.opener(path, number)
            if kind == "class" and opener is not None:
                return [Type(Form.INSTANCE, opener.path, opener.number, given)]
            if kind == "object" and in_function:
                return [Type(Form.SCOPE, path, number, given)]
            in_function |= kind == "function"
        return ()

    def _super(self, path: str, scope: int, _shape: Shape, given: Given) -> Iterable[Type]:
        for number in self._table.around(path, scope):
            found = self._table.scope(path, number)
            if found.kind == "class":
                for base in found.bases:
                    yield from self.types(path, number, base, given)
                return

    def _await(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        for promised in self.types(path, scope, shape.parts[0], given):
            kept = [each for each in self.with_bases(promised) if _promises(each)]
            yield from _last(kept[0]) if kept else [promised]

    def with_bases(self, one: Type) -> list[Type]:
        """A type and all that it extends, the nearest first."""
        found = [one]
        for each in found:
            definition = (
                self._table.definition(Target(each.path, each.number))
                if each.form is Form.INSTANCE
                else None
            )
            if definition is None or definition.opens < 0 or len(found) > _DEEPEST:
                continue
            for base in self._table.scope(each.path, definition.opens).bases:
                found += self.types(each.path, definition.opens, base, each.given)
        return found

    def _element(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        for holder in self.types(path, scope, shape.parts[0], given):
            if _holds(holder):
                yield from _last(holder)

    def _module(self, path: str, _scope: int, shape: Shape, _given: Given) -> Iterable[Type]:
        if self._table.has_bare_members(path):
            known = self._table.has_package(shape.text)
            return [Type(Form.PACKAGE, shape.text)] if known else []
        module = self._modules.find(path, shape.text)
        return [] if module is None else [Type(Form.MODULE, module)]

    def _type(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        return self._named_type(path, scope, shape, [], given)

    def _generic(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        named, *parts = shape.parts
        arguments = [self.types(path, scope, each, given) for each in parts]
        return self._named_type(path, scope, named, arguments, given)

    def _instance(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        named = shape.parts[0]
        if named.op is Op.EITHER:
            each = (shape._replace(parts=(part,)) for part in named.parts)
            return chain.from_iterable(self.types(path, scope, one, given) for one in each)
        if named.op in {Op.GENERIC, Op.INSTANCE}:
            return self.types(path, scope, named, given)
        return self._named_type(path, scope, named, [], given)

    def _named_type(
        self, path: str, scope: int, shape: Shape, arguments: list[Types], given: Given
    ) -> Iterable[Type]:
        if shape.op is Op.INSTANCE:
            shape = shape.parts[0]
        local = self.names.lookup(path, scope, shape.text, True)
        if shape.op in {Op.TYPE, Op.NAME} and (not local or shape.text in WRAPPERS | UNIONS):
            return _outside(shape.text, arguments)
        found = self.names.denoted(path, scope, shape, True)
        return chain.from_iterable(self._made(target, arguments, given) for target in found)

    def _made(self, target: Target, arguments: list[Types], given: Given) -> Iterable[Type]:
        """An instance of a class or interface; what an alias or a type parameter stands for."""
        definition = self._table.definition(target)
        if definition is None:
            return ()
        if definition.kind is Kind.TYPE_PARAMETER:
            bound = dict(given)
            return bound[target] if target in bound else self._held(target, given)
        if definition.opens < 0:
            return ()
        parameters = self._table.parameters(target.path, definition.opens, Kind.TYPE_PARAMETER)
        bindings = tuple(zip(parameters, arguments, strict=False))
        if definition.kind in _CLASSES:
            return [Type(Form.INSTANCE, target.path, target.number, bindings)]
        if definition.kind is Kind.ALIAS and definition.value is not None:
            return self.types(target.path, definition.opens, definition.value, bindings)
        return ()

    def _either(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        ordered = sorted(shape.parts, key=_omits)
        return chain.from_iterable(self.types(path, scope, each, given) for each in ordered)

    def _rest(self, path: str, scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        return _outside("Array", [self.types(path, scope, shape.parts[0], given)])

    def _scope(self, path: str, _scope: int, shape: Shape, given: Given) -> Iterable[Type]:
        number = int(shape.text)
        opener = self._table.opener(path, number)
        if self._table.scope(path, number).kind == "class" and opener is not None:
            return [Type(Form.ITSELF, path, opener.number, given)]
        return [Type(Form.SCOPE, path, number, given)]


def _outside(name: str, arguments: list[Types]) -> Iterable[Type]:
    if name in WRAPPERS:
        return arguments[0] if arguments else ()
    if name in UNIONS:
        return chain.from_iterable(arguments)
    bound = tuple((Target(name, number), each) for number, each in enumerate(arguments))
    return [Type(Form.OUTSIDE, name, 0, bound)]


def _omits(shape: Shape) -> bool:
    if shape.op is not Op.GENERIC:
        return False
    return shape.parts[0].text in OMITTING or any(map(_omits, shape.parts[1:]))


def _promises(one: Type) -> bool:
    return one.form is Form.OUTSIDE and one.path in PROMISES


def _holds(holder: Type) -> bool:
    return holder.form is Form.OUTSIDE and holder.path in HOLDERS


def _last(holder: Type) -> Types:
    return holder.given[-1][1] if holder.given else ()
