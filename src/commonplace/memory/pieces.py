"""Divides an opened text into pieces, selects some, and cuts them to a budget. Pure.

Entry bodies are divided by headings, documents and files by chunks.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from commonplace.errors import NotFound
from commonplace.model.chunk import Chunk
from commonplace.model.references import Portion
from commonplace.text.context_tokens import estimate_context_tokens

_HEADING = re.compile(r"(#{1,6})[ \t]+(\S.*)")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_WORD_END = re.compile(r"\s+")
_CUT = " …"
_MOST_NAMED = 12
_HOW_FAR = "Without lines, page and section open says how far reading has come."
_ASK_FOR_LESS = "Ask for what there is, or for all of it: without lines, page and section."


@dataclass(frozen=True, slots=True)
class TextPiece:
    """A part of a text; lines and pages count from 1, `headings` begin with the outermost."""

    ordinal: int
    text: str
    first_line: int | None = None
    page: int | None = None
    headings: tuple[str, ...] = ()

    @property
    def last_line(self) -> int | None:
        return None if self.first_line is None else self.first_line + self.text.count("\n")


@dataclass(frozen=True, slots=True)
class Selection:
    """The requested pieces; `around` adds this many before and after them."""

    portion: Portion | None = None
    section: str = ""
    around: int = 0


@dataclass(frozen=True, slots=True)
class CutText:
    """The text that fits; `rest` refers to the remainder, if there is any.

    `clipped`: a single line or passage was too long, and its remainder has no reference.
    """

    text: str
    first_line: int | None = None
    last_line: int | None = None
    rest: Portion | None = None
    clipped: bool = False


def pieces_of_body(body: str) -> list[TextPiece]:
    """Divide a body by its headings, ignoring those in fenced code."""
    pieces: list[TextPiece] = []
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    begun, fenced = 1, False

    def close(after: int) -> None:
        nonlocal begun, lines
        if lines:
            headings = tuple(title for _, title in path)
            pieces.append(TextPiece(len(pieces), "\n".join(lines), begun, headings=headings))
        begun, lines = after, []

    for number, line in enumerate(body.split("\n"), 1):
        fenced ^= bool(_FENCE.match(line))
        heading = None if fenced else _HEADING.fullmatch(line)
        if heading:
            close(number)
            level = len(heading[1])
            path = [*(one for one in path if one[0] < level), (level, heading[2].strip())]
        lines.append(line)
    close(0)
    return pieces


def pieces_of_chunks(chunks: Iterable[Chunk]) -> list[TextPiece]:
    """Divide a document into its passages, in the order of the text."""
    return [
        TextPiece(c.ordinal, c.text, c.position.line_start, c.position.page, c.headings)
        for c in sorted(chunks, key=lambda chunk: chunk.ordinal)
    ]


def pieces_of_lines(chunks: Iterable[Chunk]) -> list[TextPiece]:
    """Restore a file from its chunks: each line once, with the blank lines between chunks."""
    lines: dict[int, str] = {}
    headings: dict[int, tuple[str, ...]] = {}
    for chunk in sorted(chunks, key=lambda each: each.position.char_start):
        first = chunk.position.line_start or 1
        for offset, line in enumerate(chunk.text.split("\n")):
            lines.setdefault(first + offset, line)
        headings.setdefault(first, chunk.headings)
    if not lines:
        return []
    starts = sorted(first for first, path in headings.items() if path) or [min(lines)]
    starts = sorted({min(lines), *starts})
    ends = [*(start - 1 for start in starts[1:]), max(lines)]
    return [
        TextPiece(
            ordinal,
            "\n".join(lines.get(number, "") for number in range(start, end + 1)),
            start,
            headings=headings.get(start, ()),
        )
        for ordinal, (start, end) in enumerate(zip(starts, ends, strict=True))
    ]


def selected(pieces: Sequence[TextPiece], wanted: Selection) -> list[TextPiece]:
    """The requested pieces; NotFound says what could be requested instead."""
    chosen = _chosen(pieces, wanted)
    if not chosen:
        raise NotFound(_what_there_is(pieces, wanted), hint=_ASK_FOR_LESS if pieces else _HOW_FAR)
    if not wanted.around:
        return chosen
    ordinals = {piece.ordinal for piece in chosen}
    places = [index for index, each in enumerate(pieces) if each.ordinal in ordinals]
    first, last = places[0] - wanted.around, places[-1] + wanted.around
    return list(pieces[max(0, first) : last + 1])


def _chosen(pieces: Sequence[TextPiece], wanted: Selection) -> list[TextPiece]:
    if wanted.section:
        name = wanted.section.strip().casefold()
        exact = [p for p in pieces if any(h.casefold() == name for h in p.headings)]
        return exact or [p for p in pieces if any(name in h.casefold() for h in p.headings)]
    portion = wanted.portion
    if portion is None:
        return list(pieces)
    if portion.page is not None:
        return [piece for piece in pieces if piece.page == portion.page]
    if portion.passage is not None:
        return [piece for piece in pieces if piece.ordinal == portion.passage]
    return list(filter(None, (_lines_of(piece, portion) for piece in pieces)))


def _lines_of(piece: TextPiece, portion: Portion) -> TextPiece | None:
    """The requested lines that are in a piece, or None."""
    begin, end = piece.first_line, piece.last_line
    if begin is None or end is None or portion.first_line is None:
        return None
    first, last = portion.first_line, portion.last_line or portion.first_line
    if last < begin or first > end:
        return None
    lines = piece.text.split("\n")[max(0, first - begin) : last - begin + 1]
    return replace(piece, text="\n".join(lines), first_line=max(first, begin))


def _what_there_is(pieces: Sequence[TextPiece], wanted: Selection) -> str:
    if not pieces:
        return "There is no text in it yet."
    if wanted.section:
        titles = dict.fromkeys(piece.headings[-1] for piece in pieces if piece.headings)
        shown = ", ".join(list(titles)[:_MOST_NAMED])
        return f"It has no such section; it has {shown}." if shown else "It has no sections."
    portion = wanted.portion
    if portion and portion.page is not None:
        pages = [piece.page for piece in pieces if piece.page is not None]
        return f"It has pages {min(pages)} to {max(pages)}." if pages else "It has no pages."
    if portion and portion.passage is not None:
        return f"It has passages c0 to c{pieces[-1].ordinal}."
    ends = [piece.last_line for piece in pieces if piece.last_line is not None]
    return f"It has lines 1 to {max(ends)}." if ends else "It has no lines; ask for passages."


def excerpt(pieces: Sequence[TextPiece], budget: int) -> CutText:
    """The beginning of the pieces within a budget of tokens, cut between lines."""
    shown: list[str] = []
    left = budget
    last: int | None = None
    for number, piece in enumerate(pieces):
        marker = _marker(piece, pieces[number - 1] if number else None)
        lines = piece.text.split("\n")
        marked = left - _tokens(f"{marker}\n" if marker else "")
        fitting = _fitting(lines, marked)
        if shown and fitting < len(lines) and piece.first_line is None:
            fitting = 0  # Without line numbers the rest could not be requested.
        if fitting:
            shown += [marker] if marker else []
            shown.append("\n".join(lines[:fitting]))
            left = marked - _tokens(f"{shown[-1]}\n")
            last = piece.first_line + fitting - 1 if piece.first_line is not None else None
        if fitting < len(lines):
            clipped = not shown or (fitting > 0 and piece.first_line is None)
            if not shown:
                shown.append(_clipped(lines[0], left))
            rest = _rest(piece, fitting or int(clipped), pieces[-1])
            return _made(pieces, shown, last, rest, clipped=clipped)
    return _made(pieces, shown, last, None)


def _made(
    pieces: Sequence[TextPiece],
    shown: Sequence[str],
    last: int | None,
    rest: Portion | None,
    *,
    clipped: bool = False,
) -> CutText:
    first = pieces[0].first_line if pieces else None
    return CutText("\n".join(shown), first, last, rest, clipped)


def _rest(piece: TextPiece, shown: int, final: TextPiece) -> Portion | None:
    """The portion after the lines shown of a piece, if there is any."""
    if piece.first_line is None:
        passage = piece.ordinal + (1 if shown else 0)
        return Portion(passage=passage) if passage <= final.ordinal else None
    first, last = piece.first_line + shown, final.last_line or 0
    return Portion(first, last) if first <= last else None


def _marker(piece: TextPiece, before: TextPiece | None) -> str:
    """The page and headings of a piece, where its own text does not show them."""
    page = f"page {piece.page}" if piece.page and piece.page != (before and before.page) else ""
    headings = piece.headings if piece.headings != (before.headings if before else ()) else ()
    absent = [heading for heading in headings if heading not in piece.text]
    label = ", ".join(filter(None, [page, " > ".join(headings) if absent else ""]))
    return f"[{label}]" if label else ""


def _fitting(lines: Sequence[str], most: int) -> int:
    """The number of lines that fit, from the first, by binary search."""
    fitting, beyond = 0, len(lines) + 1
    while beyond - fitting > 1:
        middle = (fitting + beyond) // 2
        if _tokens("\n".join(lines[:middle])) <= most:
            fitting = middle
        else:
            beyond = middle
    return fitting


def _clipped(line: str, most: int) -> str:
    """Cut a line that is too long after the last whole word that fits, or else within a word."""
    fitting = bisect_right(
        range(1, len(line) + 1), most - _tokens(_CUT), key=lambda end: _tokens(line[:end])
    )
    end = max((found.start() for found in _WORD_END.finditer(line, 0, fitting + 1)), default=0)
    return f"{line[: end or fitting]}{_CUT}"


def _tokens(text: str) -> int:
    return estimate_context_tokens(text) if text else 0
