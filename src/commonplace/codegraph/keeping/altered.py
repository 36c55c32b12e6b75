"""Which names of a file lead others to something else than in its version before.

Whoever links a file asks other files for names, and sees of them only what a name leads to: its
definitions, the scopes that these open or stand in, and the scopes that expressions there speak of.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from commonplace.codegraph.extraction.facts import (
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


class Altered(NamedTuple):
    """`names` lead elsewhere; among them `fresh` are new to the package that the file is of."""

    names: frozenset[str]
    fresh: frozenset[str]


def altered(was: FileFacts, now: FileFacts) -> Altered | None:
    """None where any name may lead elsewhere."""
    before, after = _View(was), _View(now)
    touched = before.touched({key for key in before.parts if not _same(key, before, after)})
    if before.at_large != after.at_large or not touched.isdisjoint(before.used_at_large):
        return None
    names = frozenset(
        name
        for name in before.names.keys() | after.names.keys()
        if before.names.get(name) != after.names.get(name)
        or not touched.isdisjoint(before.used[name])
    )
    return Altered(names, _names(_outer(now) - _outer(was)))


def fresh(now: FileFacts) -> Altered:
    """What a file alters that was not there before."""
    names = _names(_outer(now))
    return Altered(names, names)


def _outer(facts: FileFacts) -> frozenset[tuple[str, bool]]:
    """Names that others of the package may ask for: outside of anything, or a type's own.

    Methods that stand outside of their type have its name, and are not what defines it.
    """
    outer = {0, *outer_scopes(facts)}
    outer |= {each.opens for each in facts.definitions if each.kind is Kind.EXTENSION}
    return frozenset(
        (each.name, each.kind is Kind.EXTENSION)
        for each in facts.definitions
        if each.scope in outer
    )


def _names(outer: frozenset[tuple[str, bool]]) -> frozenset[str]:
    return frozenset(name for name, _ in outer)


class _Part(NamedTuple):
    """What a scope is to those who stand in it, or what it gives to those who have it."""

    scope: str
    gives: bool


def _same(key: _Part, before: _View, after: _View) -> bool:
    return before.parts[key] == after.parts.get(key)


class _View:
    """A file without numbers: they change whenever something is put before something else."""

    def __init__(self, facts: FileFacts) -> None:
        self._ids = _scope_names(facts)
        self._shapes: dict[int, tuple[object, tuple[_Part, ...]]] = {}
        self._visible = frozenset(visible_numbers(facts))
        self.parts: dict[_Part, list[object]] = {}
        self.names: dict[str, list[object]] = defaultdict(list)
        self.used: dict[str, set[_Part]] = defaultdict(set)
        self.at_large: list[object] = [facts.language, facts.package]
        self.used_at_large: set[_Part] = set()
        self._using: dict[_Part, set[_Part]] = defaultdict(set)
        self._take_scopes(facts)
        self._take_definitions(facts)
        self._take_exports(facts)

    def touched(self, changed: set[_Part]) -> set[_Part]:
        """The altered names with all that speak of them."""
        found, waiting = set(changed), list(changed)
        while waiting:
            more = self._using[waiting.pop()] - found
            found |= more
            waiting += more
        return found

    def _take_scopes(self, facts: FileFacts) -> None:
        for number, scope in enumerate(facts.scopes):
            around, given = self._around(number), self._given(number)
            self.parts[around], self.parts[given] = [], []
            self._say(around, scope.bases, (scope.expected,))
            self._say(given, (scope.result,), scope.returns)
            self._use(given, [around])
            if scope.parent >= 0:
                self._use(around, [self._around(scope.parent)])

    def _take_definitions(self, facts: FileFacts) -> None:
        opened: set[int] = set()
        for number, each in enumerate(facts.definitions):
            told, used = self._told(number, each)
            self.names[each.name].append(told)
            self.used[each.name].update(used)
            if each.kind in _PARAMETERS:
                self._keep(self._given(each.scope), told, used)
            if each.opens >= 0 and each.opens not in opened:
                opened.add(each.opens)
                self._keep(self._around(each.opens), (each.kind, each.path, each.static), ())

    def _take_exports(self, facts: FileFacts) -> None:
        """Takes what exports alter; a module that is passed on whole may give any name."""
        passing = 0
        for each in facts.exports:
            told, used = self._shape(each.value)
            if each.name in _FOR_ALL_NAMES:
                passing += 1
                self.at_large.append((each.name, told))
                self.used_at_large.update(used)
            else:
                self.names[each.name].append((passing, told))
                self.used[each.name].update(used)

    def _told(self, number: int, each: Definition) -> tuple[object, list[_Part]]:
        value, used = self._shape(each.value)
        told = (
            each.name, each.kind, each.path, self._ids[each.scope],
            self._ids[each.opens] if each.opens >= 0 else "", value, self._ids[each.written_in],
            each.exported, each.static, number in self._visible,
        )  # fmt: skip
        places = [*used, self._around(each.scope), self._around(each.written_in)]
        return told, [*places, self._given(each.opens)] if each.opens >= 0 else places

    def _around(self, scope: int) -> _Part:
        return _Part(self._ids[scope], False)

    def _given(self, scope: int) -> _Part:
        return _Part(self._ids[scope], True)

    def _say(self, part: _Part, *groups: Iterable[Shape | None]) -> None:
        for shapes in groups:
            told = [self._shape(each) for each in shapes]
            self._keep(part, tuple(said for said, _ in told), [p for _, used in told for p in used])

    def _keep(self, part: _Part, told: object, used: Iterable[_Part]) -> None:
        self.parts[part].append(told)
        self._use(part, used)

    def _use(self, user: _Part, used: Iterable[_Part]) -> None:
        for each in used:
            self._using[each].add(user)

    def _shape(self, shape: Shape | None) -> tuple[Any, tuple[_Part, ...]]:
        """A shape without numbers of scopes, and the scopes it speaks of."""
        if shape is None:
            return None, ()
        known = self._shapes.get(id(shape))
        if known is None:
            known = self._shapes[id(shape)] = self._read(shape)
        return known

    def _read(self, shape: Shape) -> tuple[object, tuple[_Part, ...]]:
        parts = [self._shape(each) for each in shape.parts]
        used = tuple(part for _, each in parts for part in each)
        if shape.op in _OF_SCOPES:
            scope = int(shape.text)
            text, used = self._ids[scope], (*used, self._given(scope))
        elif not used:
            return shape, ()
        else:
            text = shape.text
        return (shape.op, text, tuple(told for told, _ in parts)), used


def _scope_names(facts: FileFacts) -> list[str]:
    """Each scope by what it is called and what it stands in; of equal ones by their order."""
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
