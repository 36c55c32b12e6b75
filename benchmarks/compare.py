"""Ratios of the results in this tree beside those that were committed last.

python -m benchmarks compare [--worse 1.2]: fails where one has grown by more than that.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import RESULTS, Table

Ratios = Mapping[tuple[str, str, str], float]


@dataclass(frozen=True, slots=True)
class Change:
    """One ratio, in the results of which benchmark it stands, and how it was."""

    benchmark: str
    row: str
    column: str
    before: float
    now: float

    @property
    def times(self) -> float:
        return self.now / self.before if self.before else float("inf")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks compare", description=__doc__)
    parser.add_argument("--worse", type=float, default=1.2)
    given = parser.parse_args(arguments)
    changes = [change for file in sorted(RESULTS.glob("*.json")) for change in _changes(file)]
    if not changes:
        print("No ratio is another than the one that was committed last.")
        return
    rows = tuple((c.benchmark, c.row, c.column, c.before, c.now, c.times) for c in changes)
    columns = ("benchmark", "row", "ratio", "committed", "now", "times")
    print(Table("Ratios that have changed", columns, rows, digits=2).markdown())
    if worse := [change for change in changes if change.times > given.worse]:
        sys.exit(
            f"{len(worse)} of {len(changes)} changed ratios are over {given.worse} times worse."
        )


def ratios_in(document: Mapping[str, Any]) -> Ratios:
    """What is a ratio by the name of its column; the smaller, the better."""
    return {
        (table["title"], str(row[0]), column): cell
        for table in document["tables"]
        for row in table["rows"]
        for column, cell in zip(table["columns"], row, strict=True)
        if "ratio" in column and isinstance(cell, int | float)
    }


def _changes(file: Path) -> Iterator[Change]:
    committed = _committed(file)
    if committed is None:
        return
    before, now = ratios_in(committed), ratios_in(json.loads(file.read_text(encoding="utf-8")))
    for place in before.keys() & now.keys():
        if before[place] != now[place]:
            _, row, column = place
            yield Change(file.stem, row, column, before[place], now[place])


def _committed(file: Path) -> dict[str, Any] | None:
    """The document as it was committed; None where it never was."""
    command = ["git", "-C", str(file.parent), "show", f"HEAD:./{file.name}"]
    shown = subprocess.run(command, capture_output=True, check=False)
    document: dict[str, Any] = json.loads(shown.stdout) if shown.returncode == 0 else {}
    return document or None
