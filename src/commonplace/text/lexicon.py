"""The word lists of `english.toml`, read once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Lexicon:
    stop_words: frozenset[str]
    names: dict[str, str]
    letters: dict[int, str]


@cache
def lexicon() -> Lexicon:
    source = files("commonplace.text").joinpath("english.toml").read_text(encoding="utf-8")
    data = tomllib.loads(source)
    return Lexicon(
        stop_words=frozenset(data["stop_words"]),
        names=dict(data["names"]),
        letters={ord(letter): plain for letter, plain in data["letters"].items()},
    )
