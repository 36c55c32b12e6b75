"""Resolves package names in expressions and imports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from commonplace.codegraph.extraction.facts import Shape
from commonplace.codegraph.resolution.known_types import dotted
from commonplace.codegraph.resolution.linking import Form, Type
from commonplace.codegraph.resolution.packages import namespaces_around
from commonplace.codegraph.resolution.table import DefinitionTable


def named_package(table: DefinitionTable, path: str, shape: Shape) -> Iterable[Type]:
    """The package that an expression names: by convention in lower case; in C# in full or
    relative to an enclosing namespace."""
    name = dotted(shape)
    if table.language(path) != "csharp":
        return [Type(Form.PACKAGE, name)] if name.islower() and table.has_package(name) else ()
    return _seen_from(table, path, name)


def imported_package(table: DefinitionTable, path: str, name: str) -> Sequence[Type]:
    """The package that an import names; in C# the name may be relative to the file's namespace."""
    if table.language(path) == "csharp":
        return _seen_from(table, path, name)
    return [Type(Form.PACKAGE, name)] if table.has_package(name) else []


def _seen_from(table: DefinitionTable, path: str, name: str) -> Sequence[Type]:
    around = namespaces_around("csharp", table.package(path))
    names = [*(f"{each}.{name}" for each in around), name] if name else []
    return [Type(Form.PACKAGE, each) for each in names if table.has_package(each)][:1]
