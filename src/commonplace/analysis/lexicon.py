"""The patterns and word lists of `lexicons/*.toml`, read once.

A space in a phrase stands for any run of blanks, and a phrase is always of whole words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

NO_MOMENT = "none"


@dataclass(frozen=True, slots=True)
class Pattern:
    id: str
    kind: str
    confidence: float
    suggests: str
    expression: re.Pattern[str]
    boosters: tuple[str, ...] = ()
    dampers: tuple[str, ...] = ()
    negatable: bool = False


@dataclass(frozen=True, slots=True)
class ToneWords:
    tokens: re.Pattern[str]
    """A word, or several words with a common entry."""
    values: Mapping[str, float]
    intensifiers: Mapping[str, float]
    negators: Mapping[str, float]
    contractions: Mapping[str, float]
    """Endings that negate, as in `isn't`."""


@dataclass(frozen=True, slots=True)
class Cues:
    """Weak phrases, and their weights for each type and for `NO_MOMENT`."""

    expressions: tuple[re.Pattern[str], ...]
    weights: Mapping[str, tuple[float, ...]]
    """One weight for each expression, in order."""
    bias: Mapping[str, float]
    least_confidence: float


@dataclass(frozen=True, slots=True)
class Abbreviations:
    never_end: frozenset[str]
    may_end: frozenset[str]


@cache
def patterns() -> tuple[Pattern, ...]:
    return tuple(_pattern(id, fields) for id, fields in _read("patterns").items())


@cache
def tone_words() -> ToneWords:
    data = _read("sentiment")
    values = {word: worth for name, worth in data["values"].items() for word in data["lists"][name]}
    entries = (*values, *data["intensifiers"], *data["negators"])
    return ToneWords(
        tokens=_tokens(entry for entry in entries if " " in entry),
        values=values,
        intensifiers=data["intensifiers"],
        negators=data["negators"],
        contractions=data["contractions"],
    )


def cue_phrases() -> Mapping[str, Sequence[str]]:
    return _read("cues")


@cache
def cues() -> Cues:
    return weighed(cue_phrases())


def weighed(known: Mapping[str, Sequence[str]]) -> Cues:
    """The given phrases of each cue, with the weights of the lexicon."""
    data = _read("weights")
    labels = data["bias"].keys()
    return Cues(
        expressions=tuple(phrases(alternatives) for alternatives in known.values()),
        weights={label: tuple(data["cues"][name][label] for name in known) for label in labels},
        bias=data["bias"],
        least_confidence=data["least_confidence"],
    )


@cache
def hints() -> Mapping[str, re.Pattern[str]]:
    return {name: phrases(alternatives) for name, alternatives in _read("hints").items()}


def hint(name: str) -> re.Pattern[str]:
    return phrases(_read("telling")[name])


@cache
def abbreviations() -> Abbreviations:
    data = _read("sentiment")["abbreviations"]
    return Abbreviations(
        never_end=frozenset(data["never_end_a_sentence"]),
        may_end=frozenset(data["may_end_a_sentence"]),
    )


@cache
def negation_just_before() -> re.Pattern[str]:
    """A negator and at most two further words at the end of the searched text."""
    known = tone_words()
    negator = rf"\b(?:{'|'.join(known.negators)})|\w(?:{'|'.join(known.contractions)})"
    return re.compile(rf"(?:{negator})(?:\s+\w+){{0,2}}\s+\Z")


def phrases(alternatives: Iterable[str]) -> re.Pattern[str]:
    """Any of these phrases, as whole words, with any white space between them."""
    return re.compile(rf"(?<!\w)(?:{_spaced('|'.join(alternatives))})(?!\w)")


def _pattern(id: str, fields: Mapping[str, Any]) -> Pattern:
    return Pattern(
        id=id,
        kind=fields["kind"],
        confidence=fields["confidence"],
        suggests=fields["suggests"],
        expression=phrases(fields["phrases"]),
        boosters=tuple(fields.get("boosters", ())),
        dampers=tuple(fields.get("dampers", ())),
        negatable=fields.get("negatable", False),
    )


def _tokens(several_words: Iterable[str]) -> re.Pattern[str]:
    together = _spaced("|".join(map(re.escape, several_words)).replace(r"\ ", " "))
    return re.compile(rf"(?:{together})(?!\w)|\w++(?:'\w++)*+")


def _spaced(expression: str) -> str:
    return expression.replace(" ", r"\s++")


@cache
def _read(name: str) -> dict[str, Any]:
    source = files("commonplace.analysis").joinpath("lexicons", f"{name}.toml")
    return tomllib.loads(source.read_text(encoding="utf-8"))
