"""The probability that a text is a knowledge moment, and its most likely type: a linear model.

A text's features follow from those of its sentences, so any run of them is scored without another
vector. The weights are data (`python -m tools.moments.train`).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import cache
from importlib.resources import files
from operator import mul
from typing import Any, NamedTuple

from commonplace.analysis.lexicon import cue_phrases, cues, hints, patterns
from commonplace.analysis.spelling import plain

TYPES = ("solution", "pattern", "gotcha", "win", "troubleshooting")
_MOST_PER_SIGN = 2
_PLACES = 4
_PARTS = ("vector", "signs", "shape")
_TROUBLES = frozenset({"damage", "fault"})
_NAME = re.compile(r"\w\(\)|\w[._/]\w")
_ITEM = re.compile(r"\s*[-*•]\s")
_WORD = re.compile(r"[A-Za-z']+")
_MARK = re.compile(r"[^\w\s]")
_NUMBER = re.compile(r"\b\d")
_IDENTIFIER = re.compile(r"\b[A-Z][a-z]+[A-Z]\w*|[A-Za-z0-9]_\w|\w\(\)|\w::\w")
_ISSUE = re.compile(r"#\d")
# Lines of a commit message that say nothing in prose: list items, trailers, links to issues.
_NO_PROSE = re.compile(r"\s*(?:[-*•]|\d{1,3}[.)]|[A-Z][\w-]{0,30}: ?\S|#|https?://)")


class TextForm(StrEnum):
    """What people say to each other, a commit message or pull request, or any other written text.

    Each has its own weights: the same words are news in a conversation more often than in a commit
    message, and a commit message tells of a cure where a page of documentation warns.
    """

    TALK = auto()
    COMMIT = auto()
    DOCUMENT = auto()


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The probability that a text is a moment; `type` is its most likely type if it is one."""

    probability: float
    type: str


NOTHING = Likelihood(0.0, TYPES[0])


class SentenceReading(NamedTuple):
    """What one sentence adds: its vector's share of each score, and its count of each sign."""

    shares: tuple[float, ...]
    signs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Head:
    """The weights for one form of text: a column for "moment", then one for each type."""

    vector: tuple[tuple[float, ...], ...]
    signs: tuple[tuple[float, ...], ...]
    shape: tuple[tuple[float, ...], ...]
    bias: tuple[float, ...]

    def reading(self, signs: tuple[int, ...], vector: Sequence[float]) -> SentenceReading:
        shares = tuple(math.fsum(map(mul, column, vector)) for column in self.vector)
        return SentenceReading(shares, signs)

    def likelihood(self, text: str, sentences: Sequence[SentenceReading]) -> Likelihood:
        """Score a text that consists of these sentences; a text without any is no moment."""
        if not sentences:
            return NOTHING
        shape = shape_of(text)
        shares = [
            math.fsum(each) / len(sentences)
            for each in zip(*(one.shares for one in sentences), strict=True)
        ]
        signs = together(one.signs for one in sentences)
        moment, *types = (
            shares[column]
            + math.fsum(map(mul, self.signs[column], signs))
            + math.fsum(map(mul, self.shape[column], shape))
            + self.bias[column]
            for column in range(1 + len(TYPES))
        )
        likeliest = TYPES[max(range(len(TYPES)), key=types.__getitem__)]
        probability = 1 / (1 + math.exp(-max(-30.0, min(30.0, moment))))
        return Likelihood(round(probability, _PLACES), likeliest)


def signs_of(sentence: str) -> tuple[int, ...]:
    """The number of different phrases of each cue, hint and pattern, at most two of each."""
    spelled = plain(sentence)
    found = (set(expression.findall(spelled)) for expression in _expressions())
    return tuple(min(_MOST_PER_SIGN, len(phrases)) for phrases in found)


def together(signs: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The signs of several sentences, again at most two of each."""
    return tuple(min(_MOST_PER_SIGN, sum(each)) for each in zip(*signs, strict=True))


def shape_of(text: str) -> tuple[float, ...]:
    """Length, layout and typography of a text, as numbers of about the same size."""
    length = len(text)
    words = _WORD.findall(text)
    count = max(1, len(words))
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
        math.log(len(words) + 1) / 3 - 1,
        sum(map(len, words)) / count / 5 - 1,
        10 * len(_MARK.findall(text)) / max(1, length),
        5 * len(_IDENTIFIER.findall(text)) / count,
        min(4, len(_NUMBER.findall(text))) / 4,
        float("http" in text),
        *_layout_of(text),
    )


def _layout_of(text: str) -> tuple[float, ...]:
    """How a text looks whose first line may be the subject of a commit message."""
    first, _, rest = text.partition("\n")
    lines = rest.splitlines()
    prose = [line for line in lines if line.strip() and not _NO_PROSE.match(line)]
    return (
        math.log(len(rest.strip()) + 1) / 3,
        math.log(sum(map(len, prose)) + 1) / 3,
        min(6, sum(bool(_ITEM.match(line)) for line in lines)) / 3,
        float(bool(_ISSUE.search(first))),
        float(first.rstrip().endswith(".")),
        float(first[:1].islower()),
        float(": " in first),
        float(len(first) < 72 and bool(prose)),
    )


def tells_trouble(signs: tuple[int, ...]) -> bool:
    """Whether a sentence says that something is wrong."""
    return any(signs[place] for place in _troubles())


@cache
def head(form: TextForm) -> Head:
    stored = _stored()[form.value]
    vector, signs, shape = (tuple(map(tuple, stored[name])) for name in _PARTS)
    return Head(vector, signs, shape, bias=tuple(stored["bias"]))


def trained_on() -> str:
    """The key of the embedding model whose vectors the weights are for."""
    return str(_stored()["model"])


@cache
def _stored() -> Mapping[str, Any]:
    source = files("commonplace.analysis").joinpath("lexicons", "likelihood.json")
    stored: Mapping[str, Any] = json.loads(source.read_bytes())
    return stored


@cache
def _expressions() -> tuple[re.Pattern[str], ...]:
    return (*cues().expressions, *hints().values(), *(pattern.expression for pattern in patterns()))


@cache
def _troubles() -> tuple[int, ...]:
    names = (*cue_phrases(), *hints())
    return tuple(place for place, name in enumerate(names) if name in _TROUBLES)
