"""Two texts side by side in time: which lines went, which came."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_CONTEXT = 3
# Comparing takes as long as both lengths together multiplied; nobody reads more by eye.
_MOST_LINES = 3000


class LineChange(StrEnum):
    SAME = "same"
    ADDED = "added"
    REMOVED = "removed"
    LEFT_OUT = "left-out"


@dataclass(frozen=True, slots=True)
class DiffLine:
    change: LineChange
    text: str
    old: int | None = None
    new: int | None = None


def line_diff(before: str, after: str) -> list[DiffLine]:
    """Lines that differ, with a few around them."""
    old, new = before.splitlines()[:_MOST_LINES], after.splitlines()[:_MOST_LINES]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    shown: list[DiffLine] = []
    reached = 0
    for group in matcher.get_grouped_opcodes(_CONTEXT):
        first = group[0][1]
        if first > reached:
            shown.append(DiffLine(LineChange.LEFT_OUT, f"{first - reached} unchanged"))
        for tag, i1, i2, j1, j2 in group:
            shown += _lines(tag, old, new, (i1, i2, j1, j2))
        reached = group[-1][2]
    if shown and reached < len(old):
        shown.append(DiffLine(LineChange.LEFT_OUT, f"{len(old) - reached} unchanged"))
    return shown


def _lines(
    tag: str, old: list[str], new: list[str], span: tuple[int, int, int, int]
) -> Iterator[DiffLine]:
    i1, i2, j1, j2 = span
    if tag == "equal":
        for offset, text in enumerate(old[i1:i2]):
            yield DiffLine(LineChange.SAME, text, i1 + offset + 1, j1 + offset + 1)
        return
    for offset, text in enumerate(old[i1:i2]):
        yield DiffLine(LineChange.REMOVED, text, old=i1 + offset + 1)
    for offset, text in enumerate(new[j1:j2]):
        yield DiffLine(LineChange.ADDED, text, new=j1 + offset + 1)
