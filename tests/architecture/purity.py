"""Checks that pure files use no clock, randomness, environment, file or socket."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.imports import FEATURES, is_service
from tests.architecture.tree import RULES, Module, Problem, dotted

IMPURE = RULES["impure"]
PURE_FOLDERS: list[str] = RULES["roles"]["pure"]


def is_pure(module: Module) -> bool:
    if module.folder in FEATURES:
        return not is_service(module)
    return module.folder in PURE_FOLDERS


def purity(module: Module) -> Iterator[Problem]:
    """A pure file imports and calls nothing impure."""
    if is_pure(module):
        yield from _impure_imports(module)
        yield from _impure_calls(module)


def _impure_imports(module: Module) -> Iterator[Problem]:
    for node, name in module.imports:
        for banned in IMPURE["modules"]:
            if name == banned or name.startswith(f"{banned}."):
                yield module.problem(node, "purity", f"a pure file may not import {banned}")
        if name == "pathlib.Path":
            yield module.problem(node, "purity", "a pure file takes PurePath, not Path")


def _impure_calls(module: Module) -> Iterator[Problem]:
    for node in module.nodes:
        if not isinstance(node, ast.Call):
            continue
        name = dotted(node.func)
        if _touches_the_world(name, module):
            yield module.problem(node, "purity", f"a pure file may not call {name}()")
        elif isinstance(node.func, ast.Attribute) and _touches_files(node.func.attr, module):
            yield module.problem(node, "purity", f"a pure file may not call .{node.func.attr}()")


def _touches_the_world(name: str, module: Module) -> bool:
    if any(name == banned or name.endswith(f".{banned}") for banned in IMPURE["names"]):
        return not (name.endswith(".open") and _reads_packaged_data(module))
    return False


def _touches_files(method: str, module: Module) -> bool:
    if method in IMPURE["packaged_data"] and _reads_packaged_data(module):
        return False
    return method in IMPURE["methods"]


def _reads_packaged_data(module: Module) -> bool:
    return any(name.startswith("importlib.resources") for name in module.imported_names)
