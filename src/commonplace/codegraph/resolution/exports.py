"""Finds what a module exports: its declarations, re-exports, submodules, or one whole value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from commonplace.codegraph.extraction.facts import WHOLE, Kind, Shape, ShapeOp
from commonplace.codegraph.resolution.barrels import Barrels
from commonplace.codegraph.resolution.linking import (
    ANYWHERE,
    MODULE_ITSELF,
    Bindings,
    DefinitionKey,
    Member,
    Type,
    Types,
)
from commonplace.codegraph.resolution.table import DefinitionTable

TypesOf = Callable[[str, int, Shape, Bindings], Types]


class Modules(Protocol):
    def find(self, importer: str, specifier: str) -> str | None: ...

    def inside(self, package: str, name: str) -> str | None: ...


class NameResolver(Protocol):
    def denoted(
        self, path: str, scope: int, shape: Shape, *, as_type: bool
    ) -> list[DefinitionKey]: ...

    def members(self, owner: Type, name: str) -> list[Member]: ...


class Exports:
    """Resolves exported names. `names` resolves what an export is written as, and needs exports."""

    def __init__(
        self,
        table: DefinitionTable,
        modules: Modules,
        barrels: Barrels,
        types: TypesOf,
        names: NameResolver,
    ) -> None:
        self._table = table
        self._modules = modules
        self._barrels = barrels
        self._types = types
        self._names = names
        self._read_barrels: set[str] = set()
        self._found: dict[tuple[str, str], tuple[DefinitionKey, ...]] = {}

    def reached(self, module: str, name: str) -> tuple[DefinitionKey, ...]:
        """What `module.name` means: an export, a submodule, or the component that the file is."""
        found = self.named(module, name)
        if not found or self._is_self_import(found, module, name):
            found = self._submodule(module, name) or found
        if not found and name == "default" and self._table.is_component(module):
            found = (DefinitionKey(module, MODULE_ITSELF),)
        return found

    def value_of(self, module: str) -> list[DefinitionKey]:
        """The value that a module exports as a whole (`export =`), or the module itself."""
        whole = [
            target
            for export in self._table.files[module].exports
            if export.name == WHOLE
            for target in self._names.denoted(module, 0, export.value, as_type=False)
        ]
        return whole or [DefinitionKey(module, MODULE_ITSELF)]

    def named(self, path: str, name: str) -> tuple[DefinitionKey, ...]:
        """The definitions that a module exports under a name."""
        key = (path, name)
        if key not in self._found:
            self._found[key] = ()
            found = list(self._find_exported(path, name)) or self._whole_members(path, name)
            self._found[key] = tuple(dict.fromkeys(found))
        return self._found[key]

    def _find_exported(self, path: str, name: str) -> Iterable[DefinitionKey]:
        dynamic = self._table.is_dynamic(path)
        for target in self._table.declared(path, 0, name):
            definition = self._table.definition(target)
            if definition is not None and (definition.exported or dynamic):
                yield target
        for export in self._table.files[path].exports:
            if export.name == name:
                yield from self._names.denoted(path, 0, export.value, as_type=False)
                yield from self._names.denoted(path, 0, export.value, as_type=True)
            elif export.name == WHOLE and name == "default":
                yield from self._names.denoted(path, 0, export.value, as_type=False)
            elif export.name == "*" and export.value.op is not ShapeOp.MODULE:
                owners = self._types(path, 0, export.value, ())
                yield from (m.target for owner in owners for m in self._names.members(owner, name))
            elif export.name == "*" and name != "default":
                module = self._modules.find(path, export.value.text)
                if module is not None:
                    yield from self._reexported(module, name)

    def _reexported(self, module: str, name: str) -> tuple[DefinitionKey, ...]:
        """The exports of a re-exported module, if it may have the name: barrels can be huge."""
        barrel = self._barrels.of(module)
        if barrel.may_have(name):
            return self.named(module, name)
        self._table.lookups[ANYWHERE].add(name)
        if module not in self._read_barrels:
            self._read_barrels.add(module)
            self._table.reads.update(barrel.modules)
        return ()

    def _whole_members(self, path: str, name: str) -> list[DefinitionKey]:
        """The members of the value that a module exports as a whole."""
        return [
            member.target
            for export in self._table.files[path].exports
            if export.name == WHOLE
            for owner in self._types(path, 0, export.value, ())
            for member in self._names.members(owner, name)
        ]

    def _is_self_import(self, passed: Sequence[DefinitionKey], package: str, name: str) -> bool:
        """Whether a package imports a name from itself: `from . import module`."""
        definition = self._table.definition(passed[0])
        value = definition.value if definition and definition.kind is Kind.IMPORT else None
        if value is None or value.op is not ShapeOp.MEMBER or value.text != name:
            return False
        holder = value.parts[0]
        return (
            holder.op is ShapeOp.MODULE
            and passed[0].path == package
            and self._modules.find(package, holder.text) == package
        )

    def _submodule(self, package: str, name: str) -> tuple[DefinitionKey, ...]:
        module = self._modules.inside(package, name)
        return () if module is None else (DefinitionKey(module, MODULE_ITSELF),)
