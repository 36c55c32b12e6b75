"""Weighs a question's words against its meaning: names and rare words count more. Pure.

The weights were tuned on questions that are not part of the reported results: docs/decisions/0125.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

# `snake_case`, `a.b`, `a::b`, `call()`, `--flag`, and text between backticks.
_IDENTIFIER = re.compile(r"_|`|[A-Za-z]\.[A-Za-z]|\w\(\)|::|->|--\w")
_SENTENCE_ENDS = (".", "?", "!", ":")


@dataclass(frozen=True, slots=True)
class WordWeight:
    """The share of words in a score; the rest is meaning. `reason` is shown with the score."""

    weight: float
    reason: str


NAMED = WordWeight(0.4, "words match, and the question names something")
USUAL = WordWeight(0.2, "words match")
# Small enough that common words only break ties between chunks of equal similarity.
COMMON = WordWeight(0.08, "words match, but they are common ones")


def word_weight(question: str, *, rare: bool, read: bool) -> WordWeight:
    """The weight of a question's words: high if it names something, low if they are all common.

    `rare`: some candidate has a rare word of the question. `read`: the model knows the language.
    The word of a one-word question always counts, however common.
    """
    if names_something(question):
        return NAMED
    return USUAL if rare or not read or len(question.split()) == 1 else COMMON


def names_something(question: str) -> bool:
    """Whether a question has an identifier, or a capital letter inside a sentence."""
    if _IDENTIFIER.search(question):
        return True
    words = question.split()
    inside = (word for before, word in pairwise(words) if not before.endswith(_SENTENCE_ENDS))
    return any(map(_has_capital, inside)) or any(_is_mixed(word) for word in words)


def _has_capital(word: str) -> bool:
    """Whether a word has a capital letter, apart from "I" and "I'm"."""
    stem = word.partition("'")[0].partition("’")[0]
    return sum(map(str.isalnum, stem)) > 1 and any(map(str.isupper, stem))


def _is_mixed(word: str) -> bool:
    """Whether a word has a capital inside, as in `camelCase`."""
    return any(map(str.isupper, word[1:]))
