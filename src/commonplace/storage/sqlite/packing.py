"""Tokens that only indexes are made of, as one small value beside the text.

Words, title grams and scope take more room than the text itself, and mostly repeat it. They are
deflated with the text as the dictionary. Terms stay as they are, because every search reads some.
"""

from __future__ import annotations

import sqlite3
import zlib
from itertools import pairwise
from typing import TypeAlias

_BETWEEN = "\n"
_GRAM = 3

# Words, title grams, scope.
Kinds: TypeAlias = tuple[str, str, str]


class Packing:
    """Remembers the last passage: triggers ask for each kind of its tokens in turn."""

    def __init__(self) -> None:
        self._last: tuple[bytes, str, Kinds] = (b"", "", ("", "", ""))

    def packed(self, words: str, title_grams: str, scope: str, text: str) -> bytes:
        deflating = zlib.compressobj(zdict=_dictionary(text))
        together = _BETWEEN.join((words, _in_runs(title_grams), scope)).encode()
        tokens = deflating.compress(together) + deflating.flush()
        self._last = (tokens, text, (words, title_grams, scope))
        return tokens

    def unpacked(self, tokens: bytes, text: str, number: int) -> str:
        if self._last[:2] != (tokens, text):
            self._last = (tokens, text, _kinds(tokens, text))
        return self._last[2][number]


def add_functions(connection: sqlite3.Connection) -> None:
    """What the schema calls: `packed(words, title_grams, scope, text)`, and
    `unpacked(tokens, text, number)` with the number of the kind in that order."""
    packing = Packing()
    connection.create_function("packed", 4, packing.packed, deterministic=True)
    connection.create_function("unpacked", 3, packing.unpacked, deterministic=True)


def _kinds(tokens: bytes, text: str) -> Kinds:
    inflating = zlib.decompressobj(zdict=_dictionary(text))
    together = inflating.decompress(tokens) + inflating.flush()
    words, runs, scope = together.decode().split(_BETWEEN)
    return words, _in_grams(runs), scope


def _dictionary(text: str) -> bytes:
    """Only ASCII letters are made small: what that does to others depends on the version of
    Unicode, and a dictionary must stay the same."""
    return text.encode().lower()


def _in_runs(grams: str) -> str:
    """Grams that continue one another as one run of characters: `tho hou oug` is `thoug`.

    Grams have at most three characters; shorter ones stay alone.
    """
    return "".join(
        gram[-1] if len(gram) == len(before) == _GRAM and gram[:-1] == before[1:] else f" {gram}"
        for before, gram in pairwise(["", *grams.split(" ")])
    )[1:]


def _in_grams(runs: str) -> str:
    return " ".join(
        run[start : start + _GRAM]
        for run in runs.split(" ")
        for start in range(max(1, len(run) - _GRAM + 1))
    )
