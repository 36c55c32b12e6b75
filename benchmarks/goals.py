"""One page of all goals for speed and size: what was reached last, and whether that is enough.

python -m benchmarks goals: reads `goals.toml` and the results, writes `results/goals.md`.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.report import RESULTS, Table

_GOALS = Path(__file__).with_name("goals.toml")
_COLUMNS = ("goal", "wanted", "reached", "met", "measured")
_HEAD = """# goals

`python -m benchmarks goals`

What was reached is read from the results that each line names, each of its own day and machine.
Where several rows are meant, it is the worst of them. Written anew after every benchmark.
"""


@dataclass(frozen=True, slots=True)
class Goal:
    """What a cell of a result should be: at least or at most so much. `why` says what keeps it
    from being measured, if there is no cell; `since`, what is known beyond it."""

    area: str
    goal: str
    least: float | None = None
    most: float | None = None
    result: str = ""
    table: str = "*"
    row: str = "*"
    column: str = ""
    why: str = ""
    since: str = ""

    def reached(self, documents: Mapping[str, Any]) -> float | None:
        """The worst of the cells that are meant; None if there is none."""
        found = list(self._cells(documents[self.result])) if self.result else []
        if not found:
            return None
        return max(found) if self.least is None else min(found)

    def met(self, reached: float) -> bool:
        return reached >= self.least if self.least is not None else reached <= (self.most or 0.0)

    def _cells(self, document: Mapping[str, Any]) -> Iterator[float]:
        for table in document["tables"]:
            if fnmatchcase(table["title"], self.table) and self.column in table["columns"]:
                place = table["columns"].index(self.column)
                for row in table["rows"]:
                    if fnmatchcase(str(row[0]), self.row) and row[place] is not None:
                        yield row[place]


def main() -> None:
    (RESULTS / "goals.md").write_text(page(), encoding="utf-8")


def goals() -> list[Goal]:
    return [Goal(**one) for one in tomllib.loads(_GOALS.read_text(encoding="utf-8"))["goal"]]


def page() -> str:
    wanted = goals()
    documents = {one.result: _document(one.result) for one in wanted if one.result}
    parts = [_HEAD]
    for area, some in groupby(wanted, lambda one: one.area):
        rows = tuple(_row(one, documents) for one in some)
        parts.append(Table(area, _COLUMNS, rows, digits=2).markdown())
    return "\n".join(parts)


def _row(one: Goal, documents: Mapping[str, Any]) -> tuple[str | float | None, ...]:
    wanted = f"at least {one.least}" if one.least is not None else f"at most {one.most}"
    reached = one.reached(documents)
    if reached is None:
        return one.goal, wanted, None, "not measured", one.why
    day = documents[one.result]["machine"]["started"][:10]
    met = "yes" if one.met(reached) else "**no**"
    measured = f"[{one.result}]({one.result}.md), {day}"
    return one.goal, wanted, reached, met, "; ".join(filter(None, (measured, one.since)))


def _document(name: str) -> Mapping[str, Any]:
    """A result, or where there is none in this folder, one without tables."""
    file = RESULTS / f"{name}.json"
    if not file.exists():
        return {"tables": []}
    document: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return document
