"""Normalises a text for the rules: one form for everything that looks or reads the same."""

from __future__ import annotations

import re
import unicodedata

# Zero-width and direction marks, line separators, invisible operators, annotations and tags.
INVISIBLE = re.compile(
    "[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202f\u2060-\u2064"
    "\u2066-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
# Letters of other alphabets that look like Latin ones, after case folding.
_LOOKALIKES = str.maketrans("аеорсухіѕјԁɡһոαορνιⅼκτυηԛԝкмтв", "aeopcyxisjdghnaopvilktunqwkmtb")
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]")
_SPACES = re.compile(r"[^\S\n]+")


def folded(text: str) -> str:
    """The text in lower case, without invisible characters, with single spaces."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", INVISIBLE.sub("", text))
    plain = text.casefold()
    if not plain.isascii():
        plain = _WORD.sub(_latinised, plain).replace("’", "'").replace("i\u0307", "i")
    return _SPACES.sub(" ", plain.replace("*", ""))


def mixed_words(text: str) -> list[str]:
    """Words that contain lookalike letters of another alphabet."""
    if text.isascii():
        return []
    plain = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).casefold()
    words = (found[0] for found in _WORD.finditer(plain) if _is_mixed(found[0]))
    return [word for word in words if word.translate(_LOOKALIKES).isascii()]


def _latinised(word: re.Match[str]) -> str:
    """Replace lookalikes, except in words entirely of another alphabet."""
    return word[0].translate(_LOOKALIKES) if _is_mixed(word[0]) else word[0]


def _is_mixed(word: str) -> bool:
    return not word.isascii() and _LATIN.search(word) is not None
