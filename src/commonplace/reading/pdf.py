"""Reads PDF: the text of each page in reading order; headings are recognised by font size.

Derives lines, paragraphs and headings from the layout; a page without text stays empty.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import pypdfium2
import pypdfium2.raw as pdfium

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.model.extract import BlockKind, Extract
from commonplace.reading.building import ExtractBuilder

_LARGER = 1.12
_LONGEST_HEADING = 200
_FIXED_PITCH = 1
_HEADING_LEVELS = 6
# Relative to the usual line distance: a larger one starts a paragraph.
_PARAGRAPH_GAP = 1.35
# Relative to the font size: the largest line distance of ordinary text.
_WIDEST_LINES = 1.7
# Relative to the text width: a line that ends earlier was not wrapped.
_FULL_LINE = 0.82
_HYPHENS = ("\ufffe", "\x02", "\xad")
# Bullets of symbol fonts, which Unicode does not define.
_SYMBOL_BULLETS = {0xF0B7: "•", 0xF0A7: "▪", 0xF0D8: "‣", 0xF06F: "◦"}
_ITEM = re.compile(r"(?:[•◦▪‣·●○–—*-]|\(?\d{1,3}[.)]|[a-z][.)])\s+\S")


@dataclass(frozen=True, slots=True)
class _Line:
    """One printed line, with its font size and position."""

    text: str
    size: float
    fixed: bool
    left: float
    right: float
    bottom: float


def read_pdf(data: bytes, most_pages: int, most_chars: int) -> Extract:
    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        raise SourceUnreadable(_why(str(error))) from None
    with document:
        if len(document) > most_pages:
            raise SourceTooLarge(
                f"The PDF has {len(document):,} pages; {most_pages:,} may be read."
            )
        pages = list(_pages(document, most_chars))
        title = document.get_metadata_value("Title").strip()
    if not any(pages):
        raise SourceUnreadable("The PDF has no text; scanned pages need text recognition first.")
    return _built(pages, title)


def _why(problem: str) -> str:
    if "assword" in problem or "ecurity" in problem:
        return "The PDF is encrypted."
    return "The PDF is damaged."


def _pages(document: pypdfium2.PdfDocument, most_chars: int) -> Iterator[list[_Line]]:
    left = most_chars
    for number in range(len(document)):
        try:
            page = document[number]
            text_page = page.get_textpage()
        except pypdfium2.PdfiumError:
            yield []
            continue
        left -= text_page.count_chars()
        if left < 0:
            raise SourceTooLarge(f"The PDF has more than {most_chars:,} characters.")
        yield list(_lines(text_page))
        text_page.close()
        page.close()


def _lines(page: pypdfium2.PdfTextPage) -> Iterator[_Line]:
    count = page.count_chars()
    characters = [pdfium.FPDFText_GetUnicode(page, index) for index in range(count)]
    start = 0
    for index, code in enumerate([*characters, 10]):
        if code not in (10, 13):
            continue
        text = _text_of(characters[start:index])
        if text.strip():
            first = start + len(text) - len(text.lstrip())
            yield _line(page, text.strip(), first, index - 1)
        start = index + 1


def _text_of(codes: Sequence[int]) -> str:
    letters = (chr(code) for code in codes if code and not 0xD800 <= code < 0xE000)
    return "".join(letters).translate(_SYMBOL_BULLETS)


def _line(page: pypdfium2.PdfTextPage, text: str, first: int, last: int) -> _Line:
    """Build a line; its font is taken from the middle, as a bullet or initial may have another."""
    middle = (first + last) // 2
    flags = ctypes.c_int()
    pdfium.FPDFText_GetFontInfo(page, middle, None, 0, flags)
    left, bottom, _, _ = page.get_charbox(first, loose=True)
    right = page.get_charbox(last, loose=True)[2]
    return _Line(
        text=text,
        size=_size(page, middle),
        fixed=bool(flags.value & _FIXED_PITCH),
        left=left,
        right=right,
        bottom=bottom,
    )


def _size(page: pypdfium2.PdfTextPage, index: int) -> float:
    """The font size as drawn: many programs write size 1 and scale it."""
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(page, index, matrix)
    return float(round(abs(matrix.d or matrix.b) * pdfium.FPDFText_GetFontSize(page, index), 1))


def _built(pages: Sequence[Sequence[_Line]], title: str) -> Extract:
    levels = _levels([line for page in pages for line in page])
    builder = ExtractBuilder()
    for page in pages:
        builder.begin_page()
        for level, code, group in _groups(page, levels):
            words = _joined(group, keep_lines=code)
            if level:
                words = words.replace("\n", " ")
                builder.add(BlockKind.HEADING, f"{'#' * level} {words}", level, words)
            elif code:
                builder.add(BlockKind.CODE, f"```\n{words}\n```")
            else:
                builder.add(BlockKind.TEXT, words)
    return builder.extract(title)


def _levels(lines: Sequence[_Line]) -> dict[float, int]:
    """Heading levels by font size: sizes above that of most text, largest first."""
    used: Counter[float] = Counter()
    for line in lines:
        used[line.size] += len(line.text)
    if not used:
        return {}
    body = used.most_common(1)[0][0]
    larger = sorted((size for size in used if size > body * _LARGER), reverse=True)
    return {size: min(rank, _HEADING_LEVELS) for rank, size in enumerate(larger, start=1)}


def _groups(
    page: Sequence[_Line], levels: dict[float, int]
) -> Iterator[tuple[int, bool, list[_Line]]]:
    """Headings, code and paragraphs of a page, in order."""

    def key(line: _Line) -> tuple[int, bool]:
        short = len(line.text) <= _LONGEST_HEADING
        return (levels.get(line.size, 0) if short else 0), line.fixed

    for (level, fixed), group in groupby(page, key):
        lines = list(group)
        if level:
            yield level, False, lines
        elif fixed:
            yield 0, True, lines
        else:
            yield from ((0, False, paragraph) for paragraph in _paragraphs(lines, _step(page)))


def _step(page: Sequence[_Line]) -> float:
    """The usual distance between lines."""
    steps = Counter(round(above.bottom - line.bottom) for above, line in pairwise(page))
    return max((step for step, _ in steps.most_common(1)), default=0)


def _paragraphs(lines: Sequence[_Line], step: float) -> Iterator[list[_Line]]:
    paragraph = [lines[0]]
    for above, line in pairwise(lines):
        gap = above.bottom - line.bottom
        if gap < 0 or gap > max(step * _PARAGRAPH_GAP, line.size * _WIDEST_LINES):
            yield paragraph
            paragraph = []
        paragraph.append(line)
    yield paragraph


def _joined(lines: Sequence[_Line], *, keep_lines: bool) -> str:
    """Join wrapped lines; intended line breaks stay."""
    right = max(line.right for line in lines)
    left = min(line.left for line in lines)
    full = left + (right - left) * _FULL_LINE
    words = lines[0].text
    for before, line in pairwise(lines):
        if words.endswith(_HYPHENS) and not keep_lines:
            words = words[:-1] + line.text
        else:
            broken = keep_lines or before.right < full or _ITEM.match(line.text)
            words += ("\n" if broken else " ") + line.text
    return "".join(letter for letter in words if letter not in _HYPHENS)
