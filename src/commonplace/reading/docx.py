"""Reads DOCX by converting it to HTML: headings, lists, tables and preformatted text.

Maps styles to elements; checks the archive before unpacking it.
"""

from __future__ import annotations

import io
import zipfile
import zlib

import mammoth

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.model.extract import Extract
from commonplace.reading.html import read_html

_BODY = "word/document.xml"
_STYLES = """
p[style-name='Title'] => h1:fresh
p[style-name='Subtitle'] => p:fresh
p[style-name='Preformatted Text'] => pre:separator('\\n')
p[style-name='HTML Preformatted'] => pre:separator('\\n')
p[style-name='Source Code'] => pre:separator('\\n')
p[style-name='Code'] => pre:separator('\\n')
"""
_MOST_FILES = 10_000


def is_docx(data: bytes) -> bool:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _BODY in archive.namelist()
    except (zipfile.BadZipFile, ValueError, OSError):
        return False


def read_docx(data: bytes, most_unpacked: int) -> Extract:
    _refuse_bombs(data, most_unpacked)
    try:
        result = mammoth.convert_to_html(
            io.BytesIO(data), style_map=_STYLES, convert_image=lambda _image: []
        )
    # The library lets all kinds of exceptions through: its own, and those of ZIP and XML parsing.
    except Exception as error:
        raise SourceUnreadable("The DOCX file is damaged.") from error
    return read_html(result.value, whole=True)


def _refuse_bombs(data: bytes, most_unpacked: int) -> None:
    """Unpack every part once, up to the limit, because the sizes in the directory may lie."""
    left = most_unpacked
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            parts = archive.infolist()
            if len(parts) > _MOST_FILES:
                raise SourceTooLarge(f"The DOCX file has more than {_MOST_FILES:,} parts.")
            if any(part.flag_bits & 1 for part in parts):
                raise SourceUnreadable("The DOCX file is encrypted.")
            for part in parts:
                left -= _unpacked(archive, part, left)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError):
        raise SourceUnreadable("The DOCX file is damaged.") from None


def _unpacked(archive: zipfile.ZipFile, part: zipfile.ZipInfo, most: int) -> int:
    size = 0
    with archive.open(part) as stream:
        while piece := stream.read(1 << 20):
            size += len(piece)
            if size > most:
                raise SourceTooLarge("The DOCX file unpacks to more than is allowed.")
    return size
