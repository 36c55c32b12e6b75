"""Every regular expression of the package, found by importing all of it, and how it is used.

New ones are found by themselves: whatever a module compiles, also in what it keeps of rule files.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_
from pathlib import Path
from types import ModuleType
from typing import Any, TypeGuard

import commonplace

SOURCE = Path(commonplace.__file__).parent
ANCHORED = frozenset({"match", "fullmatch"})


@dataclass(frozen=True, slots=True)
class Expression:
    """`anchored` where nothing but `match` and `fullmatch` is called on it."""

    place: str
    pattern: re.Pattern[Any]
    anchored: bool

    @property
    def room(self) -> str:
        """The folder or file below the package that compiles it."""
        return self.place.split(".")[1]


@cache
def every() -> tuple[Expression, ...]:
    seen: dict[tuple[Any, int], tuple[re.Pattern[Any], str]] = {}
    _compiled_by(seen)
    _written_in_calls(seen)
    anchored = _anchored()
    return tuple(
        Expression(place, pattern, anchored=key in anchored)
        for key, (pattern, place) in seen.items()
    )


def _compiled_by(seen: dict[tuple[Any, int], tuple[re.Pattern[Any], str]]) -> None:
    """What is compiled while all modules are imported and all they remember is asked for."""
    real = re._compile  # type: ignore[attr-defined]  # the one way in of all functions of `re`

    def watched(pattern: Any, flags: Any) -> Any:
        made = real(pattern, flags)
        place = _place(sys._getframe(1))
        if place:
            seen.setdefault((made.pattern, made.flags), (made, place))
        return made

    re._compile = watched  # type: ignore[attr-defined]
    try:
        for module in modules():
            for value in list(vars(module).values()):
                _ask(value, module)
            for pattern in _patterns(vars(module), 0):
                seen.setdefault((pattern.pattern, pattern.flags), (pattern, module.__name__))
    finally:
        re._compile = real  # type: ignore[attr-defined]


def _written_in_calls(seen: dict[tuple[Any, int], tuple[re.Pattern[Any], str]]) -> None:
    """What functions compile when they are called: no import does."""
    for module in modules():
        for node in ast.walk(_tree(module)):
            if compiles(node) and isinstance(written := node.args[0], ast.Constant):
                pattern: Any = written.value
                made = re.compile(pattern, _flags(node))
                seen.setdefault((made.pattern, made.flags), (made, module.__name__))


def compiles(node: ast.AST) -> TypeGuard[ast.Call]:
    """Whether a call makes an expression of its first argument."""
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr != "escape"
    )


def _flags(call: ast.Call) -> int:
    given = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    named = (node for one in given for node in ast.walk(one) if isinstance(node, ast.Attribute))
    flags = [re.RegexFlag[one.attr] for one in named if one.attr in re.RegexFlag.__members__]
    return int(reduce(or_, flags, re.RegexFlag.NOFLAG))


def _place(frame: Any) -> str:
    while frame is not None and frame.f_globals.get("__name__") == "re":
        frame = frame.f_back
    name = str(frame.f_globals.get("__name__", "")) if frame else ""
    return name if name.startswith("commonplace") else ""


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(commonplace.__path__, "commonplace."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _ask(value: Any, module: ModuleType) -> None:
    """A function that remembers what it reads from a rule file, if it wants nothing to do so.

    It is asked anew: what an earlier test made it remember would be compiled no more.
    """
    inner = getattr(value, "__wrapped__", None)
    if hasattr(value, "cache_info") and inner and inner.__module__ == module.__name__:
        signature = inspect.signature(inner)
        if not signature.parameters and "->" in str(signature) and not _is_heavy(module):
            for pattern in _patterns(inner(), 0):
                pattern.pattern  # noqa: B018 - compiled is what it had to be


def _is_heavy(module: ModuleType) -> bool:
    """Where what is remembered are connections and models, not rules."""
    return module.__name__.split(".")[1] in {"storage", "embedding", "vectors", "server", "cli"}


def _patterns(value: Any, depth: int) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth > 4:
        return
    elif isinstance(value, dict):
        for one in list(value.values()):
            yield from _patterns(one, depth + 1)
    elif isinstance(value, tuple | list):
        for one in value:
            yield from _patterns(one, depth + 1)
    elif hasattr(type(value), "__slots__") and hasattr(type(value), "__dataclass_fields__"):
        for name in type(value).__dataclass_fields__:
            yield from _patterns(getattr(value, name, None), depth + 1)


def _anchored() -> set[tuple[Any, int]]:
    """Expressions that every module which names them only matches from the start of a text."""
    used: dict[tuple[Any, int], set[str]] = defaultdict(set)
    for module in modules():
        for name, value in vars(module).items():
            if isinstance(value, re.Pattern):
                used[value.pattern, value.flags] |= _methods(module)[name]
            else:
                for pattern in _patterns(value, 1):
                    used[pattern.pattern, pattern.flags].add("unknown")
    return {key for key, methods in used.items() if methods and methods <= ANCHORED}


@cache
def _tree(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))


@cache
def _methods(module: ModuleType) -> dict[str, set[str]]:
    """Which methods a module uses of what it calls by a name."""
    methods: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            methods[node.value.id].add(node.attr)
    return methods
