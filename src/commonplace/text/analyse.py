"""Turns text into the tokens that both stores index: terms, exact words, character trigrams.

Tokens consist of ASCII digits, lower-case ASCII letters and non-ASCII characters only. A store that
splits at ASCII punctuation and folds ASCII case therefore keeps them whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

from commonplace.text.characters import character_classes
from commonplace.text.normalise import compatible, fold_case
from commonplace.text.terms import CONNECTOR, LONGEST_TERM, terms_of

_ASCII = "[0-9A-Za-z]+"
_VERSION = r"[vV]?[0-9]+(?:\.[0-9]+)+"

# Unicode assigns no meaning to these code points, so they cannot clash with text.
_PRIVATE_USE = 0xE000
_PRIVATE_USE_SIZE = 0x1900


def _compound(word: str, connector: str) -> str:
    """A version, or words joined by connectors; a version after a connector is a separate
    compound."""
    return rf"{_VERSION}|{word}(?:{connector}(?![vV]?[0-9]+\.[0-9]){word})*(?:\+\+|#)?"


_ASCII_COMPOUNDS = re.compile(_compound(_ASCII, "(?:__?|[-'])"))
_ASCII_WORDS = re.compile(_ASCII)


class _Patterns(NamedTuple):
    pieces: re.Pattern[str]
    words: re.Pattern[str]
    unspaced: re.Pattern[str]
    clusters: re.Pattern[str]
    emoji: re.Pattern[str]


@cache
def _patterns() -> _Patterns:
    classes = character_classes()
    word, unspaced = f"[{classes.word}]+", f"[{classes.unspaced}]+"
    emoji = f"[\U0001f1e6-\U0001f1ff]{{2}}|[{classes.emoji}]"
    return _Patterns(
        pieces=re.compile(f"{_compound(word, CONNECTOR)}|{unspaced}|{emoji}"),
        words=re.compile(f"{word}|{unspaced}|{emoji}"),
        unspaced=re.compile(unspaced),
        clusters=re.compile(f".[{classes.mark}]*", re.DOTALL),
        emoji=re.compile(emoji),
    )


def analyse(text: str) -> list[str]:
    """The terms of a text, in order, for the index."""
    if text.isascii():
        return list(chain.from_iterable(map(terms_of, _ASCII_COMPOUNDS.findall(text))))
    patterns = _patterns()
    terms: list[str] = []
    for piece in patterns.pieces.findall(compatible(text)):
        if piece.isascii():
            terms += terms_of(piece)
        elif patterns.unspaced.match(piece):
            terms += _bigrams(_clusters(piece))
        elif patterns.emoji.match(piece):
            terms.append(piece)
        else:
            terms += terms_of(piece)
    return terms


def query_terms(text: str) -> list[str]:
    """The distinct terms of a query, in order. Empty if it only has stop words, which are not
    indexed."""
    return list(dict.fromkeys(analyse(text)))


def exact_words(text: str) -> list[str]:
    """The whole words of a text, not stemmed, in order: a text that contains a query has all of its
    words. Text without spaces yields its characters and pairs of them."""
    if text.isascii():
        return [word[:LONGEST_TERM] for word in _ASCII_WORDS.findall(text.lower())]
    patterns = _patterns()
    words: list[str] = []
    for word in patterns.words.findall(fold_case(compatible(text))):
        if word.isascii():
            words.append(word[:LONGEST_TERM])
        elif patterns.unspaced.match(word):
            clusters = _clusters(word)
            words += chain(clusters, _bigrams(clusters) if len(clusters) > 1 else ())
        elif any(map(str.isalnum, word)) or patterns.emoji.match(word):
            words.append(word[:LONGEST_TERM])
    return words


def trigrams(text: str) -> list[str]:
    """The distinct runs of three characters, ignoring case, for finding parts of words.

    A text has all trigrams of any part of it; parts of fewer than three characters have none.
    """
    safe = _as_letters(text.casefold())
    return list(dict.fromkeys(safe[start : start + 3] for start in range(len(safe) - 2)))


def title_grams(text: str) -> list[str]:
    """The trigrams of a title, plus its last two characters and its last one.

    So a part of one or two characters is a prefix of some gram of every title that contains it.
    """
    safe = _as_letters(text.casefold())
    return list(dict.fromkeys([*trigrams(text), safe[-2:], safe[-1:]])) if safe else []


def gram_prefix(text: str) -> str:
    """The prefix that a gram of every title containing this short text has."""
    return _as_letters(text.casefold())


def _as_letters(text: str) -> str:
    """Replace everything that a tokenizer could treat as a separator by a private-use character."""
    return "".join(
        char if char.isalnum() else chr(_PRIVATE_USE + ord(char) % _PRIVATE_USE_SIZE)
        for char in text
    )


def _clusters(run: str) -> list[str]:
    """Split into characters, each with its vowel signs and tone marks."""
    return _patterns().clusters.findall(run)


def _bigrams(clusters: list[str]) -> Iterator[str]:
    if len(clusters) == 1:
        yield clusters[0]
    for first, second in pairwise(clusters):
        yield first + second
