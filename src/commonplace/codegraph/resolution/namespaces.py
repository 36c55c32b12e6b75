"""Packages that are named where they are used or imported, and what a name for one means there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.extraction.facts import Shape
from commonplace.codegraph.resolution.known_types import dotted
from commonplace.codegraph.resolution.linking import Form, Type
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
