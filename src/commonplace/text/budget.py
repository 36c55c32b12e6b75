"""How many tokens a large model's tokenizer makes of a text, estimated without one.

Unlike `count`, which must never be too low for the bundled model, this is right on average: for
budgets that a caller gives. Measured against a real tokenizer in benchmarks/recall.
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
# Hundredths of a token: for a piece, from which character on it costs more, for each such one.
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


def model_tokens(text: str) -> int:
    """About how many tokens the text has for the models of today; 0 only for no text."""
    total = 0
    for piece in _PIECES.finditer(text):
        first, free, further = _COSTS[str(piece.lastgroup)]
        beyond = piece.end() - piece.start() - free
        total += first + (further * beyond if beyond > 0 else 0)
    return max(-(-total // 100), 1 if text else 0)
