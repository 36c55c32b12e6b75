"""Splits a long body into passages: at headings, else paragraphs, sentences, lines, words,
anywhere.

Of Markdown, it knows headings and fenced code only. It drops nothing but white space.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from commonplace.text.count import HUNDREDTHS, MOST_LOST_IN_WORD, token_hundredths


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of the body: `text` is `body[start:end]`."""

    start: int
    end: int
    text: str


class _Cut(IntEnum):
    """How good a place for a cut is."""

    ANYWHERE = 0
    WORD = 1
    LINE = 2
    SENTENCE = 3
    PARAGRAPH = 4
    HEADING = 5


class _Span(NamedTuple):
    """A stretch of the body with the white space after it; `cut` rates its start as a place to
    cut."""

    start: int
    end: int
    cut: _Cut


class _Atoms(NamedTuple):
    """Spans that are not divided further; `totals[i]` is the weight of the first `i` of them."""

    spans: list[_Span]
    totals: list[int]


_FENCE, _HEADING, _GAP = "fence", "heading", "gap"
_BLOCK_MARK = re.compile(
    r"""
    (?P<fence>   ^[ ]{0,3}(?:`{3,}|~{3,})[^\n]*(?:\n(?:[ \t\r]*\n)*|\Z) )
  | (?P<heading> ^[ ]{0,3}[#]{1,6}[ \t][^\n]*(?:\n(?:[ \t\r]*\n)*|\Z) )
  | (?P<gap>     \n(?:[ \t\r]*\n)+ )
    """,
    re.VERBOSE | re.MULTILINE,
)
_FINER: dict[_Cut, re.Pattern[str]] = {
    _Cut.SENTENCE: re.compile(
        # Only matching at the first mark of a run keeps long runs of marks linear.
        r"(?<![.!?…])[.!?…]++[\"'”’)\]]*+\s++|[。！？｡]+[」』）]*\s*"
    ),
    _Cut.LINE: re.compile(r"\n(?:[ \t\r]*\n)*"),
    _Cut.WORD: re.compile(r"\s+"),
}
_PROSE_CUTS = (_Cut.SENTENCE, _Cut.LINE, _Cut.WORD)
_CODE_CUTS = (_Cut.LINE, _Cut.WORD)


def split_passages(text: str, *, max_tokens: int) -> list[Passage]:
    """Split into passages of at most `max_tokens` estimated tokens each."""
    if max_tokens < 1:
        raise ValueError("max_tokens must be at least 1")
    limit = max_tokens * HUNDREDTHS
    spans = list(_undivided(text, limit))
    totals = [0, *accumulate(_weight(text, span) for span in spans)]
    cuts = _cuts(_Atoms(spans, totals), limit)
    trimmed = (_trimmed(text, spans[low].start, spans[high - 1].end) for low, high in cuts)
    return [Passage(start, end, text[start:end]) for start, end in trimmed if start < end]


def _undivided(text: str, limit: int) -> Iterator[_Span]:
    for block, is_code in _blocks(text):
        yield from _divided(text, block, _CODE_CUTS if is_code else _PROSE_CUTS, limit)


def _blocks(text: str) -> Iterator[tuple[_Span, bool]]:
    """Headings, paragraphs and fenced code without gaps in between, and whether each is code."""
    position, cut = 0, _Cut.PARAGRAPH
    for kind, start, end in _marks(text):
        before = end if kind == _GAP else start
        if position < before:
            yield _Span(position, before, cut), False
            cut = _Cut.PARAGRAPH
        if kind == _HEADING:
            yield _Span(start, end, _Cut.HEADING if cut else cut), False
            # A heading stays with the text after it if at all possible.
            cut = _Cut.ANYWHERE
        elif kind == _FENCE:
            yield _Span(start, end, cut), True
            cut = _Cut.PARAGRAPH
        position = end
    if position < len(text):
        yield _Span(position, len(text), cut), False


def _marks(text: str) -> Iterator[tuple[str | None, int, int]]:
    """Headings, gaps between paragraphs, and whole fenced blocks, whose contents are not
    examined."""
    fence, fence_start = "", 0
    for mark in _BLOCK_MARK.finditer(text):
        line = mark[0].strip()
        if fence:
            if line.startswith(fence) and not line.strip(fence[0]):
                yield _FENCE, fence_start, mark.end()
                fence = ""
        elif mark.lastgroup == _FENCE:
            fence = line[: len(line) - len(line.lstrip(line[0]))]
            fence_start = mark.start()
        else:
            yield mark.lastgroup, mark.start(), mark.end()
    if fence:
        yield _FENCE, fence_start, len(text)


def _divided(text: str, span: _Span, cuts: tuple[_Cut, ...], limit: int) -> Iterator[_Span]:
    """Divide a span into few parts within the limit, cut at the best possible places."""
    weight = _weight(text, span)
    if weight <= limit or span.end - span.start == 1:
        yield span
    elif cuts:
        ends = (found.end() for found in _FINER[cuts[0]].finditer(text, span.start, span.end))
        for part in _parts(span, ends, cuts[0]):
            yield from _divided(text, part, cuts[1:], limit)
    else:
        for part in _parts(span, _even_places(text, span, weight, limit), _Cut.ANYWHERE):
            yield from _divided(text, part, (), limit)


def _parts(span: _Span, places: Iterable[int], cut: _Cut) -> Iterator[_Span]:
    start, best = span.start, span.cut
    for place in places:
        if start < place < span.end:
            yield _Span(start, place, best)
            start, best = place, cut
    yield _Span(start, span.end, best)


def _even_places(text: str, span: _Span, weight: int, limit: int) -> list[int]:
    """Even cuts of a run without spaces, avoiding cuts before a combining mark."""
    length = span.end - span.start
    count = min(length, 1 + weight * 10 // (limit * 9))
    places = [span.start + length * part // count for part in range(1, count)]
    kept = [place for place in places if not unicodedata.combining(text[place])]
    return kept or places


def _weight(text: str, span: _Span) -> int:
    weight = token_hundredths(text[span.start : span.end])
    # A cut can lower the estimate of both sides; this compensates, so that a passage weighs no more
    # than the sum of its atoms.
    around_start = text[span.start - 1 : span.start + 1] if span.start else ""
    if around_start.isspace():
        return weight + HUNDREDTHS
    return weight + MOST_LOST_IN_WORD if around_start.isalpha() else weight


def _cuts(atoms: _Atoms, limit: int) -> list[tuple[int, int]]:
    """Group the atoms: each pair is the first index and the index after the last."""
    totals = atoms.totals
    cuts = [0]
    while totals[-1] - totals[cuts[-1]] > limit and cuts[-1] < len(atoms.spans) - 1:
        cuts.append(_next_cut(atoms, cuts[-1], limit))
    cuts.append(len(atoms.spans))
    if len(cuts) > 2 and 4 * (totals[-1] - totals[cuts[-2]]) < limit:
        cuts[-2] = _balanced_cut(atoms, cuts[-3], limit) or cuts[-2]
    return list(pairwise(cuts)) if atoms.spans else []


def _next_cut(atoms: _Atoms, start: int, limit: int) -> int:
    """The best cut that leaves a passage at least half full, or a quarter if that saves a
    sentence."""
    late = _best_between(atoms, start, limit // 2, limit)
    if atoms.spans[late].cut >= _Cut.SENTENCE:
        return late
    return _best_between(atoms, start, limit // 4, limit)


def _best_between(atoms: _Atoms, start: int, least: int, most: int) -> int:
    """The best cut whose passage weighs between `least` and `most`; the last one of equals.

    Without any, the cut after the first atom.
    """
    base = atoms.totals[start]
    last = max(bisect_right(atoms.totals, base + most) - 1, start + 1)
    first = min(max(bisect_left(atoms.totals, base + least), start + 1), last)
    candidates = range(first, min(last, len(atoms.spans) - 1) + 1)
    return max(candidates, key=lambda index: (atoms.spans[index].cut, index))


def _balanced_cut(atoms: _Atoms, start: int, limit: int) -> int | None:
    """The best cut that gives each of the last two passages at least a quarter of the limit."""
    base, total = atoms.totals[start], atoms.totals[-1]
    candidates = [
        index
        for index in range(start + 1, len(atoms.spans))
        if limit <= 4 * (atoms.totals[index] - base) <= 4 * limit
        and limit <= 4 * (total - atoms.totals[index]) <= 4 * limit
    ]
    return max(
        candidates,
        key=lambda index: (atoms.spans[index].cut, -abs(base + total - 2 * atoms.totals[index])),
        default=None,
    )


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without surrounding white space, but with the indentation of its first line."""
    body = text[start:end]
    inner = start + len(body) - len(body.lstrip())
    line_start = text.rfind("\n", 0, inner) + 1
    return max(line_start, start) if line_start >= start else inner, start + len(body.rstrip())
