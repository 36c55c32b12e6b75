"""No regular expression can be made slow: what it costs grows no faster than its text."""

from __future__ import annotations

import ast
import re
from itertools import chain
from math import inf
from typing import NamedTuple

import pytest

from tests.growth import expressions
from tests.growth.cost import looks, uses
from tests.growth.expressions import SOURCE, Expression, compiles
from tests.growth.pumps import Pump, pumps

# Found by looking at folders: to import everything is for the one process that runs these tests.
ROOMS = sorted(
    {file.relative_to(SOURCE).parts[0].removesuffix(".py") for file in SOURCE.rglob("*.py")}
)
LENGTH = 1_500
# A character may be looked at from many places, but not from more the longer the text is.
MOST_LOOKS = 150
GROWN = 4
TRIES = 10
LINEAR = GROWN * 2  # a quadratic cost would grow by GROWN squared

# Expressions that meet only so many characters, however long the text is.
SHORT = {
    "commonplace.codegraph.answering.question": 1_000,
    "commonplace.codegraph.answering.forms": 1_000,
    "commonplace.reading.charset": 4_096,
    "commonplace.recall.interpretation": 300,
    "commonplace.storage.statements": 0,  # our own files
    "commonplace.codegraph.extraction.matches": 0,  # names in our own queries
    "commonplace.text.filenames": 0,  # `match` alone is called on what `_any_of` makes
}
SHORT_BY_PATTERN = {r"[\w.]+\Z": 8}
# What is made of neither: of rule files, whose expressions are found where they are remembered; of
# patterns of file names, which `tests/reading` grows; of our own tables and statements.
MADE_OF_DATA = {
    "analysis/lexicon.py", "capture/rules.py", "capture/secrets.py", "capture/told.py",
    "safety/rulebook.py", "text/count.py", "text/filenames.py", "reading/globs.py",
    "storage/statements.py",
}  # fmt: skip
# Texts that made some expression slow once, found by long runs; tried on every expression.
FOUND = (
    Pump("", "_", ":"),
    Pump("", "passwordplace", ")"),
    Pump("######", " ", "%"),
    Pump("@A\n", " ", " "),
    Pump("find find find where are all  the  an any ", "  ", "/"),
    Pump("", "//:", ""),
    Pump("", "\r\n<!-- commonplace: begin -->.<", ""),
)


class Worst(NamedTuple):
    looks: float
    pump: Pump


def worst(one: Expression, count: int, seed: int = 1) -> Worst | None:
    length = longest(one)
    found: Worst | None = None
    for pump in chain(FOUND, pumps(one.pattern, count, seed)):
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


def costs(one: Expression, pump: Pump) -> tuple[float, float]:
    """Looks at each character of a longer text, and of the shorter one."""
    texts = [pump.text(length) for length in (GROWN * LENGTH, LENGTH)]
    long, short = (
        looks(uses(one.pattern, text, anchored=one.anchored), len(text)) for text in texts
    )
    return long, short


def problem_of(one: Expression, count: int, seed: int = 1, tries: int = TRIES) -> str:
    found = worst(one, count, seed)
    if found is None or found.looks < MOST_LOOKS / 10:
        return ""
    if longest(one) < LENGTH:
        return f"{one.place}: {found}" if found.looks >= MOST_LOOKS * 4 else ""
    if found.looks > 10 * MOST_LOOKS:
        return f"{one.place}: {found.looks:.0f} looks at a character: {found.pump}"
    dear = short = grown = inf
    for _ in range(tries):  # other work can only add to the cost, so the least is the truth
        long_cost, short_cost = costs(one, found.pump)
        dear, short = min(dear, long_cost), min(short, short_cost)
        grown = GROWN * dear / max(short, 1e-9)
        if dear < MOST_LOOKS and (grown < LINEAR or dear < MOST_LOOKS / 10):
            return ""
    return f"{one.place}: {dear:.0f} looks at a character, {grown:.1f} times as dear: {found.pump}"


def problems_of(room: str, count: int, seed: int = 1) -> list[str]:
    ours = [one for one in expressions.every() if longest(one) and one.room == room]
    return [said for one in ours if (said := problem_of(one, count, seed))]


def test_all_are_found() -> None:
    assert len(expressions.every()) >= 300
    assert {one.room for one in expressions.every()} <= {*ROOMS}
    places = {one.place for one in expressions.every()}
    for place in (
        "capture.rules",
        "capture.secrets",
        "capture.told",
        "analysis.lexicon",
        "safety.rulebook",
        "text.analyse",
    ):
        assert f"commonplace.{place}" in places


@pytest.mark.parametrize("room", ROOMS)
def test_the_cost_grows_no_faster_than_the_text(room: str) -> None:
    assert problems_of(room, count=8) == []


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(2, 8))
def test_the_cost_of_many_texts(seed: int) -> None:
    assert [said for room in ROOMS for said in problems_of(room, 120, seed)] == []


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
    assert problem_of(one, count=120, tries=2)


def test_wide_blank_lines_cost_little() -> None:
    """Too long to be found by chance: nearly as many as one rule counts, over and over."""
    text = ((" " * 100 + "\n") * 58 + "a") * 3
    wide = [one for one in expressions.every() if longest(one) == LENGTH and not one.anchored]
    dear = [
        f"{one.place}: {one.pattern.pattern}"
        for one in wide
        if looks(uses(one.pattern, text, anchored=False), len(text)) > MOST_LOOKS
        and looks(uses(one.pattern, text, anchored=False), len(text), times=3) > MOST_LOOKS
    ]
    assert dear == []


def test_what_is_made_of_arguments_is_known() -> None:
    """An expression that is written down is grown above; of words of a call only escaped ones."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            calls = ast.walk(function) if _takes_arguments(function) else ()
            if any(compiles(call) and not _is_tame(call.args[0]) for call in calls):
                found.add(str(file.relative_to(SOURCE)))
    assert found == MADE_OF_DATA


@pytest.mark.parametrize(
    ("written", "tame"),
    [
        (r"r'\w+'", True),
        ("re.escape(word)", True),
        ("rf'(?<!x){re.escape(word)}(?!x)'", True),
        ("rf'(?:{word})+'", False),
        ("word", False),
        ("'(' + word + ')*'", False),
    ],
)
def test_only_escaped_words_are_tame(written: str, tame: bool) -> None:
    assert _is_tame(ast.parse(written, mode="eval").body) is tame


def _is_tame(pattern: ast.expr) -> bool:
    """Written down whole, or an escaped word between what is written down."""
    if isinstance(pattern, ast.JoinedStr):
        return all(map(_is_tame, pattern.values))
    if isinstance(pattern, ast.FormattedValue):
        return _is_tame(pattern.value) and not isinstance(pattern.value, ast.Constant)
    called = pattern.func if isinstance(pattern, ast.Call) else None
    escaped = isinstance(called, ast.Attribute) and ast.unparse(called) == "re.escape"
    return escaped or isinstance(pattern, ast.Constant)


def _takes_arguments(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef) and [a.arg for a in node.args.args] not in (
        [],
        ["self"],
    )
