"""Which characters form words, n-grams, emoji and marks, as `re` classes derived from Unicode.

Built once, for the first text that is not plain ASCII (takes tens of milliseconds).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

Ranges = tuple[tuple[int, int], ...]

# Scripts without spaces between words, and Hangul, whose words have particles attached.
_UNSPACED: Ranges = (
    (0x0E01, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x2E80, 0x2FDF),  # Han radicals
    (0x3005, 0x3007),  # Han iteration and closing marks, zero
    (0x3021, 0x318F),  # Kana, Bopomofo, Hangul letters
    (0x31A0, 0x31FF),  # Bopomofo and Kana extensions
    (0x3400, 0x4DBF),  # Han
    (0x4E00, 0x9FFF),  # Han
    (0xA960, 0xA97F),  # Hangul letters
    (0xAC00, 0xD7FF),  # Hangul syllables
    (0xF900, 0xFAFF),  # Han compatibility forms
)
_EMOJI: Ranges = (
    (0x2300, 0x23FF),
    (0x2600, 0x27BF),
    (0x2B00, 0x2BFF),
    (0x1F000, 0x1F0FF),
    (0x1F300, 0x1F3FA),
    (0x1F400, 0x1FAFF),
)
# Joiners, direction marks, soft hyphens, variation selectors, keycaps, skin tones, tags.
_INVISIBLE: Ranges = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x20E3, 0x20E3),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0x1F3FB, 0x1F3FF),
    (0xE0000, 0xE0FFF),
)
# Above the first 65,536 characters, whole blocks are included without checking each character: `re`
# tests those ranges one by one, and a few hundred of them made word searches six times slower.
_FIRST_PLANE = range(0x80, 0x10000)
_FURTHER_WORDS = "\U00010000-\U0001afef\U0001b170-\U0001cfff\U0001d400-\U0001efff"
_FURTHER_UNSPACED = "\U0001aff0-\U0001b16f\U00020000-\U000323af"


@dataclass(frozen=True, slots=True)
class CharacterClasses:
    """Contents of `re` character classes, to be written between square brackets."""

    word: str
    """Letters, marks and numbers of scripts that put spaces between words."""
    unspaced: str
    mark: str
    emoji: str
    invisible: str
    symbol_number: str
    """Symbols that normalise to letters or digits (`²`, `™`, `①`) and must not stick to words."""


@cache
def character_classes() -> CharacterClasses:
    unspaced = {code for low, high in _UNSPACED for code in range(low, high + 1)}
    wordy = [code for code in _FIRST_PLANE if unicodedata.category(chr(code))[0] in "LMN"]
    return CharacterClasses(
        word="0-9A-Za-z"
        + _as_class(code for code in wordy if code not in unspaced)
        + _FURTHER_WORDS,
        unspaced=_as_class(code for code in wordy if code in unspaced) + _FURTHER_UNSPACED,
        mark=_as_class(_where(wordy, lambda char: unicodedata.category(char)[0] == "M")),
        emoji=_ranges_as_class(_EMOJI),
        invisible=_ranges_as_class(_INVISIBLE),
        symbol_number=_as_class(_where(_FIRST_PLANE, _is_symbol_number)),
    )


def _where(codes: Iterable[int], holds: Callable[[str], bool]) -> Iterable[int]:
    return (code for code in codes if holds(chr(code)))


def _is_symbol_number(char: str) -> bool:
    return unicodedata.category(char) in {"No", "So"} and bool(unicodedata.decomposition(char))


def _as_class(codes: Iterable[int]) -> str:
    ranges: list[tuple[int, int]] = []
    for code in codes:
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1] = (ranges[-1][0], code)
        else:
            ranges.append((code, code))
    return _ranges_as_class(ranges)


def _ranges_as_class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)
