"""What a text made to be slow costs each parser, rule file and expression, and how that grows.

python -m benchmarks growth [--pumps N]: the dearest of the texts that tests/growth tries, and its
slope: 1 is linear in the length of the text, 2 quadratic.
"""

from __future__ import annotations

import argparse
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress

from benchmarks.report import Cell, Report, Table, now
from commonplace.errors import CommonplaceError
from tests.growth import expressions, test_expressions, test_readers
from tests.growth.cost import looks, uses
from tests.growth.expressions import Expression

_TRIES = 3
_GROWN = test_expressions.GROWN


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks growth")
    parser.add_argument("--pumps", type=int, default=8, help="texts tried for each expression")
    given = parser.parse_args(arguments)
    began = now()
    readers = Table(
        "Parsers, rule files and ignore files",
        ("reader", "dearest text", "looks at a character", "slope"),
        tuple(_readers()),
        digits=2,
    )
    patterns = Table(
        "Regular expressions, by the module that has them or reads them from a rule file",
        ("module", "expressions", "looks at a character", "slope"),
        tuple(_modules(given.pumps)),
        digits=2,
    )
    Report("growth", (readers, patterns), _NOTES).save(began)


_LENGTHS = (
    f"{test_readers.LENGTH:,} and {test_readers.GROWN * test_readers.LENGTH:,} characters "
    f"(expressions: {test_expressions.LENGTH:,} and "
    f"{test_expressions.GROWN * test_expressions.LENGTH:,})"
)
_NOTES = (
    "A look: what one plain expression spends on one character of a text, on the same machine.",
    "`looks at a character`: of the dearest of the texts that were tried, at its greater length.",
    f"`slope`: the exponent of the cost between {_LENGTHS}: 1 is linear, 2 quadratic.",
    "What is below 1 has a part that does not grow; 0.2 is noise. A dash: too cheap to have one.",
    "Expressions that meet only so many characters, however long a text is, have no slope either.",
    "Left out: pages of a PDF with only blanks, which its library lays out in quadratic time.",
    "That is done in a child process, which is ended when it takes long.",
    "Left out too: names of TOML with thousands of dots, which Python reads in quadratic time.",
    "They are read in the command of the person whose file it is.",
    "`tests/growth` fails where something grows faster than its text.",
)


def _readers() -> Iterator[tuple[Cell, ...]]:
    for name, reader in test_readers.READERS.items():
        with suppress(CommonplaceError, ValueError):
            reader("what is remembered is read before anything is measured")
        long = test_readers.GROWN * test_readers.LENGTH
        parts = test_readers.parts_for(name)
        part = max(parts, key=lambda one: test_readers.cost(reader, one, long))
        dear = test_readers.cost(reader, part, long, _TRIES)
        short = test_readers.cost(reader, part, test_readers.LENGTH, _TRIES)
        yield name, f"`{part[:20]!r}`".replace("|", "\\|"), dear, _slope(short, dear)


def _modules(pumps: int) -> Iterator[tuple[Cell, ...]]:
    by_module: dict[str, list[Expression]] = defaultdict(list)
    for one in expressions.every():
        by_module[one.place].append(one)
    for module, found in sorted(by_module.items()):
        measured = [_dearest(one, pumps) for one in found]
        dear, slope = max(measured, key=lambda one: one[0])
        yield module.removeprefix("commonplace."), len(found), dear, slope


def _dearest(one: Expression, pumps: int) -> tuple[float, float | None]:
    worst = test_expressions.worst(one, pumps)
    if worst is None or test_expressions.longest(one) < test_expressions.LENGTH:
        return worst.looks if worst else 0.0, None
    texts = (worst.pump.text(times * test_expressions.LENGTH) for times in (1, _GROWN))
    short, long = (
        looks(uses(one.pattern, text, anchored=one.anchored), len(text), _TRIES) for text in texts
    )
    return long, _slope(short, long)


def _slope(short: float, long: float) -> float | None:
    """From costs of one character; what costs less than a look for each has none to speak of."""
    if long < 1 or not short:
        return None
    return 1 + math.log(long / short) / math.log(test_readers.GROWN)
