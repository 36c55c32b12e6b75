"""Judges a value: chosen as a password, made by a generator, or only holding a secret's place.

What stands around the value is the business of `secrets.py` and `told.py`.
"""

from __future__ import annotations

import math
import re
import string
import tomllib
from collections import Counter
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple


class _Placeholders(NamedTuple):
    words: frozenset[str]
    pattern: re.Pattern[str]
    harmless_suffixes: frozenset[str]


_LEAST_MADE = 12
_MADE_ENTROPY = 2.8
_LEAST_CHOSEN = 5
_LEAST_DIGITS = 6  # shorter numbers after a password's name are more often sizes and limits
_SHORT_PART = 4
_LEAST_MEAN_PIECE = 3.0  # letters in a row of one case; random strings have under two
_MOST_MEAN_PIECE = 2.0
_LEAST_JUMBLED = 16
_SHORT_PIECE = 2
_LEAST_SHORT = 4

_DOTTED = re.compile(r"[A-Za-z_$][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_$][\w$]*)+")
_CALL = re.compile(r"[(\[{]|--\w|[\w$.>:?-]+[(\[]")
_WHOLE_CALL = re.compile(r"[A-Za-z_$][\w$.>:?-]*[(\[].*[)\]][;,]?", re.DOTALL)
_TIME = re.compile(
    r"\d{4}-?\d\d-?\d\d[T_]\d\d:?\d\d(?::?\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
)
_WORD_ROW = re.compile(r"[^\W\d_]{3,20}+(?:[-.][^\W\d_]{3,20}+){3,30}")
_PARTS = re.compile(r"[A-Za-z0-9]+")
_PIECES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_SIGN = re.compile(r"[!@#$%^&*+?~=]")
# Signs that words and code hardly mix; a generated key has them between any letters.
_ODD_SIGN = re.compile(r"[!@#$%^*~]")
_LEAST_ODD = 2
_BRACKETS = {")": "(", "]": "[", "}": "{"}


def is_chosen(value: str) -> bool:
    """Whether a value looks like a password rather than like a word of the sentence."""
    if value.isdecimal():
        return len(value) >= _LEAST_DIGITS
    inner = value.rstrip("!?")
    signed = any(map(str.isdecimal, inner)) or _SIGN.search(inner)
    return (
        bool(signed)
        and any(map(str.isalpha, inner))
        and len(value) >= _LEAST_CHOSEN
        and not _DOTTED.fullmatch(value)
    )


def is_made(value: str) -> bool:
    """Whether a value looks generated: no person writes it, no program names things so."""
    return (
        len(value) >= _LEAST_MADE
        and (any(map(str.isdecimal, value)) or _is_jumbled(value))
        and any(map(str.isalpha, value))
        and "://" not in value
        and not _TIME.fullmatch(value)
        and not _is_made_of_words(value)
        and entropy(value) >= _MADE_ENTROPY
    )


def is_scrambled(value: str) -> bool:
    """Whether letters of both cases, digits and signs stand together as only chance puts them.

    Code has such signs too, but it closes its brackets and its names are longer.
    """
    pieces = _PIECES.findall(value)
    return (
        len(value) >= _LEAST_MADE
        and not value.isalnum()
        and any(map(str.islower, value))
        and any(map(str.isupper, value))
        and sum(map(len, pieces)) <= _MOST_MEAN_PIECE * len(pieces)
        and not _closes_brackets(value)
        and entropy(value) >= _MADE_ENTROPY
    )


def is_word_row(value: str) -> bool:
    """Whether it is four words or more, joined as in many passphrases."""
    return bool(_WORD_ROW.fullmatch(value))


def is_call(value: str) -> bool:
    """Whether a value begins as a call, a list or the next option does."""
    return bool(_CALL.match(value))


def is_whole_call(value: str) -> bool:
    """Whether it is a call to its last bracket: `get_token()`, `request.form["password"]`."""
    return bool(_WHOLE_CALL.fullmatch(value))


def is_attribute(value: str) -> bool:
    """Whether it names an attribute: `settings.password`, `this->secret`."""
    return bool(_DOTTED.fullmatch(value))


def is_noise(value: str) -> bool:
    """Whether it mixes signs as only a generator does."""
    return len(set(_ODD_SIGN.findall(value))) >= _LEAST_ODD


def stands_for(value: str) -> bool:
    """Whether a value only holds the place of a secret."""
    known = _placeholders()
    return value.lower() in known.words or bool(known.pattern.search(value))


def is_harmless(suffix: str) -> bool:
    """Whether a name such as `password_hash` or `tokens` holds something about a secret only."""
    pieces = _PIECES.findall(suffix)
    return bool(pieces) and pieces[-1].lower() in _placeholders().harmless_suffixes


def entropy(value: str) -> float:
    """Shannon's entropy of a text, in bits per character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values())


@cache
def secret_data() -> dict[str, Any]:
    """The content of `secrets.toml`."""
    source = files("commonplace.capture").joinpath("rules/secrets.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))


def _is_jumbled(value: str) -> bool:
    """Whether the case of its letters changes as it does in no name: `VNgdkVUfyisONATX`."""
    pieces = _PIECES.findall(value)
    short = sum(len(piece) <= _SHORT_PIECE for piece in pieces)
    return len(value) >= _LEAST_JUMBLED and short >= _LEAST_SHORT


def _closes_brackets(value: str) -> bool:
    """Whether there are brackets, each closed in its turn."""
    opened: list[str] = []
    found = False
    for char in value:
        if char in _BRACKETS.values():
            opened.append(char)
            found = True
        elif char in _BRACKETS and (not opened or opened.pop() != _BRACKETS[char]):
            return False
    return found and not opened


def _is_made_of_words(value: str) -> bool:
    """Whether every part can be read: `db-credentials-v2`, `arn:aws:iam::1234:role/reader`."""
    return all(map(_is_readable, _PARTS.findall(value))) and not is_noise(value)


def _is_readable(part: str) -> bool:
    """A number, something short, or words of one case with at most one number among them."""
    if part.isdecimal() or len(part) <= _SHORT_PART:
        return True
    pieces = _PIECES.findall(part.rstrip(string.digits))
    words = list(filter(str.isalpha, pieces))
    numbers = len(pieces) - len(words)
    least_mean = _LEAST_MEAN_PIECE + numbers
    return numbers <= 1 and sum(map(len, words)) >= least_mean * len(words)


@cache
def _placeholders() -> _Placeholders:
    data = secret_data()
    return _Placeholders(
        words=frozenset(data["placeholders"]["words"]),
        pattern=re.compile(
            "|".join(f"(?:{one})" for one in data["placeholders"]["patterns"]), re.IGNORECASE
        ),
        harmless_suffixes=frozenset(data["names"]["harmless_suffixes"]),
    )
