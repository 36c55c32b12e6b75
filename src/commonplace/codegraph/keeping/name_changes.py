"""Compares two versions of a file: which of its names now resolve differently for other files.

Linking looks other files up by name. All it sees of them is what a name resolves to: definitions,
the scopes that these open or are in, and the scopes that their expressions refer to.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from commonplace.codegraph.extraction.facts import (
    HIDDEN,
    WHOLE,
    Definition,
    FileFacts,
    Kind,
    Shape,
    ShapeOp,
)
from commonplace.codegraph.resolution.visible import outer_scopes, visible_numbers

_OF_SCOPES = frozenset({ShapeOp.SCOPE, ShapeOp.EXPECTED})
_PARAMETERS = frozenset({Kind.PARAMETER, Kind.TYPE_PARAMETER})
_FOR_ALL_NAMES = frozenset({"*", WHOLE})


class NameChanges(NamedTuple):
    """Names that resolve differently after a change; `added` are new to the file's package."""

    names: frozenset[str]
    added: frozenset[str]


def name_changes(was: FileFacts, now: FileFacts) -> NameChanges | None:
    """The names that resolve differently; None if any name may."""
    before, after = _View(was), _View(now)
    touched = before.touched({key for key in before.parts if not _same(key, before, after)})
    if before.for_all_names != after.for_all_names or not touched.isdisjoint(
        before.used_for_all_names
    ):
        return None
    names = frozenset(
        name
        for name in before.names.keys() | after.names.keys()
        if before.names.get(name) != after.names.get(name)
        or not touched.isdisjoint(before.used[name])
    )
    return NameChanges(names, _names(_outer(now) - _outer(was)))


def names_added(now: FileFacts) -> NameChanges:
    """The changes that a new file makes."""
    names = _names(_outer(now))
    return NameChanges(names, names)


def _outer(facts: FileFacts) -> frozenset[tuple[str, Kind | None]]:
    """Names that other files of the package may look up: top-level ones and members of types.

    With the kind of those that define nothing for other files. An import of a type, or methods
    written outside it, have its name in a file, but a definition there is new all the same.
    """
    outer = {0, *outer_scopes(facts)}
    outer |= {each.opens for each in facts.definitions if each.kind is Kind.EXTENSION}
    return frozenset(
        (each.name, each.kind if each.kind in HIDDEN else None)
        for each in facts.definitions
        if each.scope in outer
    )


def _names(outer: frozenset[tuple[str, Kind | None]]) -> frozenset[str]:
    return frozenset(name for name, _ in outer)


class _Part(NamedTuple):
    """One side of a scope: what code inside it sees, or what it `gives` to its users."""

    scope: str
    gives: bool


def _same(key: _Part, before: _View, after: _View) -> bool:
    return before.parts[key] == after.parts.get(key)


class _View:
    """A file's facts without scope numbers, which change whenever code is inserted before them."""

    def __init__(self, facts: FileFacts) -> None:
        self._ids = _scope_names(facts)
        self._shapes: dict[int, tuple[object, tuple[_Part, ...]]] = {}
        self._visible = frozenset(visible_numbers(facts))
        self.parts: dict[_Part, list[object]] = {}
        self.names: dict[str, list[object]] = defaultdict(list)
        self.used: dict[str, set[_Part]] = defaultdict(set)
        self.for_all_names: list[object] = [facts.language, facts.package]
        self.used_for_all_names: set[_Part] = set()
        self._using: dict[_Part, set[_Part]] = defaultdict(set)
        self._add_scopes(facts)
        self._add_definitions(facts)
        self._add_exports(facts)

    def touched(self, changed: set[_Part]) -> set[_Part]:
        """The changed parts and all parts that refer to them, directly or not."""
        found, waiting = set(changed), list(changed)
        while waiting:
            more = self._using[waiting.pop()] - found
            found |= more
            waiting += more
        return found

    def _add_scopes(self, facts: FileFacts) -> None:
        for number, scope in enumerate(facts.scopes):
            around, given = self._inside(number), self._given(number)
            self.parts[around], self.parts[given] = [], []
            self._describe(around, scope.bases, (scope.expected,))
            self._describe(given, (scope.result,), scope.returns)
            self._use(given, [around])
            if scope.parent >= 0:
                self._use(around, [self._inside(scope.parent)])

    def _add_definitions(self, facts: FileFacts) -> None:
        opened: set[int] = set()
        for number, each in enumerate(facts.definitions):
            description, used = self._description(number, each)
            self.names[each.name].append(description)
            self.used[each.name].update(used)
            if each.kind in _PARAMETERS:
                self._keep(self._given(each.scope), description, used)
            if each.opens >= 0 and each.opens not in opened:
                opened.add(each.opens)
                self._keep(self._inside(each.opens), (each.kind, each.path, each.static), ())

    def _add_exports(self, facts: FileFacts) -> None:
        """Add the exports; a module that is re-exported as a whole may give any name."""
        passed_on = 0
        for each in facts.exports:
            value, used = self._shape(each.value)
            if each.name in _FOR_ALL_NAMES:
                passed_on += 1
                self.for_all_names.append((each.name, value))
                self.used_for_all_names.update(used)
            else:
                self.names[each.name].append((passed_on, value))
                self.used[each.name].update(used)

    def _description(self, number: int, each: Definition) -> tuple[object, list[_Part]]:
        value, used = self._shape(each.value)
        description = (
            each.name, each.kind, each.path, self._ids[each.scope],
            self._ids[each.opens] if each.opens >= 0 else "", value, self._ids[each.written_in],
            each.exported, each.static, number in self._visible,
        )  # fmt: skip
        places = [*used, self._inside(each.scope), self._inside(each.written_in)]
        return description, [*places, self._given(each.opens)] if each.opens >= 0 else places

    def _inside(self, scope: int) -> _Part:
        return _Part(self._ids[scope], False)

    def _given(self, scope: int) -> _Part:
        return _Part(self._ids[scope], True)

    def _describe(self, part: _Part, *groups: Iterable[Shape | None]) -> None:
        for shapes in groups:
            described = [self._shape(each) for each in shapes]
            used = [each for _, parts in described for each in parts]
            self._keep(part, tuple(value for value, _ in described), used)

    def _keep(self, part: _Part, description: object, used: Iterable[_Part]) -> None:
        self.parts[part].append(description)
        self._use(part, used)

    def _use(self, user: _Part, used: Iterable[_Part]) -> None:
        for each in used:
            self._using[each].add(user)

    def _shape(self, shape: Shape | None) -> tuple[Any, tuple[_Part, ...]]:
        """A shape without scope numbers, and the scopes that it refers to."""
        if shape is None:
            return None, ()
        known = self._shapes.get(id(shape))
        if known is None:
            known = self._shapes[id(shape)] = self._without_numbers(shape)
        return known

    def _without_numbers(self, shape: Shape) -> tuple[object, tuple[_Part, ...]]:
        parts = [self._shape(each) for each in shape.parts]
        used = tuple(part for _, each in parts for part in each)
        if shape.op in _OF_SCOPES:
            scope = int(shape.text)
            text, used = self._ids[scope], (*used, self._given(scope))
        elif not used:
            return shape, ()
        else:
            text = shape.text
        return (shape.op, text, tuple(value for value, _ in parts)), used


def _scope_names(facts: FileFacts) -> list[str]:
    """A name for each scope, made of its outer scope, kind and definition; equals are numbered."""
    openers: dict[int, str] = {}
    for each in facts.definitions:
        if each.opens >= 0:
            openers.setdefault(each.opens, each.name)
    names: list[str] = []
    seen: Counter[str] = Counter()
    for number, scope in enumerate(facts.scopes):
        around = names[scope.parent] if scope.parent >= 0 else ""
        name = f"{around}/{scope.kind} {openers.get(number, '')!r}"
        names.append(f"{name}#{seen[name]}")
        seen[name] += 1
    return names
