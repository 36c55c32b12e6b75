"""Checks of imports: direction, ports and adapters, services, owners of packages."""

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
    """Problems of the table itself: unknown names and cycles."""
    unknown = {name for row in table.values() for name in row} - table.keys()
    problems = [f"rules.toml: `{name}` is imported but has no row" for name in sorted(unknown)]
    try:
        TopologicalSorter(table).prepare()
    except CycleError as error:
        problems.append(f"rules.toml: a cycle: {' -> '.join(reversed(error.args[1]))}")
    return problems


def direction(module: Module) -> Iterator[Problem]:
    """A room imports only what the table allows."""
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
    """Permissions in the table that nobody uses: they mislead readers."""
    used: dict[str, set[str]] = {room: set() for room in MAY_IMPORT}
    for module in everything:
        used.get(module.folder, set()).update(target for _, target in _own_imports(module))
    return [
        f"rules.toml: {room} may import {', '.join(sorted(idle))}, but does not"
        for room, row in MAY_IMPORT.items()
        if (idle := set(row) - used[room])
    ]


def ports(module: Module) -> Iterator[Problem]:
    """Code outside an I/O folder imports only its port, and in a feature only the service does."""
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
    """Whether a module belongs to a feature's service: `service.py`, or a folder `service/`."""
    return within(module.place, [f"{module.folder}/service"])


def port_without_driver(module: Module) -> Iterator[Problem]:
    """A port imports no driver and no adapter."""
    if module.folder not in IO_FOLDERS or not is_port(module.place):
        return
    for node, name in module.imports:
        parts = name.split(".")
        if parts[0] in OWNERS:
            yield module.problem(node, "port-without-driver", f"a port may not import {parts[0]}")
        if parts[:2] == ["commonplace", module.folder] and parts[2:3] != ["port"]:
            yield module.problem(node, "port-without-driver", "a port knows none of its adapters")


def is_port(place: str) -> bool:
    """Whether a module belongs to a port: `port.py`, or a folder `port/`."""
    return place.split("/")[1:2] in (["port.py"], ["port"])


def missing_ports(places: set[str]) -> list[str]:
    """I/O folders without a port."""
    present = {place.split("/")[0] for place in places if "/" in place}
    ported = {place.split("/")[0] for place in places if is_port(place)}
    return [
        f"src/commonplace/{folder}: an I/O folder has port.py beside its adapters"
        for folder in IO_FOLDERS
        if folder in present and folder not in ported
    ]


def package_owners(module: Module) -> Iterator[Problem]:
    """A package with owners is imported only by them."""
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
