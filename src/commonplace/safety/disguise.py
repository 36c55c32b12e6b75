"""Deobfuscation: other readings of a text, such as decoded, reversed, or with letters restored.

Each is only tried if the text has signs of it, so ordinary text costs almost nothing.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
from collections.abc import Callable, Iterator
from urllib.parse import unquote

_MOST_ENCODED = 200
_READABLE = 0.9
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{24,20000}={0,2}")
_HEX = re.compile(r"(?<![0-9A-Fa-f])(?:(?:0x|\\x)?[0-9A-Fa-f]{2}[ ,]?){12,4000}(?![0-9A-Fa-f])")
_HEX_PAIR = re.compile(r"(?:0x|\\x)?([0-9A-Fa-f]{2})")
_ESCAPED = re.compile(r"(?:\\u[0-9A-Fa-f]{4}){4,4000}")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_|*]{1,3}){5,2000}[^\W_](?![^\W_])")
_GAP = re.compile(r"[ .\-_|*]{2,3}")
_TAGS = re.compile("[\U000e0020-\U000e007e]{4,}")
_IN_A_WORD = re.compile(r"[a-z][013457@$!|][a-z]|\b[013457@$!|][a-z]{1,3}[013457@$!|]")
_LEET = str.maketrans("013457@$!|", "oieastasil")
# Words that attacks use: a reading that reveals one of them is worth examining.
_TELLING = (
    *("ignore", "disregard", "forget", "instruct", "prompt", "system", "secret", "password"),
    *("override", "reveal", "execute", "admin", "bypass", "restrict", "credential", "jailbreak"),
)
_TURNED = tuple(word[::-1] for word in _TELLING)
_ROTATED = tuple(codecs.encode(word, "rot13") for word in _TELLING)


def readings(text: str, folded: str) -> Iterator[tuple[str, str]]:
    """Other readings of a text, each with the method that produced it."""
    for how, read in _WAYS:
        for reading in read(text):
            yield how, reading
    for how, telling, turn in (
        ("letters rotated", _ROTATED, lambda s: codecs.encode(s, "rot13")),
        ("letters in reverse", _TURNED, lambda s: s[::-1]),
    ):
        if any(word in folded for word in telling):
            yield how, turn(folded)
    if _IN_A_WORD.search(folded) and _reveals_more(mended := folded.translate(_LEET), folded):
        yield "digits for letters", mended


def _reveals_more(reading: str, text: str) -> bool:
    return any(word in reading and word not in text for word in _TELLING)


def _base64(text: str) -> Iterator[str]:
    for count, found in enumerate(_BASE64.finditer(text)):
        if count >= _MOST_ENCODED:
            return
        letters = found[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            data = base64.b64decode(letters + "=" * (-len(letters) % 4), validate=True)
        except binascii.Error:
            continue
        yield from _readable(data)


def _hex(text: str) -> Iterator[str]:
    for count, found in enumerate(_HEX.finditer(text)):
        if count >= _MOST_ENCODED:
            return
        yield from _readable(bytes.fromhex("".join(_HEX_PAIR.findall(found[0]))))


def _readable(data: bytes) -> Iterator[str]:
    try:
        decoded = data.decode("utf-8")
    except UnicodeDecodeError:
        return
    if sum(map(str.isprintable, decoded)) > _READABLE * len(decoded):
        yield decoded


def _entities(text: str) -> Iterator[str]:
    if text.count("&#") >= 4:
        yield html.unescape(text)


def _percent(text: str) -> Iterator[str]:
    if text.count("%2") + text.count("%6") + text.count("%7") >= 8:
        yield unquote(text, errors="ignore")


def _escapes(text: str) -> Iterator[str]:
    if "\\u" not in text:
        return
    for found in _ESCAPED.finditer(text):
        yield "".join(chr(int(code, 16)) for code in found[0].split("\\u")[1:])


def _spaced(text: str) -> Iterator[str]:
    """Join letters that are spaced out; wider gaps separate words."""
    for found in _SPACED.finditer(text):
        words = _GAP.split(found[0]) if _GAP.search(found[0]) else [found[0]]
        yield " ".join("".join(filter(str.isalnum, word)) for word in words)


def _tags(text: str) -> Iterator[str]:
    if text.isascii():
        return
    for found in _TAGS.finditer(text):
        yield "".join(chr(ord(letter) - 0xE0000) for letter in found[0])


_WAYS: tuple[tuple[str, Callable[[str], Iterator[str]]], ...] = (
    ("encoded text", _base64),
    ("hexadecimal digits", _hex),
    ("character references", _entities),
    ("percent signs", _percent),
    ("escapes", _escapes),
    ("single letters", _spaced),
    ("invisible letters", _tags),
)
