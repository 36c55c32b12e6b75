"""The index terms of one compound, such as `parseConfig`, `user's` or `v1.2.3`.

Decides how identifiers are split, which parts are stemmed and which are dropped.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import Stemmer

from commonplace.text.lexicon import lexicon
from commonplace.text.normalise import fold, without_accents

LONGEST_TERM = 64
_LONGEST_REMEMBERED = 80
_MOST_VERSION_LEVELS = 6

# Separates the levels of a version. Not ASCII, so that the stores do not split the term there.
VERSION_POINT = "·"

CONNECTOR = "(?:__?|[-'’‐·])"
_CONNECTED = re.compile(CONNECTOR)
_CONTRACTION = re.compile("(?<=.)['’](?:s|re|ve|ll|d|m)$", re.IGNORECASE)
_NEGATION = re.compile("(?<=n)['’](?=t$)", re.IGNORECASE)
_VERSION = re.compile(r"[vV]?([0-9]+(?:\.[0-9]+)+)")

# Matches the shape of a piece, with one letter per character: Upper, lower, s (itself), digit. The
# first alternative keeps plurals of abbreviations whole: APIs, URLs.
_SHAPED_PART = re.compile("U{2,}s(?![ls])|U+(?=U[ls])|U?[ls]+|U+|d+")

# Russian letters; the words of other languages that use only these get Russian stems, too.
_RUSSIAN = re.compile("[\u0430-\u044f\u0451]+")

_per_thread = threading.local()


def terms_of(compound: str) -> tuple[str, ...]:
    """The terms of a compound: those of its parts in order, then the whole compound."""
    if len(compound) <= _LONGEST_REMEMBERED:
        return _remembered_terms(compound)
    return tuple(_terms(compound))


@lru_cache(maxsize=1 << 14)
def _remembered_terms(compound: str) -> tuple[str, ...]:
    return tuple(_terms(compound))


def _terms(compound: str) -> Iterator[str]:
    if name := lexicon().names.get(compound.lower()):
        yield name
    elif version := _VERSION.fullmatch(compound):
        yield from _version_levels(version[1])
    else:
        yield from _terms_of_pieces(_pieces(compound))


def _version_levels(version: str) -> Iterator[str]:
    levels = version.split(".", _MOST_VERSION_LEVELS)[:_MOST_VERSION_LEVELS]
    for count in range(1, len(levels) + 1):
        yield VERSION_POINT.join(levels[:count])[:LONGEST_TERM]


def _pieces(compound: str) -> list[str]:
    plain = _NEGATION.sub("", _CONTRACTION.sub("", compound.rstrip("+#")))
    return [without_accents(piece) for piece in _CONNECTED.split(plain) if piece]


def _terms_of_pieces(pieces: list[str]) -> Iterator[str]:
    for piece in pieces:
        parts = _parts(piece)
        for part in parts:
            yield from _term(part)
        if len(parts) > 1:
            yield from _term(piece)
    if len(pieces) > 1 and sum(map(len, pieces)) <= LONGEST_TERM:
        yield from _term("".join(pieces))


def _parts(piece: str) -> list[str]:
    if len(piece) > LONGEST_TERM or (piece.isalpha() and piece.islower()):
        return [piece]
    shape = "".join(map(_shape, piece))
    parts = [piece[part.start() : part.end()] for part in _SHAPED_PART.finditer(shape)]
    return parts if _reads_as_words(shape, len(parts)) else [piece]


def _shape(char: str) -> str:
    if char.isdigit():
        return "d"
    if char.isupper():
        return "U"
    return "s" if char == "s" else "l"


def _reads_as_words(shape: str, parts: int) -> bool:
    """Whether the parts are long enough to be words rather than fragments of a hash or of
    base64."""
    if parts > 6:
        return len(shape) >= 3 * parts
    return 2 * len(shape) >= (5 if "d" in shape else 4) * parts


def _term(word: str) -> Iterator[str]:
    folded = fold(word[:LONGEST_TERM])
    if folded in lexicon().stop_words or not any(map(str.isalnum, folded)):
        return
    yield _stem(folded)[:LONGEST_TERM]


def _stem(word: str) -> str:
    """The stem of an English or Russian word, told by its letters; other words stay whole."""
    if word.isascii():
        return _stemmers().english.stemWord(word) if word.isalpha() else word
    return _stemmers().russian.stemWord(word) if _RUSSIAN.fullmatch(word) else word


class _Stemmers(NamedTuple):
    english: Stemmer.Stemmer
    russian: Stemmer.Stemmer


def _stemmers() -> _Stemmers:
    """The stemmers of this thread, because a stemmer is not thread-safe."""
    try:
        stemmers: _Stemmers = _per_thread.stemmers
    except AttributeError:
        made = (Stemmer.Stemmer(language, 0) for language in _Stemmers._fields)
        stemmers = _per_thread.stemmers = _Stemmers(*made)
    return stemmers
