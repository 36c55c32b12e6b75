"""Generates the column "may use" in ARCHITECTURE.md from the table that the tests enforce."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
PAGE = REPOSITORY / "ARCHITECTURE.md"
RULES = REPOSITORY / "tests" / "architecture" / "rules.toml"
_ROW = re.compile(r"^\| `([\w/]+?)(?:/|\.py)` \| (.*) \|[^|]*\|$", re.MULTILINE)


def allowed() -> dict[str, list[str]]:
    table: dict[str, list[str]] = tomllib.loads(RULES.read_text(encoding="utf-8"))["may_import"]
    return table


def rooms(page: str) -> list[str]:
    """The rooms of the table, in its order."""
    return [row.group(1) for row in _ROW.finditer(page)]


def page() -> str:
    """ARCHITECTURE.md with the generated column."""
    table = allowed()
    return _ROW.sub(
        lambda row: row.group(0).rsplit("|", 2)[0] + f"| {_uses(table.get(row.group(1), []))} |",
        PAGE.read_text(encoding="utf-8"),
    )


def _uses(others: list[str]) -> str:
    return ", ".join(f"`{other}`" for other in others)
