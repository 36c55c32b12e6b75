"""Checks of who imports whom: direction, ports and adapters, services, owners of packages."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from graphlib import CycleError, TopologicalSorter

from tests.architecture.tree import RULES, Module, Problem, room_of, within

MAY_IMPORT: dict[str, list[str]] = RULES["may_import"]
FEATURES: list[str] = RULES["roles"]["features"]
IO_FOLDERS: list[str] = RULES["roles"]["io"]
WIRING: list[str] = RULES["roles"]["wiring"]
OWNERS: dict[str, list[str]] = RULES["owners"]


def table_problems(table: dict[str, list[str]]) -> list[str]:
    """What is wrong with the table itself: unknown names, circles."""
    unknown = {name for row in table.values() for name in row} - table.keys()
    problems = [f"rules.toml: `{name}` is imported but has no row" for name in sorted(unknown)]
    try:
        TopologicalSorter(table).prepare()
    except CycleError as error:
        problems.append(f"rules.toml: a circle: {' -> '.join(reversed(error.args[1]))}")
    return problems


def direction(module: Module) -> Iterator[Problem]:
    """Imports point one way, as the table says."""
    row = MAY_IMPORT.get(module.folder)
    if row is None:
        if module.place not in ("__init__.py", "__main__.py"):
            yield module.problem(1, "direction", f"`{module.folder}` has no row in rules.toml")
        return
    for node, target in _own_imports(module):
        if target and target not in (module.folder, "errors", "__version__", *row):
            yield module.problem(
                node, "direction", f"{module.folder} may not import {target} (rules.toml)"
            )


def unused_permissions(everything: Iterable[Module]) -> list[str]:
    """What the table allows and nobody does: a permission that only misleads who reads it."""
    used: dict[str, set[str]] = {room: set() for room in MAY_IMPORT}
    for module in everything:
        used.get(module.folder, set()).update(target for _, target in _own_imports(module))
    return [
        f"rules.toml: {room} may import {', '.join(sorted(idle))}, and does not"
        for room, row in MAY_IMPORT.items()
        if (idle := set(row) - used[room])
    ]


def ports(module: Module) -> Iterator[Problem]:
    """From outside an I/O folder only its port is seen, and in a feature only by its service."""
    for node, name in module.imports:
        parts = name.split(".")
        if parts[0] != "commonplace" or len(parts) < 2 or parts[1] not in IO_FOLDERS:
            continue
        if parts[1] == module.folder or module.folder in WIRING:
            continue
        if parts[2:3] != ["port"]:
            yield module.problem(
                node, "ports", f"only bootstrap/ imports an adapter; use {parts[1]}/port.py"
            )
        elif module.folder in FEATURES and not is_service(module):
            yield module.problem(node, "ports", "in a feature only its service touches ports")


def is_service(module: Module) -> bool:
    """A feature's service is one file, or a folder of that name where it does several things."""
    return within(module.place, [f"{module.folder}/service"])


def port_without_driver(module: Module) -> Iterator[Problem]:
    """A port names no driver and none of its own adapters."""
    if module.folder not in IO_FOLDERS or not is_port(module.place):
        return
    for node, name in module.imports:
        parts = name.split(".")
        if parts[0] in OWNERS:
            yield module.problem(node, "port-without-driver", f"a port may not import {parts[0]}")
        if parts[:2] == ["commonplace", module.folder] and parts[2:3] != ["port"]:
            yield module.problem(node, "port-without-driver", "a port knows none of its adapters")


def is_port(place: str) -> bool:
    """A port is one file, or a folder of that name where it has many parts."""
    return place.split("/")[1:2] in (["port.py"], ["port"])


def missing_ports(places: set[str]) -> list[str]:
    """I/O folders that have files but no port."""
    present = {place.split("/")[0] for place in places if "/" in place}
    ported = {place.split("/")[0] for place in places if is_port(place)}
    return [
        f"src/commonplace/{folder}: an I/O folder has port.py beside its adapters"
        for folder in IO_FOLDERS
        if folder in present and folder not in ported
    ]


def package_owners(module: Module) -> Iterator[Problem]:
    """A driver, a web or a console package stays where the table puts it."""
    for node, name in module.imports:
        package = name.split(".")[0]
        if package in OWNERS and not within(module.place, OWNERS[package]):
            allowed = ", ".join(OWNERS[package])
            yield module.problem(node, "package-owners", f"{package} is only for {allowed}")


def _own_imports(module: Module) -> Iterator[tuple[ast.AST, str]]:
    """Imports of this package, as (node, folder or top-level module)."""
    for node, name in module.imports:
        package, _, place = name.partition(".")
        if package == "commonplace":
            yield node, room_of(place.replace(".", "/"))
