"""How likely a text is a knowledge moment, and of which type: one linear head over sentences.

What is said of several sentences is made of what is said of each, so that any run of them can be
judged without another vector. What was learned is data (`python -m tools.moments.train`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import mul

from commonplace.analysis.lexicon import cue_phrases, cues, hints, patterns
from commonplace.analysis.spelling import plain

TYPES = ("solution", "pattern", "gotcha", "win", "troubleshooting")
_MOST_PER_SIGN = 2
_PLACES = 4
_TROUBLES = frozenset({"damage", "fault"})
_NAME = re.compile(r"\w\(\)|\w[._/]\w")
_ITEM = re.compile(r"\s*[-*•]\s")


@dataclass(frozen=True, slots=True)
class Likelihood:
    """`probability` that the text is a moment; `type` is the likeliest if it is one."""

    probability: float
    type: str


NOTHING = Likelihood(0.0, TYPES[0])


@dataclass(frozen=True, slots=True)
class SentenceReading:
    """What one sentence says: how far its vector speaks for a moment and for each type, and how
    many different phrases of each way of speaking it has."""

    pulls: tuple[float, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """What was learned; each list has a column for "moment" and one for each type."""

    model: str
    vector: tuple[tuple[float, ...], ...]
    signs: tuple[tuple[float, ...], ...]
    shape: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]


def signs_of(sentence: str) -> tuple[int, ...]:
    """How many different phrases of each cue, hint and pattern stand in it; at most two each."""
    spelled = plain(sentence)
    found = (set(expression.findall(spelled)) for expression in _expressions())
    return tuple(min(_MOST_PER_SIGN, len(phrases)) for phrases in found)


def shape_of(text: str) -> tuple[float, ...]:
    """What a text looks like, whatever it says."""
    length = len(text)
    return (
        min(length, 600) / 300,
        math.log(length + 1) / 3 - 1.5,
        float("?" in text),
        float("`" in text),
        float(any(map(str.isdecimal, text))),
        float("\n" in text),
        float(bool(_ITEM.match(text))),
        float(text.rstrip().endswith(":")),
        float("!" in text),
        float(bool(_NAME.search(text))),
    )


def reading(signs: tuple[int, ...], vector: Sequence[float]) -> SentenceReading:
    pulls = tuple(math.fsum(map(mul, column, vector)) for column in head().vector)
    return SentenceReading(pulls, signs)


def likelihood(text: str, sentences: Sequence[SentenceReading]) -> Likelihood:
    """What a text with these sentences is; without any it is no moment."""
    if not sentences:
        return NOTHING
    known, shape = head(), shape_of(text)
    pulls = [
        math.fsum(one) / len(sentences) for one in zip(*(s.pulls for s in sentences), strict=True)
    ]
    signs = together(one.signs for one in sentences)
    moment, *types = (
        pulls[at]
        + math.fsum(map(mul, known.signs[at], signs))
        + math.fsum(map(mul, known.shape[at], shape))
        + known.bias[at]
        for at in range(1 + len(TYPES))
    )
    likeliest = TYPES[max(range(len(TYPES)), key=types.__getitem__)]
    return Likelihood(round(1 / (1 + math.exp(-max(-30.0, min(30.0, moment)))), _PLACES), likeliest)


def together(signs: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The signs of several sentences; more than two of one count as two."""
    return tuple(min(_MOST_PER_SIGN, sum(each)) for each in zip(*signs, strict=True))


def tells_trouble(signs: tuple[int, ...]) -> bool:
    """Whether something is said to be wrong."""
    return any(signs[at] for at in _troubles())


@cache
def _troubles() -> tuple[int, ...]:
    names = (*cue_phrases(), *hints())
    return tuple(at for at, name in enumerate(names) if name in _TROUBLES)


@cache
def head() -> Head:
    source = files("commonplace.analysis").joinpath("lexicons", "likelihood.json")
    stored = json.loads(source.read_text(encoding="utf-8"))
    parts = {name: tuple(map(tuple, stored[name])) for name in ("vector", "signs", "shape")}
    return Head(model=stored["model"], bias=tuple(stored["bias"]), **parts)


@cache
def _expressions() -> tuple[re.Pattern[str], ...]:
    return (*cues().expressions, *hints().values(), *(pattern.expression for pattern in patterns()))
