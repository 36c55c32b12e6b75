"""Scores how similar a text is to known attacks, with a small model over words and concepts.

`tools/safety/train.py` computes the weights from texts that are not part of the repository.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import accumulate
from math import sqrt
from struct import Struct
from typing import NamedTuple
from zlib import crc32

from commonplace.safety.lexicon import LETTERS, lexicon

WINDOW = 48
# Shorter texts are scored as if they had this many words, because they give little evidence.
FEWEST = 16
# A feature is a 24-bit hash: 18 bits are the index of its weight, and the rest checks that the
# weight at that index belongs to it.
_PLACE = 18
BUCKETS = 1 << _PLACE
HASHES = 1 << 24
MODEL = "likeness.bin"
# Text lengths in words from which another threshold applies.
LENGTHS = (12, 24, 48, 100, 200, 400)
HEADER = Struct(f"<{2 + len(LENGTHS)}f")
# Three features for a word as written, four for its concepts, one for the start of a sentence.
FEATURES = 8
STEP = 8
_STEM = 6
_FEW = 3
# The largest distance of words whose concepts are combined.
_NEAR = 12
_TOGETHER = 3
_REMEMBERED = 1 << 14
# `\w` does not include the vowel signs of Indian scripts, which are parts of words.
_WORD = re.compile(f"[{LETTERS}]|(?:[^\\W_]|[\u0900-\u0dff])+")
# A sentence, and thus an instruction, may start after these.
_ENDS = frozenset('.!?:;\n"([{>#|')


@dataclass(frozen=True, slots=True)
class Model:
    """Weights and checks by index, and the thresholds.

    A long text has many windows, one of which may look odd by chance, so its threshold is higher.
    """

    scale: float
    least: tuple[float, ...]
    weights: tuple[int, ...]
    checks: bytes


class _Word(NamedTuple):
    """A word with the hash of its stem, and hash states to continue from.

    `first` is the state for a word that starts a sentence.
    """

    text: str
    hash: int
    first: bytes
    second: bytes
    third: bytes
    concept: str | None


_NO_WORD = _Word("", 0, b"", b"", b"", None)


@cache
def model() -> Model:
    data = files("commonplace.safety").joinpath(MODEL).read_bytes()
    scale, *least = HEADER.unpack_from(data)
    weights, checks = data[HEADER.size : HEADER.size + BUCKETS], data[-BUCKETS:]
    return Model(scale, tuple(least), tuple(memoryview(weights).cast("b")), checks)


def features(folded: str) -> list[tuple[int, ...]]:
    """The features of each word: alone, with each of the two preceding words, and its concepts.

    The first two words of a sentence have an additional feature, as instructions start there.
    """
    known = lexicon()
    phrases = known.phrases
    found: list[tuple[int, ...]] = []
    last, earlier = _NO_WORD, _NO_WORD
    meant: list[tuple[int, str]] = []
    ended, begins = 0, False
    for at, match in enumerate(_WORD.finditer(folded)):
        word = _known(match[0])
        second, begins = begins, not at or not _ENDS.isdisjoint(folded[ended : match.start()])
        ended = match.end()
        if word.text in known.runs:
            concept = known.of_letters(folded, match.start())
        elif word.text in known.endings:
            pair = f"{last.text} {word.text}"
            concept = phrases.get(pair) or phrases.get(f"{earlier.text} {pair}") or word.concept
        else:
            concept = word.concept
        of_word: tuple[int, ...] = (
            word.hash % HASHES,
            crc32(word.second, last.hash) % HASHES,
            crc32(word.third, earlier.hash) % HASHES,
        )
        if begins:
            of_word += (crc32(word.first) % HASHES,)
        elif second:
            of_word += (crc32(word.third, crc32(last.first)) % HASHES,)
        if concept is not None:
            near = [other for place, other in meant[-_TOGETHER:] if at - place <= _NEAR]
            of_word += (meaning(concept), *[together(other, concept) for other in near])
            meant.append((at, concept))
        found.append(of_word)
        last, earlier = word, last
    return found


def suspicious(folded: str) -> bool:
    """Whether the text scores above the threshold; too few words are never enough."""
    if folded.count(" ") < _FEW and folded.isascii():
        return False
    known = model()
    words = features(folded)
    return score(words, known) >= known.least[bisect_left(LENGTHS, len(words))]


def score(words: Sequence[tuple[int, ...]], known: Model) -> float:
    """The score of the window most similar to an attack; unknown features count zero."""
    weights, checks, places = known.weights, known.checks, BUCKETS - 1
    each = [
        sum([weights[at & places] for at in of_word if checks[at & places] == at >> _PLACE])
        for of_word in words
    ]
    if not each:
        return 0.0
    width = min(WINDOW, len(each))
    sums = [0, *accumulate(each)]
    last = len(each) - width
    best: int = max(sums[at + width] - sums[at] for at in {*range(0, last, STEP), last})
    return known.scale * best / sqrt(max(width, FEWEST))


@lru_cache(_REMEMBERED)
def _known(word: str) -> _Word:
    stem = word[:_STEM].encode()
    concept = lexicon().of_word(word)
    return _Word(word, crc32(stem), b"^" + stem, b" " + stem, b"  " + stem, concept)


@cache
def meaning(concept: str) -> int:
    """The feature of a concept."""
    return _hash(f"\0{concept}")


@cache
def together(one: str, other: str) -> int:
    """The feature of two concepts in either order, because languages order words differently."""
    return _hash(f"\0{min(one, other)}\0{max(one, other)}")


def _hash(feature: str) -> int:
    return crc32(feature.encode()) % HASHES
