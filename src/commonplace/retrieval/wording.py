"""How much a question's words weigh beside its meaning: by what its wording singles out. Pure.

Chosen on questions that are not reported: docs/decisions/0125.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

# `snake_case`, `a.b`, `a::b`, `call()`, `--flag`, and what stands between backticks.
_IDENTIFIER = re.compile(r"_|`|[A-Za-z]\.[A-Za-z]|\w\(\)|::|->|--\w")
_SENTENCE_ENDS = (".", "?", "!", ":")


@dataclass(frozen=True, slots=True)
class WordWeight:
    """The share of words in a score; the rest is meaning's. The reason explains it."""

    weight: float
    reason: str


NAMED = WordWeight(0.4, "words match, and the question names something")
TELLING = WordWeight(0.2, "words match")
# So little that they only tell apart what is equally near.
COMMON = WordWeight(0.08, "words match, but they are common ones")


def words_of(question: str, *, rare: bool, read: bool) -> WordWeight:
    """A name has to be there; of common words meaning tells more.

    `rare` says that something found has a rare word of the question, `read` that the model knows
    its language. A single word is looked for whatever it is.
    """
    if names_something(question):
        return NAMED
    return TELLING if rare or not read or len(question.split()) == 1 else COMMON


def names_something(question: str) -> bool:
    """Whether there is an identifier in it, or a capital where no sentence begins."""
    if _IDENTIFIER.search(question):
        return True
    words = question.split()
    inside = (word for before, word in pairwise(words) if not before.endswith(_SENTENCE_ENDS))
    return any(map(_has_capital, inside)) or any(_is_mixed(word) for word in words)


def _has_capital(word: str) -> bool:
    """Who says "I" names nobody."""
    told = word.partition("'")[0].partition("’")[0]
    return sum(map(str.isalnum, told)) > 1 and any(map(str.isupper, told))


def _is_mixed(word: str) -> bool:
    """Capitals inside a word, as in `camelCase`."""
    return any(map(str.isupper, word[1:]))
