"""Decodes bytes: by byte order mark, by declaration, or by exclusion.

If several encodings remain possible, charset-normalizer guesses.
"""

from __future__ import annotations

import codecs
import re

from commonplace.errors import SourceUnreadable

_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_DECLARED = re.compile(
    rb"""<meta[^>]{0,200}charset\s*+=\s*+["']?+\s*+([\w-]{2,40})""", re.IGNORECASE
)
_DECLARED_WITHIN = 4096
_SAMPLE = 64 * 1024
# Western text is mostly ASCII; a larger share of other bytes means another script.
_WESTERN_SHARE = 0.4
_OTHER_SCRIPTS = [
    "gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1251", "koi8_r", "cp1253", "cp1255",
    "cp1256", "cp874",
]  # fmt: skip
_CONTROLS = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f]")
_MOST_CONTROLS = 0.01


def decoded(data: bytes, declared: str = "") -> str:
    """The text; SourceUnreadable if the bytes are not text."""
    text = _decoded(data, declared)
    if len(_CONTROLS.findall(text[:_SAMPLE])) > _MOST_CONTROLS * len(text[:_SAMPLE]):
        raise SourceUnreadable("The file is not text.")
    return text


def declared_charset(data: bytes, media_type: str = "") -> str:
    """The encoding that an HTTP header or the head of an HTML page declares."""
    if "charset=" in media_type.lower():
        return media_type.lower().rpartition("charset=")[2].split(";")[0].strip(" \"'")
    found = _DECLARED.search(data, 0, _DECLARED_WITHIN)
    return found[1].decode("ascii") if found else ""


def _decoded(data: bytes, declared: str) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    for encoding in filter(None, (_wide(data), "utf-8", declared)):
        try:
            return data.decode(_web_name(encoding))
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode(_guessed(data), "replace")


def _web_name(encoding: str) -> str:
    """What an encoding name means on the web: Latin-1 is Windows-1252, GB2312 its superset."""
    names = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"}
    return {**names, "gb2312": "gb18030", "gbk": "gb18030"}.get(encoding.lower(), encoding)


def _wide(data: bytes) -> str:
    """UTF-16 without a byte order mark, in which every other byte of ordinary text is zero."""
    sample = data[:_SAMPLE]
    pairs = len(sample) // 2
    if pairs and len(data) % 2 == 0:
        for offset, encoding in ((1, "utf-16-le"), (0, "utf-16-be")):
            if sample[offset::2].count(0) > 0.4 * pairs:
                return encoding
    return ""


def _guessed(data: bytes) -> str:
    sample = data[:_SAMPLE]
    if sum(byte > 127 for byte in sample) < _WESTERN_SHARE * len(sample):
        return "cp1252"
    from charset_normalizer import from_bytes

    best = from_bytes(sample, cp_isolation=_OTHER_SCRIPTS).best()
    return best.encoding if best else "cp1252"
