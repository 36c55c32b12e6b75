"""How many tokens a text takes up in an agent's context, estimated without its tokenizer.

Not for embedding: the models that read passages have smaller vocabularies (see `count.py`). These
vocabularies have whole words with the space before them, and indentation as one token.
"""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"(?P<word> ?[A-Z]?[a-z]+)"
    r"|(?P<capitals>[A-Z]+(?![a-z]))"
    r"|(?P<digits>[0-9]+)"
    r"|(?P<space>\s*\n\s*| {2,}|\t+)"
    r"|(?P<signs>[!-/:-@\[-`{-~]+)"
    r"|(?P<other>[^\x00-\x7f])"
)
# In hundredths of a token: the first letters, how many those are, and each one more.
_COSTS = {
    "word": (105, 8, 10),
    "capitals": (110, 3, 35),
    "digits": (100, 3, 33),
    "space": (100, 1, 0),
    "signs": (70, 2, 30),
    "other": (80, 1, 0),
}
_HUNDREDTHS = 100


def estimate_context_tokens(text: str) -> int:
    """About how many tokens the text has; 0 only for no text."""
    cost = sum(_cost(str(piece.lastgroup), piece[0]) for piece in _PIECE.finditer(text))
    return max(round(cost / _HUNDREDTHS), 1 if text else 0)


def _cost(kind: str, written: str) -> int:
    first, free, further = _COSTS[kind]
    return first + max(0, len(written.lstrip(" ")) - free) * further
