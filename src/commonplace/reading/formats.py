"""Determines the format of bytes: by their first bytes, then by their name."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath
from urllib.parse import urlsplit

from commonplace.errors import SourceUnreadable
from commonplace.reading.port import Original


class Format(StrEnum):
    PDF = "pdf"
    DOCX = "docx"
    HTML = "html"
    MARKDOWN = "markdown"
    PLAIN = "plain"


_MEDIA_TYPES = {
    "application/pdf": Format.PDF,
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": Format.DOCX,
    "text/html": Format.HTML,
    "application/xhtml+xml": Format.HTML,
    "text/markdown": Format.MARKDOWN,
    "text/x-markdown": Format.MARKDOWN,
}
_SUFFIXES = {
    ".pdf": Format.PDF,
    ".docx": Format.DOCX,
    ".htm": Format.HTML,
    ".html": Format.HTML,
    ".xhtml": Format.HTML,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".mdx": Format.MARKDOWN,
    ".txt": Format.PLAIN,
    ".text": Format.PLAIN,
}
_BEGINNINGS = (
    (b"PK\x03\x04", "an archive"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"GIF8", "an image"),
    (b"\x7fELF", "a program"),
    (b"MZ", "a program"),
    (b"\x1f\x8b", "an archive"),
    (b"\xd0\xcf\x11\xe0", "an old or encrypted Office file"),
    (b"{\\rtf", "an RTF file"),
)
_PDF_WITHIN = 1024
READABLE = "PDF, DOCX, HTML, Markdown and plain text can be read."


def format_of(original: Original) -> Format:
    """The format; SourceUnreadable names the format if it is a known unsupported one."""
    data = original.data
    named = _named(original)
    if not data.strip():
        raise SourceUnreadable("The file is empty.")
    if b"%PDF-" in data[:_PDF_WITHIN]:
        return Format.PDF
    if named is Format.DOCX and data.startswith(b"PK\x03\x04"):
        return Format.DOCX
    for beginning, what in _BEGINNINGS:
        if data.startswith(beginning) and (named is not Format.PLAIN or beginning != b"MZ"):
            return _archive(original) if beginning == b"PK\x03\x04" else _refused(what)
    if named in (Format.PDF, Format.DOCX):
        raise SourceUnreadable(f"The {named.value.upper()} file is damaged.")
    if named is None and data[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return Format.HTML
    return named or Format.PLAIN


def _named(original: Original) -> Format | None:
    media_type = original.media_type.split(";")[0].strip().lower()
    path = urlsplit(original.name).path if "://" in original.name else original.name
    suffix = PurePosixPath(path.replace("\\", "/")).suffix.lower()
    return _MEDIA_TYPES.get(media_type) or _SUFFIXES.get(suffix)


def _archive(original: Original) -> Format:
    from commonplace.reading.docx import is_docx

    return Format.DOCX if is_docx(original.data) else _refused("an archive")


def _refused(what: str) -> Format:
    raise SourceUnreadable(f"The file is {what}. {READABLE}")
