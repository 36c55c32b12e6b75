"""What jedi says of every name in a Python project, in the lines that typescript.mjs writes.

Usage: python -m benchmarks.codegraph.python_truth <project> [source root ...]
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

_LOCAL = frozenset({"param", "statement"})


def truth(project: Path, roots: list[str]) -> Iterator[str]:
    jedi: Any = import_module("jedi")  # only this benchmark needs it, so nothing depends on it
    # Without installed packages: the project itself may be among them.
    paths = [str(project / root) for root in roots] + [str(project)]
    paths += [path for path in sys.path if path and "site-packages" not in path]
    setting = jedi.Project(project, sys_path=paths, smart_sys_path=False)
    for path in sorted(project.rglob("*.py")):
        script = jedi.Script(path=path, project=setting)
        for name in script.get_names(all_scopes=True, definitions=False, references=True):
            found = _goto(name)
            if found:  # where jedi knows nothing, nothing can be said
                yield _line(name, found, project)


def _line(name: Any, everywhere: list[Any], project: Path) -> str:
    found = [each for each in everywhere if _inside(each.module_path, project)]
    counts = bool(found) and not any(_is_local(each) for each in found)
    places = [(_relative(each, project), (each.line or 1) - 1, each.column or 0) for each in found]
    return json.dumps([_relative(name, project), name.line - 1, name.column, counts, places])


def _goto(name: Any) -> list[Any]:
    try:
        return list(name.goto(follow_imports=True))
    except Exception:  # noqa: BLE001 - jedi fails in many ways on code that it does not understand
        return []


def _is_local(definition: Any) -> bool:
    if _is_attribute(definition):
        return False
    parent = definition.parent()
    inside = parent is not None and parent.type == "function"
    return definition.type == "param" or (definition.type in _LOCAL and inside)


def _is_attribute(definition: Any) -> bool:
    """Whether it is set on an object: `self.x = 1` in a method declares a member of the class."""
    if definition.line is None:  # a module
        return False
    before = (definition.get_line_code() or "")[: definition.column or 0]
    return bool(before.rstrip().endswith("."))


def _inside(path: Path | None, project: Path) -> bool:
    return path is not None and path.is_relative_to(project)


def _relative(name: Any, project: Path) -> str:
    return str(name.module_path.relative_to(project))


if __name__ == "__main__":
    for line in truth(Path(sys.argv[1]).resolve(), sys.argv[2:]):
        print(line)
