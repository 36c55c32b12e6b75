"""The source tree for the checks: parsed modules, and problems with their location and rule."""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).parents[2]
PACKAGE = "src/commonplace/"
CODE_FOLDERS = ("src", "tests", "benchmarks", "tools")
RULES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "rules.toml").read_text())


@dataclass(frozen=True, order=True)
class Problem:
    """A violation of a rule at one place; the message says what to do."""

    path: str
    line: int
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: [{self.rule}] {self.message}"


@dataclass(frozen=True)
class Module:
    """One Python file, known by its path from the repository root."""

    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All nodes of the syntax tree, walked once for all checks."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imports(self) -> tuple[tuple[ast.AST, str], ...]:
        """Every import as (node, dotted name), including lazy and type-checking imports."""
        return tuple(_imports(self.nodes))

    @cached_property
    def imported_names(self) -> frozenset[str]:
        """Every dotted name that an import statement mentions."""
        return frozenset(target for _, target in self.imports)

    @property
    def place(self) -> str:
        """The path below the package: `knowledge/service.py`."""
        return self.path.removeprefix(PACKAGE)

    @property
    def folder(self) -> str:
        """The room of the file: `knowledge`, `workspace/search`, `settings`."""
        return room_of(self.place.removesuffix(".py").removesuffix("/__init__"))

    def problem(self, node: ast.AST | int, rule: str, message: str) -> Problem:
        line = node if isinstance(node, int) else getattr(node, "lineno", 1)
        return Problem(self.path, line, rule, message)


def room_of(place: str) -> str:
    """The innermost folder of a place that has a row in rules.toml, else its first folder."""
    steps = place.split("/")
    rooms = ("/".join(steps[:count]) for count in range(len(steps), 0, -1))
    return next((room for room in rooms if room in RULES["may_import"]), steps[0])


def modules(*folders: str) -> list[Module]:
    """Every Python file below the folders."""
    files = sorted(file for folder in folders for file in (REPOSITORY / folder).rglob("*.py"))
    return [_module(file) for file in files]


@cache
def _module(file: Path) -> Module:
    """A module, cached so that it is read and parsed once for all checks."""
    return Module(file.relative_to(REPOSITORY).as_posix(), file.read_text(encoding="utf-8"))


def _imports(nodes: Iterable[ast.AST]) -> Iterator[tuple[ast.AST, str]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node, alias.name
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield node, f"{node.module}.{alias.name}"


def dotted(node: ast.AST) -> str:
    """The dotted name of a name or attribute chain, as `datetime.now`; empty for anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = dotted(node.value)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def within(place: str, owners: list[str]) -> bool:
    """Whether a place is one of the owners or inside one of them."""
    return any(place in (o, f"{o}.py") or place.startswith(f"{o}/") for o in owners)
