"""Estimates how many tokens an embedding model makes of a text; rather too many than too few.

Calibrated on byte-level BPE (the bundled model's vocabulary of 50,000): see docs/explain.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

HUNDREDTHS = 100
MOST_LOST_IN_WORD = 125


class _Run(NamedTuple):
    """The cost of a run of similar characters, in hundredths of a token: `first` for up to `free`
    characters, `further` for each one after that."""

    pattern: re.Pattern[str]
    first: int
    free: int
    further: int


def _run(pattern: str, first: int, free: int, further: int) -> _Run:
    return _Run(re.compile(pattern), first, free, further)


_ASCII_RUNS = (
    _run(r"[A-Z]?[a-z]+", 115, 6, 40),
    _run(r"[A-Z]+(?![a-z])", 190, 4, 40),
    _run(r"[0-9]+", 140, 4, 35),
    _run(r"[!-/:-@\[-`{-~]+", 100, 1, 35),
    _run(r"\s+", 0, 1, 100),
    _run(r"[\x00-\x08\x0e-\x1b\x7f]", 100, 1, 0),
)
# The same patterns in one pass for plain ASCII text, where no two of them overlap.
_ASCII_RUN = re.compile("|".join(run.pattern.pattern for run in _ASCII_RUNS))
_MOST_REMEMBERED = 1 << 14
_OTHER_RUNS = (
    _run("[\x80-\u07ff]+", 125, 1, 125),
    _run("[\u3040-\u30ff]+", 130, 1, 130),
    _run("[\u2e80-\u303f\u3100-\u9fff]+", 215, 1, 215),
    _run("[\uac00-\ud7ff]+", 300, 1, 300),
    _run("[\u0800-\u2e7f\ua000-\uabff\ud800-\uffff]+", 205, 1, 205),
    _run("[\U00010000-\U0010ffff]+", 260, 1, 260),
)


def estimate_tokens(text: str) -> int:
    """The estimated number of tokens; 0 only for an empty text."""
    return max(-(-token_hundredths(text) // HUNDREDTHS), 1 if text else 0)


def token_hundredths(text: str) -> int:
    """The estimate before rounding.

    Parts of a text together never cost less than the whole, unless a cut divides white space (at
    most one token less) or a word (at most `MOST_LOST_IN_WORD` less).
    """
    if text.isascii():
        return sum(map(_run_cost, _ASCII_RUN.findall(text)))
    return sum(_cost(run, text) for run in (*_ASCII_RUNS, *_OTHER_RUNS))


@lru_cache(_MOST_REMEMBERED)
def _run_cost(found: str) -> int:
    return sum(_cost(run, found) for run in _ASCII_RUNS)


def _cost(run: _Run, text: str) -> int:
    found = run.pattern.findall(text)
    beyond = sum(len(match) - run.free for match in found if len(match) > run.free)
    return run.first * len(found) + run.further * beyond
