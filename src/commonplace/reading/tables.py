"""Formats rows of cells as a Markdown table."""

from __future__ import annotations

from collections.abc import Sequence


def table_lines(rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of the table; the first row is its head, short rows are padded, empty rows
    dropped."""
    filled = [list(row) for row in rows if any(cell.strip() for cell in row)]
    if not filled:
        return []
    width = max(map(len, filled))
    lines = [_line(row + [""] * (width - len(row))) for row in filled]
    return [lines[0], _line(["---"] * width), *lines[1:]]


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"
