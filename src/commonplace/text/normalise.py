"""Normal forms for texts that differ only in encoding, case or accents.

`nfc` preserves what a reader sees; `compatible` and `fold` lose detail on purpose, for the index.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from commonplace.text.characters import character_classes
from commonplace.text.lexicon import lexicon

_MOST_MARKS = 8

# Letters whose accents are removed: Latin and Greek, after canonical decomposition.
_ACCENTED = re.compile(r"([A-Za-z\u00c0-\u02af\u0370-\u03ff])[\u0300-\u036f]+")
# Vowel points of Arabic and Hebrew, and the Arabic stretching stroke: writing them is optional.
_OPTIONAL_POINTS = re.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc]"
)


class _Patterns(NamedTuple):
    invisible: re.Pattern[str]
    symbol_number: re.Pattern[str]
    many_marks: re.Pattern[str]
    perhaps_marks: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    classes = character_classes()
    return _Patterns(
        invisible=re.compile(f"[{classes.invisible}]+"),
        symbol_number=re.compile(f"[{classes.symbol_number}]"),
        many_marks=re.compile(f"[{classes.mark}]{{{_MOST_MARKS + 1},}}"),
        perhaps_marks=re.compile(f"[{classes.mark}\U00010000-\U0001efff]{{{_MOST_MARKS + 1},}}"),
    )


def nfc(text: str) -> str:
    """Unicode normal form C, in linear time even for long runs of combining marks."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _with_sorted_marks(text))


def compatible(text: str) -> str:
    """Compatibility forms unified, invisible characters removed, long runs of marks cut off."""
    if text.isascii():
        return text
    patterns = _patterns()
    text = patterns.invisible.sub("", text)
    text = patterns.many_marks.sub(lambda run: run[0][:_MOST_MARKS], text)
    text = patterns.symbol_number.sub(r" \g<0> ", text)
    return unicodedata.normalize("NFKC", _with_sorted_marks(text))


def without_accents(word: str) -> str:
    """The word with the accents of Latin and Greek letters and optional vowel points removed."""
    if word.isascii():
        return word
    decomposed = unicodedata.normalize("NFD", word)
    bare = _OPTIONAL_POINTS.sub("", _ACCENTED.sub(r"\1", decomposed))
    return unicodedata.normalize("NFC", bare)


def fold_case(word: str) -> str:
    """The word with differences of case removed."""
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", word.casefold())


def fold(word: str) -> str:
    """The form in which words are compared in search: no case, no accents, plain Latin letters."""
    folded = fold_case(without_accents(word))
    return folded if folded.isascii() else folded.translate(lexicon().letters)


def _with_sorted_marks(text: str) -> str:
    """An equivalent text whose marks are sorted: Python's normalisation needs quadratic time for
    unsorted runs of marks, linear time for sorted ones."""
    return _patterns().perhaps_marks.sub(_in_canonical_order, text)


def _in_canonical_order(run: re.Match[str]) -> str:
    ordered: list[str] = []
    waiting: list[str] = []
    for mark in run[0]:
        if unicodedata.combining(mark):
            waiting.append(mark)
        else:
            ordered += sorted(waiting, key=unicodedata.combining)
            ordered.append(mark)
            waiting.clear()
    return "".join(ordered + sorted(waiting, key=unicodedata.combining))
