"""Estimates how many tokens of an agent's context a text takes, without the agent's tokenizer.

Not for embedding, whose vocabularies are smaller (see `count.py`). Unbiased on average, measured
against two real tokenizers: benchmarks/recall.
"""

from __future__ import annotations

import re

# How tokenizers split text before the vocabulary lookup: words by case, up to three digits,
# punctuation with the line breaks after it, white space. A word includes one space before it.
_PIECES = re.compile(
    r"(?P<word>[A-Z]?[a-z]+)"
    r"|(?P<capitals>[A-Z]+)"
    r"|(?P<digits>[0-9]{1,3})"
    r"|(?P<breaks>[^\S\r\n]*[\r\n]+)"
    r"|(?P<blanks>[^\S\r\n]{2,})"
    r"|(?P<signs>[!-/:-@\[-`{-~]+)"
    r"|(?P<latin>[\x80-\u07ff]+)"
    r"|(?P<astral>[\U00010000-\U0010ffff]+)"
    r"|(?P<other>[\u0800-\uffff]+)"
)
# In hundredths of a token: cost of the first letters, how many those are, cost of each further one.
_COSTS = {
    "word": (102, 10, 43),
    "capitals": (80, 3, 14),
    "digits": (175, 3, 0),
    "breaks": (104, 99, 0),
    "blanks": (85, 16, 5),
    "signs": (68, 1, 13),
    "latin": (70, 1, 70),
    "astral": (200, 1, 200),
    "other": (100, 1, 100),
}
_HUNDREDTHS = 100


def estimate_context_tokens(text: str) -> int:
    """The estimated number of tokens; 0 only for an empty text."""
    total = 0
    for piece in _PIECES.finditer(text):
        first, free, further = _COSTS[str(piece.lastgroup)]
        beyond = piece.end() - piece.start() - free
        total += first + (further * beyond if beyond > 0 else 0)
    return max(-(-total // _HUNDREDTHS), 1 if text else 0)
