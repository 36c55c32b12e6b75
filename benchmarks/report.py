"""How a benchmark reports: tables for people, JSON for programs, and the machine they came from."""

from __future__ import annotations

import json
import os
import platform
import sqlite3
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

# Another folder than that of the results which are committed, for runs that are only a try.
RESULTS_VARIABLE = "COMMONPLACE_BENCH_RESULTS"
RESULTS = Path(os.environ.get(RESULTS_VARIABLE) or Path(__file__).parent / "results")
Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns; a cell without a value is shown as a dash."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    digits: int = 3

    def markdown(self) -> str:
        lines = [f"### {self.title}", "", _line(self.columns)]
        lines.append(_line(["---", *["---:"] * (len(self.columns) - 1)]))
        lines += [_line([_shown(cell, self.digits) for cell in row]) for row in self.rows]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Report:
    name: str
    tables: tuple[Table, ...]
    notes: tuple[str, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    def save(self, started: datetime) -> None:
        """Print the tables and write both files."""
        facts = machine() | self.facts | {"started": started.isoformat(timespec="seconds")}
        RESULTS.mkdir(exist_ok=True)
        text = self._markdown(facts)
        (RESULTS / f"{self.name}.md").write_text(text, encoding="utf-8")
        content = {
            "name": self.name,
            "command": command(),
            "machine": facts,
            "notes": self.notes,
            "tables": [
                {"title": t.title, "columns": t.columns, "rows": t.rows} for t in self.tables
            ],
        }
        written = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        (RESULTS / f"{self.name}.json").write_text(written, encoding="utf-8")
        print(text)

    def _markdown(self, facts: dict[str, Any]) -> str:
        told = "; ".join(f"{name} {value}" for name, value in facts.items())
        parts = [f"# {self.name}", "", f"`{command()}`", "", f"{told}.", ""]
        parts += [table.markdown() for table in self.tables]
        parts += [f"- {note}" for note in self.notes]
        return "\n".join(parts).rstrip() + "\n"


def command() -> str:
    return " ".join(["python -m benchmarks", *sys.argv[1:]])


def machine() -> dict[str, Any]:
    return {
        "cores": os.cpu_count(),
        "processor": _processor(),
        "system": platform.system(),
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "load": round(os.getloadavg()[0], 1),
    }


def now() -> datetime:
    return datetime.now(UTC)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, platform.machine())


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _shown(cell: Cell, digits: int) -> str:
    if cell is None:
        return "-"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)
