"""Checks of size and names: lengths of files and functions, file and class names, docstrings."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from tests.architecture.tree import RULES, Module, Problem

SIZES = RULES["sizes"]


def file_size(module: Module) -> Iterator[Problem]:
    lines = len(module.source.splitlines())
    if lines > SIZES["file_lines"]:
        yield module.problem(1, "file-size", f"{lines} lines; at most {SIZES['file_lines']}")


def function_size(module: Module) -> Iterator[Problem]:
    for function, lines in functions(module):
        if lines > SIZES["function_lines"]:
            yield module.problem(
                function,
                "function-size",
                f"{function.name} has {lines} lines; at most {SIZES['function_lines']}",
            )


def functions(module: Module) -> Iterator[tuple[ast.FunctionDef | ast.AsyncFunctionDef, int]]:
    """Every function with its number of lines, without decorators."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node, (node.end_lineno or node.lineno) - node.lineno + 1


def percentile(lengths: list[int], share: float) -> int:
    """The length that a share of functions does not exceed."""
    ordered = sorted(lengths)
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] if ordered else 0


def file_name(module: Module) -> Iterator[Problem]:
    """No file or folder has a name that says nothing about its content."""
    parts = PurePosixPath(module.path).with_suffix("").parts
    for banned in SIZES["banned_names"]:
        if banned in parts or f"_{banned}" in parts:
            yield module.problem(1, "file-name", f"`{banned}` says nothing; name what is inside")


def opening_docstring(module: Module) -> Iterator[Problem]:
    """A module opens with a docstring of one to three lines; an empty file needs none."""
    if not module.source.strip():
        return
    docstring = ast.get_docstring(module.tree)
    if not docstring:
        yield module.problem(1, "opening-docstring", "say in one to three lines what this is for")
        return
    if module.path in SIZES["docstring_with_drawing"]:
        docstring = docstring.split("\n\n", 1)[0]
    lines = len([line for line in docstring.splitlines() if line.strip()])
    if lines > SIZES["docstring_lines"]:
        yield module.problem(1, "opening-docstring", f"{lines} lines; at most three")


def docstring_stands_alone(module: Module) -> Iterator[Problem]:
    """The first line of a docstring makes sense without the name of its function or class.

    An example or an argument cannot open it, except where arguments are all there is to explain.
    """
    for node in module.nodes:
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        for opening in (ast.get_docstring(node) or "").split(maxsplit=1)[:1]:
            is_example = opening[0] in "`\"'(" and node.name != "__init__"
            if is_example or opening.strip("`,.;:").lower() in SIZES["dangling_openings"]:
                message = f"`{node.name}`: its docstring opens with {opening}, so it needs the name"
                yield module.problem(node.body[0], "docstring-stands-alone", message)


def repeated_class_names(everything: Iterable[Module]) -> list[str]:
    """Names that several public classes share; surfaces are exempt, as each has its arguments."""
    places: dict[str, list[str]] = defaultdict(list)
    for module in everything:
        for node in module.nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(module.place)
    return [
        f"class {name} is defined in {', '.join(found)}; give each its own name"
        for name, found in sorted(places.items())
        if len(found) > 1
    ]
