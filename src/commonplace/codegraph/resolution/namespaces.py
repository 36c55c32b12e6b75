"""Packages that are named where they are used, and types of which several files declare a part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.extraction.facts import Shape
from commonplace.codegraph.resolution.known_types import dotted
from commonplace.codegraph.resolution.linking import DefinitionKey, Form, Type
from commonplace.codegraph.resolution.packages import namespaces_around
from commonplace.codegraph.resolution.table import DefinitionTable


def named_package(table: DefinitionTable, path: str, shape: Shape) -> Iterable[Type]:
    """A package by its name: by custom in small letters; in C# in full, or as it is seen from the
    namespaces around."""
    name = dotted(shape)
    if table.language(path) != "csharp":
        return [Type(Form.PACKAGE, name)] if name.islower() and table.has_package(name) else ()
    return _seen_from(table, path, name)


def imported_package(table: DefinitionTable, path: str, name: str) -> Sequence[Type]:
    """A package that is imported by its name; C# may leave out what the file's own begins with."""
    if table.language(path) == "csharp":
        return _seen_from(table, path, name)
    return [Type(Form.PACKAGE, name)] if table.has_package(name) else []


def _seen_from(table: DefinitionTable, path: str, name: str) -> Sequence[Type]:
    around = namespaces_around("csharp", table.package(path))
    names = [*(f"{each}.{name}" for each in around), name] if name else []
    return [Type(Form.PACKAGE, each) for each in names if table.has_package(each)][:1]


def parts_of(table: DefinitionTable, itself: DefinitionKey) -> list[DefinitionKey]:
    """A class and an interface of one name, or two interfaces, are one type; and what says that it
    is a part of one."""
    definition = table.definition(itself)
    if definition is None:
        return []
    if table.is_partial(itself):
        same = table.in_package(table.package(itself.path), definition.name)
        return [itself, *(each for each in same if each != itself and table.is_same(each, itself))]
    same = table.declared(itself.path, definition.scope, definition.name)
    alike = table.of_arity(list(same), table.arity(itself))
    return [itself, *(each for each in alike if each != itself)]
