"""No regular expression can be made slow: what it costs grows no faster than its text."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

import pytest

from tests.growth import expressions
from tests.growth.cost import looks, uses
from tests.growth.expressions import SOURCE, Expression
from tests.growth.pumps import Pump, pumps

EXPRESSIONS = expressions.every()
LENGTH = 1_500
# A character may be looked at from many places, but not from more the longer the text is.
MOST_LOOKS = 150
GROWN = 4
LINEAR = GROWN * 2  # a quadratic cost would grow by GROWN squared

# Expressions that meet only so many characters, however long the text is.
SHORT = {
    "commonplace.codegraph.answering.question": 1_000,
    "commonplace.reading.charset": 4_096,
    "commonplace.storage.statements": 0,  # our own files
    "commonplace.codegraph.extraction.matches": 0,  # names in our own queries
    "commonplace.text.filenames": 0,  # `match` alone is called on what `_any_of` makes
}
SHORT_BY_PATTERN = {r"[\w.]+\Z": 8}
# What is made of the words of a call: an escaped word, between looks around it.
FROM_ARGUMENTS = {
    "text/snippet.py", "workspace/search/roles.py", "capture/likeness.py", "reading/html.py",
    "operations/transfer/markdown.py", "storage/statements.py", "memory/service/tracing.py",
    "memory/files.py",
}  # fmt: skip


class Worst(NamedTuple):
    looks: float
    pump: Pump


def worst(one: Expression, count: int, seed: int = 1) -> Worst | None:
    length = longest(one)
    found: Worst | None = None
    for pump in pumps(one.pattern, count, seed):
        text = pump.text(length)
        if len(text) <= 3 * length:
            spent = looks(uses(one.pattern, text, anchored=one.anchored), len(text))
            found = max(found or Worst(0, pump), Worst(spent, pump))
            if spent > 10 * MOST_LOOKS:
                break
    return found


def longest(one: Expression) -> int:
    known = SHORT_BY_PATTERN.get(str(one.pattern.pattern), SHORT.get(one.place, LENGTH))
    return min(LENGTH, known)


def growth(one: Expression, pump: Pump) -> tuple[float, float]:
    """Looks at each character of a longer text, and by what its whole cost has grown."""
    texts = [pump.text(length) for length in (LENGTH, GROWN * LENGTH)]
    short, long = (
        looks(uses(one.pattern, text, anchored=one.anchored), len(text), times=3) for text in texts
    )
    return long, GROWN * long / max(short, 1e-9)


def check(one: Expression, count: int, seed: int = 1) -> None:
    found = worst(one, count, seed)
    if found is None or found.looks < MOST_LOOKS / 10:
        return
    if longest(one) < LENGTH:
        assert found.looks < MOST_LOOKS * 4, found.pump
        return
    if found.looks > 10 * MOST_LOOKS:
        pytest.fail(f"{one.place}: {found.looks:.0f} looks at a character: {found.pump}")
    said = ""
    for _ in range(3):  # a machine that is busy with other things may be slow once
        dear, grown = growth(one, found.pump)
        if dear < MOST_LOOKS and (grown < LINEAR or dear < MOST_LOOKS / 10):
            return
        said = f"{dear:.0f} looks at a character, {grown:.1f} times as dear"
    pytest.fail(f"{one.place}: {said}: {found.pump}")


def test_all_are_found() -> None:
    assert len(EXPRESSIONS) >= 300
    places = {one.place for one in EXPRESSIONS}
    for place in (
        "capture.rules",
        "capture.secrets",
        "analysis.lexicon",
        "safety.rulebook",
        "text.analyse",
    ):
        assert f"commonplace.{place}" in places


@pytest.mark.parametrize(
    "one", [one for one in EXPRESSIONS if longest(one)], ids=lambda one: one.id
)
def test_the_cost_grows_no_faster_than_the_text(one: Expression) -> None:
    check(one, count=8)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 8))
def test_the_cost_of_many_texts(seed: int) -> None:
    for one in EXPRESSIONS:
        if longest(one):
            check(one, count=120, seed=seed)


@pytest.mark.parametrize(
    "pattern",
    [
        r"(?i)cookie:\s?(?:[^\n;=]{1,60}=[^\n;]{0,300};\s?){0,9}?sess\w{0,20}=\S{16}",
        r"\s*path\s*=\s*\"?([^\"#;]*?)\"?\s*(?:[#;].*)?\Z",
        r"\w+:",
        r"(?:a|aa)*b",
    ],
)
def test_what_can_be_made_slow_is_noticed(pattern: str) -> None:
    one = Expression("broken", re.compile(pattern), anchored=False)
    with pytest.raises(pytest.fail.Exception):
        check(one, count=120)


def test_wide_blank_lines_cost_little() -> None:
    """Too long to be found by chance: nearly as many as one rule counts, over and over."""
    text = ((" " * 100 + "\n") * 58 + "a") * 3
    wide = [one for one in EXPRESSIONS if longest(one) == LENGTH and not one.anchored]
    dear = [
        one.id
        for one in wide
        if looks(uses(one.pattern, text, anchored=False), len(text)) > MOST_LOOKS
        and looks(uses(one.pattern, text, anchored=False), len(text), times=3) > MOST_LOOKS
    ]
    assert dear == []


def test_what_is_made_of_arguments_is_known() -> None:
    """An expression that no import compiles would not be found."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for function in ast.walk(tree):
            if _takes_arguments(function) and any(map(_compiles, ast.walk(function))):
                found.add(str(file.relative_to(SOURCE)))
    makers = {"analysis/lexicon.py", "capture/rules.py", "capture/secrets.py", "safety/rulebook.py"}
    others = {"text/count.py", "text/filenames.py", "reading/globs.py"}
    assert found - FROM_ARGUMENTS - makers - others == set()


def _compiles(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr != "escape"
    )


def _takes_arguments(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and [a.arg for a in node.args.args] not in (
        [],
        ["self"],
    )
