"""Recognise known text: text that the server returned itself, and near-duplicates.

Compares words in a row, so that layout, quoting, escaping and decoration do not matter. Knows
nothing of meaning: the same thing in other words is new.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b

from commonplace.text.characters import character_classes
from commonplace.text.normalise import compatible, fold

# Words in a row. Over 4,000 paragraphs of documentation the closest other one shares a median of
# 10 % of such rows; one word changed leaves 93 % of them, two leave 86 %.
SHINGLE_WORDS = 3
# Above what one changed word takes from all but the shortest texts.
DUPLICATE_CONTAINMENT = 0.8
# An echo comes with words around it ("as noted before: ..."), but most of it is what was returned;
# short texts share up to .6 by phrases such as "finally got it working: the solution was to".
ECHO_CONTAINMENT = 0.75

# Words whose coming or going turns a statement around, however alike the rest is.
_TURNING = frozenset(
    {"not", "no", "never", "always", "none", "nor", "neither", "cannot", "without", "t"}
)
_LIST_NUMBER = re.compile(r"^[ \t>*+#-]{0,20}\d{1,3}[.)][ \t]", re.MULTILINE)
# What cites a known text says nothing of its own: "As I found in memory: ...".
_CITING = re.compile(
    r"\s{0,9}(?:as|according|from|per)\b[^.:;!?\n\d]{0,60}?"
    r"\b(?:memory|notes?|noted|recorded|remember|recall|stored)(?:[ ](?:above|before|earlier))?:\s",
    re.IGNORECASE,
)
_PLAIN_WORD = re.compile(r"[a-z0-9]+")
_ESCAPED_LAYOUT = re.compile(r"(?<!\\)\\++[nrt]")
_ESCAPE = re.compile(r"(?<!\\)\\++u")
_ESCAPED_CHARACTERS = re.compile(r"(?:(?<!\\)\\++u[0-9a-fA-F]{4})++")


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The compared features of a text; `facts` are its numbers and negations."""

    shingles: frozenset[int]
    facts: frozenset[int]


def fingerprint(text: str) -> Fingerprint:
    words = _words(text)
    return Fingerprint(
        shingles=frozenset(_shingled(words)),
        facts=frozenset(_hashed(word) for word in words if _is_fact(word)),
    )


def shingles(text: str) -> frozenset[int]:
    """A hash of each word sequence, the same in every process; a shorter text is one sequence."""
    return frozenset(_shingled(_words(text)))


def containment(candidate: frozenset[int], known: frozenset[int]) -> float:
    """The share of the candidate's shingles that are known, 0 to 1; 0 if it has none."""
    return len(candidate & known) / len(candidate) if candidate else 0.0


def same_text(text: str) -> str:
    """A hash that is equal for texts with the same words in the same order."""
    return blake2b(" ".join(_words(text)).encode(), digest_size=16).hexdigest()


def is_duplicate(candidate: Fingerprint, known: Fingerprint) -> bool:
    """Whether the candidate adds nothing to this one known text.

    A known text inside a longer candidate is no reason: the rest of it may be new. A new number or
    negation makes a correction of a duplicate.
    """
    alike = containment(candidate.shingles, known.shingles) >= DUPLICATE_CONTAINMENT
    return alike and candidate.facts <= known.facts


def combined(fingerprints: Iterable[Fingerprint]) -> Fingerprint:
    """The union of several fingerprints."""
    several = tuple(fingerprints)
    return Fingerprint(
        shingles=frozenset[int]().union(*(one.shingles for one in several)),
        facts=frozenset[int]().union(*(one.facts for one in several)),
    )


def is_echo(candidate: Fingerprint, returned: Fingerprint) -> bool:
    """Whether the candidate consists mostly of text that the server returned."""
    mostly = containment(candidate.shingles, returned.shingles) >= ECHO_CONTAINMENT
    return mostly and candidate.facts <= returned.facts


def _shingled(words: list[str]) -> Iterator[int]:
    if words:
        for start in range(max(1, len(words) - SHINGLE_WORDS + 1)):
            yield _hashed(" ".join(words[start : start + SHINGLE_WORDS]))


def _hashed(text: str) -> int:
    """A signed 64-bit hash, as both stores have such integers."""
    digest = blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def _is_fact(word: str) -> bool:
    return word in _TURNING or any(map(str.isdecimal, word))


def _words(text: str) -> list[str]:
    """Letters and digits only, folded; scripts without spaces count character by character."""
    plain = _ESCAPED_LAYOUT.sub(" ", _ESCAPED_CHARACTERS.sub(_unescaped, html.unescape(text)))
    citing = _CITING.match(plain)
    own = plain[citing.end() :] if citing else plain
    folded = fold(compatible(_LIST_NUMBER.sub("", own)))
    return (_PLAIN_WORD if folded.isascii() else _any_word()).findall(folded)


def _unescaped(run: re.Match[str]) -> str:
    """The characters that JSON escapes stand for: é for `\\u00e9`, one for a pair of surrogates."""
    units = bytes.fromhex(_ESCAPE.sub("", run[0]))
    return units.decode("utf-16-be", errors="replace")


@cache
def _any_word() -> re.Pattern[str]:
    unspaced = character_classes().unspaced
    return re.compile(rf"[{unspaced}]|[^\W_{unspaced}]+")
