"""Line diffs between two revisions of a text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

_CONTEXT = 3
# Lines compared between the common beginning and end. The time grows with the product of both
# lengths, and with repeated lines; nobody reads longer diffs.
_MOST_LINES = 800


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
    """The lines that differ, with a few lines of context."""
    old, new = before.splitlines(), after.splitlines()
    begin, end = _different(old, new)
    further = max(len(old), len(new)) - end - begin - _MOST_LINES
    mine, theirs = (lines[begin : len(lines) - end][:_MOST_LINES] for lines in (old, new))
    shown: list[DiffLine] = []
    reached = -begin
    # The matcher's own heuristic ignores very frequent lines, which would make it slow.
    for group in SequenceMatcher(None, mine, theirs).get_grouped_opcodes(_CONTEXT):
        if (first := group[0][1]) > reached:
            shown.append(DiffLine(LineChange.LEFT_OUT, f"{first - reached} unchanged"))
        for tag, i1, i2, j1, j2 in group:
            shown += _lines(tag, mine[i1:i2], theirs[j1:j2], (begin + i1 + 1, begin + j1 + 1))
        reached = group[-1][2]
    if further > 0:
        return [*shown, DiffLine(LineChange.LEFT_OUT, f"{further} more, not compared")]
    if shown and (left := len(mine) + end - reached):
        shown.append(DiffLine(LineChange.LEFT_OUT, f"{left} unchanged"))
    return shown


def _different(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """The numbers of equal lines before and after the differing part with its context."""
    pairs = zip(old, new, strict=False)
    begin = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    limit = min(len(old), len(new)) - begin
    backwards = zip(reversed(old), reversed(new), strict=False)
    end = next((at for at, (a, b) in enumerate(backwards) if a != b or at >= limit), limit)
    return max(0, begin - _CONTEXT), max(0, end - _CONTEXT)


def _lines(
    tag: str, old: Sequence[str], new: Sequence[str], numbers: tuple[int, int]
) -> Iterator[DiffLine]:
    first, second = numbers
    if tag == "equal":
        for offset, text in enumerate(old):
            yield DiffLine(LineChange.SAME, text, first + offset, second + offset)
        return
    for offset, text in enumerate(old):
        yield DiffLine(LineChange.REMOVED, text, old=first + offset)
    for offset, text in enumerate(new):
        yield DiffLine(LineChange.ADDED, text, new=second + offset)
