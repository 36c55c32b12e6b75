"""The error tree: drawn as it is, codes unique, and every error raised by some test."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import errors
from commonplace.errors import CommonplaceError

TESTS = Path(__file__).parents[1]

# Their feature is not built yet; this list only shrinks.
NOT_YET_REACHABLE: set[str] = set()


def tree(root: type[CommonplaceError], prefix: str = "") -> Iterator[str]:
    yield f"{root.__name__} {root.code}"
    children = root.__subclasses__()
    for child in children:
        last = child is children[-1]
        first, *rest = tree(child)
        yield f"{'└── ' if last else '├── '}{first}"
        yield from (f"{'    ' if last else '│   '}{line}" for line in rest)


def every_error() -> list[type[CommonplaceError]]:
    found = [CommonplaceError]
    for error in found:
        found += error.__subclasses__()
    return [error for error in found if error.__module__.startswith(f"{errors.__name__}.")]


def names_in_tests() -> set[str]:
    """Names that some test uses where an error is expected."""
    found: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Name) and file != Path(__file__):
                found.add(node.id)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def test_the_drawing_is_the_tree() -> None:
    drawn = (errors.__doc__ or "").split("\n\n", 1)[1].strip().splitlines()
    assert [re.sub(r"(\w) {2,}", r"\1 ", line) for line in drawn] == list(tree(CommonplaceError))


def test_codes_are_unique_and_dotted() -> None:
    assert len(every_error()) > 40
    codes = [error.code for error in every_error()]
    assert len(codes) == len(set(codes))
    assert all(re.fullmatch(r"[a-z]+\.[a-z_]+", code) for code in codes)


@pytest.mark.parametrize("error", every_error(), ids=lambda error: error.__name__)
def test_the_message_is_given_or_the_docstring(error: type[CommonplaceError]) -> None:
    assert error().message == (error.__doc__ or "").strip()
    assert str(error()).endswith(".")
    assert error("Said.").message == str(error("Said.")) == "Said."


def test_every_error_is_raised_by_some_test() -> None:
    used = names_in_tests()
    unproved = {e.__name__ for e in every_error() if not {e.__name__, e.code} & used}
    parents = {e.__name__ for e in every_error() if e.__subclasses__()}
    assert unproved - parents <= NOT_YET_REACHABLE


def test_the_list_of_unreachable_errors_only_shrinks() -> None:
    source = "\n".join(
        file.read_text(encoding="utf-8")
        for file in (TESTS.parent / "src" / "commonplace").rglob("*.py")
        if file.parent.name != "errors"
    )
    raised = {name for name in NOT_YET_REACHABLE if re.search(rf"raise {name}\b", source)}
    assert not raised, f"raised now, so prove it and take it off the list: {sorted(raised)}"
