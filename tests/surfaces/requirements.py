"""The ledger: what each surface must do, and which tests say that they prove it.

Tests are read, not run: `@pytest.mark.requirement("notes.store.title-length")` on a test or class.
"""

from __future__ import annotations

import ast
import hashlib
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

SURFACES = (
    "connector",
    "documents",
    "institutional",
    "memories",
    "memory",
    "notes",
    "registry",
    "workspace",
)
KINDS = frozenset({"contract", "reading", "expectation"})
FOLDER = Path(__file__).parent
LEDGER = FOLDER / "ledger"
ADAPTERS = FOLDER.parents[1] / "src" / "commonplace" / "surfaces"


@dataclass(frozen=True, slots=True)
class Requirement:
    """One behaviour that a caller can see."""

    id: str
    source: str
    kind: str
    text: str

    @property
    def surface(self) -> str:
        return self.id.split(".", 1)[0]

    @property
    def digest(self) -> str:
        return hashlib.sha256(f"{self.kind}\n{self.text}".encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class SurfaceTest:
    """One test function, with the ids that it names.

    `vague` marks an id that cannot be read, `soak` a test that the ordinary run leaves out.
    """

    path: str
    line: int
    name: str
    ids: tuple[str, ...]
    vague: bool = False
    soak: bool = False

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.name}"


def requirements() -> list[Requirement]:
    return [
        Requirement(**row)
        for surface in SURFACES
        for row in tomllib.loads((LEDGER / f"{surface}.toml").read_text("utf-8"))["requirement"]
    ]


def unbuilt() -> list[str]:
    """Surfaces that nobody can call yet."""
    return _unbuilt("surfaces")


def awaited() -> list[str]:
    """Requirements of built surfaces that wait for a part that is not built yet."""
    return _unbuilt("requirements")


def _unbuilt(what: str) -> list[str]:
    names: list[str] = tomllib.loads((LEDGER / "unbuilt.toml").read_text("utf-8"))[what]
    return names


def floor() -> dict[str, str]:
    """The ids that the ledger must keep, each with the digest of what it demands."""
    lines = (LEDGER / "floor.txt").read_text("utf-8").splitlines()
    return {id_: digest for digest, id_ in (line.split() for line in lines if line[:1] != "#")}


def surface_tests() -> list[SurfaceTest]:
    """Every test below tests/surfaces/<surface>/."""
    files = sorted(file for name in SURFACES for file in (FOLDER / name).rglob("test_*.py"))
    return [
        test
        for file in files
        for test in read_tests(file.relative_to(FOLDER).as_posix(), file.read_text("utf-8"))
    ]


def read_tests(path: str, source: str) -> Iterator[SurfaceTest]:
    module = ast.parse(source, path)
    of_module = (
        node.value
        for node in module.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    )
    yield from _tests(path, module.body, tuple(of_module))


def _tests(
    path: str, body: Iterable[ast.stmt], inherited: tuple[ast.expr, ...]
) -> Iterator[SurfaceTest]:
    for node in body:
        if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            yield from _tests(path, node.body, (*inherited, *node.decorator_list))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith(
            "test"
        ):
            marks = (*inherited, *node.decorator_list)
            named = list(_named(marks))
            ids = tuple(
                argument.value
                for argument in named
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            )
            soak = any("mark.soak" in ast.unparse(mark) for mark in marks)
            yield SurfaceTest(path, node.lineno, node.name, ids, len(ids) < len(named), soak)


def _named(marks: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """The arguments of each `requirement` mark."""
    for mark in marks:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func).endswith("mark.requirement"):
            yield from mark.args
