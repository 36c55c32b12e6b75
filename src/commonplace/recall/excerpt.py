"""The lines of a passage that answer: the stretch with most of what was asked for. Pure.

Quotes verbatim, line by line, long lines by sentences; never begins with a passage's first lines
because they are the first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.text.analyse import analyse
from commonplace.text.context_tokens import estimate_context_tokens

ELLIPSIS = "…"
# A line of prose may be a whole paragraph: longer ones are taken apart by sentences.
_LONGEST_LINE = 200
_SENTENCE = re.compile(r"(?<=[.!?;:。！？])\s+")
# Looking at more stretches than these finds nothing better, and a passage has few more lines.
_MOST_UNITS = 400
# A word that stands in a stretch again says a little more for it.
_AGAIN = 0.1


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`first` and `last` are lines of the passage, from 0."""

    text: str
    first: int
    last: int
    whole: bool


@dataclass(frozen=True, slots=True)
class _Unit:
    """A line, or a sentence of one."""

    text: str
    line: int
    begins_line: bool
    tokens: int
    terms: Sequence[str]


def excerpt(text: str, weights: Mapping[str, float], most_tokens: int) -> Excerpt:
    """The stretch of a text that answers, of `most_tokens` and the marks where it was cut."""
    lines = text.split("\n")
    if estimate_context_tokens(text) <= most_tokens:
        return Excerpt(text.strip("\n"), 0, len(lines) - 1, whole=True)
    units = _units(lines, weights)
    start, end = _best_stretch(units, weights, most_tokens)
    start, end = _grown(units, start, end, most_tokens)
    chosen = units[start:end]
    shown = _joined(chosen)
    if len(chosen) == 1 and chosen[0].tokens > most_tokens:
        shown = _cut(shown, most_tokens)
    before = ELLIPSIS if start else ""
    after = ELLIPSIS if end < len(units) else ""
    return Excerpt(f"{before}{shown}{after}", chosen[0].line, chosen[-1].line, whole=False)


def _units(lines: Sequence[str], weights: Mapping[str, float]) -> list[_Unit]:
    units: list[_Unit] = []
    for number, line in enumerate(lines):
        pieces = _SENTENCE.split(line) if len(line) > _LONGEST_LINE else [line]
        for position, piece in enumerate(pieces):
            terms = [term for term in analyse(piece) if term in weights]
            tokens = estimate_context_tokens(piece) + 1
            units.append(_Unit(piece, number, position == 0, tokens, terms))
    return units[:_MOST_UNITS]


def _best_stretch(
    units: Sequence[_Unit], weights: Mapping[str, float], most: int
) -> tuple[int, int]:
    """The stretch that has most, the shortest of equal ones; from a line that has something."""
    best = (0.0, 0, 0, 1)
    for start, first in enumerate(units):
        if not first.terms:
            continue
        tokens, worth, seen = 0, 0.0, set[str]()
        for end in range(start, len(units)):
            tokens += units[end].tokens
            if tokens > most and end > start:
                break
            for term in units[end].terms:
                worth += weights[term] * (_AGAIN if term in seen else 1.0)
                seen.add(term)
            best = max(best, (worth, -tokens, -start, end + 1))
    return -best[2], best[3]


def _grown(units: Sequence[_Unit], start: int, end: int, most: int) -> tuple[int, int]:
    """The stretch with what stands around it, as far as there is room: twice after, once before."""
    room = most - sum(unit.tokens for unit in units[start:end])
    for step in range(2 * len(units)):
        if step % 3 == 2 or end == len(units):
            if start and units[start - 1].tokens <= room:
                start -= 1
                room -= units[start].tokens
        elif units[end].tokens <= room:
            room -= units[end].tokens
            end += 1
    while start < end - 1 and not units[start].text.strip():
        start += 1
    while end > start + 1 and not units[end - 1].text.strip():
        end -= 1
    return start, end


def _joined(units: Sequence[_Unit]) -> str:
    text = units[0].text
    for unit in units[1:]:
        text += ("\n" if unit.begins_line else " ") + unit.text
    return text


def _cut(text: str, most: int) -> str:
    """The beginning of one long line, a word at a time; measured, not guessed."""
    kept = text[: most * 6]
    while kept and estimate_context_tokens(kept) > most:
        kept = kept[: len(kept) * 9 // 10]
    return kept
