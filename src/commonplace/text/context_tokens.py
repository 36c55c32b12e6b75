"""How many tokens a text takes up in an agent's context, estimated without its tokenizer.

Not for embedding: those vocabularies are smaller (see `count.py`). Right on average, measured
against two real tokenizers: benchmarks/recall.
"""

from __future__ import annotations

import re

# What tokenizers take apart before they look anything up: words by their case, up to three digits,
# signs with the line breaks behind them, white space. One space before a word belongs to it.
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
# In hundredths of a token: the first letters, how many those are, and each one more.
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
    """About how many tokens the text has; 0 only for no text."""
    total = 0
    for piece in _PIECES.finditer(text):
        first, free, further = _COSTS[str(piece.lastgroup)]
        beyond = piece.end() - piece.start() - free
        total += first + (further * beyond if beyond > 0 else 0)
    return max(-(-total // _HUNDREDTHS), 1 if text else 0)
