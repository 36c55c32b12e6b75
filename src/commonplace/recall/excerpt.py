"""Cuts the excerpt of a passage that best matches the question. Pure.

Quotes whole lines verbatim, or whole sentences of long lines. Being at the start of the passage
gives a line no preference.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from commonplace.text.analyse import analyse
from commonplace.text.context_tokens import estimate_context_tokens

ELLIPSIS = "…"
# Longer lines are split into sentences, as a line of prose may be a whole paragraph.
_LONGEST_LINE = 200
_SENTENCE = re.compile(r"(?<=[.!?;:。！？])\s+")
# Looking further finds nothing better, and few passages have more lines.
_MOST_UNITS = 400
# The weight of a repeated word, relative to its first occurrence.
_AGAIN = 0.1


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A quoted stretch; `first` and `last` are line numbers in the passage, from 0."""

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
    """The best matching stretch, of at most `most_tokens` plus the marks where it was cut."""
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
    """The stretch with the highest weight, the shortest of equal ones. It starts with a match."""
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
    """Extend the stretch while there is room, by two units after it for each one before it."""
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
    """The longest prefix of a line, in steps of a tenth, whose measured size fits."""
    kept = text[: most * 6]
    while kept and estimate_context_tokens(kept) > most:
        kept = kept[: len(kept) * 9 // 10]
    return kept
