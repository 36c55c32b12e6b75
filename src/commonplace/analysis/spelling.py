"""Normalise text for comparison: lower-case ASCII letters and straight apostrophes.

Character for character, so that a position in the result is a position in the text.
"""

from __future__ import annotations

import string

_APOSTROPHES = "‘’ʼ＇´"
_PLAIN = str.maketrans(
    string.ascii_uppercase + _APOSTROPHES,
    string.ascii_lowercase + "'" * len(_APOSTROPHES),
)


def plain(text: str) -> str:
    return text.translate(_PLAIN)
