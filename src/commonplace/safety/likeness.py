"""How much a text reads like attacks that are known: a small model over words and pairs of words.

`tools/safety/train.py` makes the weights, from texts that are no part of this repository.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import accumulate
from math import sqrt
from struct import Struct
from zlib import crc32

WINDOW = 48
# A few words weigh as if they were so many: little text is little evidence.
FEWEST = 16
BUCKETS = 1 << 16
FEATURES = 3
HEADER = Struct("<3f")
MODEL = "likeness.bin"
_STEP = 8
_STEM = 6
_FEW = 3
# Scripts without spaces are read letter by letter.
_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Model:
    """A weight for each bucket of features, and from which score on a text is suspicious.

    A long text has many windows, of which one may look odd by chance, and so it takes more.
    """

    scale: float
    suspicious_at: float
    suspicious_if_long: float
    weights: tuple[int, ...]


@cache
def model() -> Model:
    data = files("commonplace.safety").joinpath(MODEL).read_bytes()
    scale, short, long = HEADER.unpack_from(data)
    return Model(scale, short, long, tuple(memoryview(data)[HEADER.size :].cast("b")))


def buckets(folded: str) -> list[tuple[int, int, int]]:
    """Three features a word: itself, with the word before it, with the one before that."""
    found = []
    last = earlier = ""
    for word in _WORD.findall(folded):
        stem = word[:_STEM]
        pair, skipped = f"{last} {stem}", f"{earlier}  {stem}"
        found.append((_bucket(stem), _bucket(pair), _bucket(skipped)))
        last, earlier = stem, last
    return found


def suspicious(folded: str) -> bool:
    """A few words are not enough to go by."""
    if folded.count(" ") < _FEW and folded.isascii():
        return False
    known = model()
    words = buckets(folded)
    least = known.suspicious_at if len(words) <= WINDOW else known.suspicious_if_long
    return score(words, known) >= least


def score(words: Sequence[tuple[int, int, int]], known: Model) -> float:
    """The score of the window that is most like an attack; what is not known counts nothing."""
    weights = known.weights
    each = [weights[a] + weights[b] + weights[c] for a, b, c in words]
    if not each:
        return 0.0
    width = min(WINDOW, len(each))
    sums = [0, *accumulate(each)]
    last = len(each) - width
    best: int = max(sums[at + width] - sums[at] for at in {*range(0, last, _STEP), last})
    return known.scale * best / sqrt(max(width, FEWEST) * FEATURES)


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS
