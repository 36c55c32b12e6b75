"""Extracts text and structure from one file of any format. Runs in a process that may be killed."""

from __future__ import annotations

from dataclasses import dataclass

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.model.extract import Extract
from commonplace.reading.charset import declared_charset, decoded
from commonplace.reading.formats import Format, format_of
from commonplace.reading.port import Original


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Limits for reading one file."""

    chars: int = 10_000_000
    pages: int = 10_000
    unpacked_bytes: int = 200_000_000
    seconds: float = 60.0
    memory_bytes: int = 1_000_000_000


def extract(original: Original, limits: ReadingLimits) -> Extract:
    """Extract the text; imports only the libraries for this format."""
    found = _extract(original, format_of(original), limits)
    if len(found.text) > limits.chars:
        raise SourceTooLarge(f"The text has more than {limits.chars:,} characters.")
    if not found.blocks:
        raise SourceUnreadable("There is no text in it.")
    return found


def _extract(original: Original, kind: Format, limits: ReadingLimits) -> Extract:
    if kind is Format.PDF:
        from commonplace.reading.pdf import read_pdf

        return read_pdf(original.data, limits.pages, limits.chars)
    if kind is Format.DOCX:
        from commonplace.reading.docx import read_docx

        return read_docx(original.data, limits.unpacked_bytes)
    text = _text(original, kind)
    if kind is Format.HTML:
        from commonplace.reading.html import read_html

        return read_html(text, original.name)
    if kind is Format.MARKDOWN:
        from commonplace.reading.markdown import read_markdown

        return read_markdown(text)
    from commonplace.reading.plain import read_plain

    return read_plain(text)


def _text(original: Original, kind: Format) -> str:
    media_type = original.media_type
    data = original.data if kind is Format.HTML else b""
    return decoded(original.data, declared_charset(data, media_type))
