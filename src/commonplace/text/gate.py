"""Input validation for text: one Unicode form that both stores can hold, or a clear refusal.

Changes nothing but the normal form; tabs, line breaks and control characters (such as the colours
of a log) pass unchanged. Does not judge what a text means.
"""

from __future__ import annotations

import re

from commonplace.errors import InvalidArgument
from commonplace.text.normalise import nfc

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def clean(text: str, *, field: str, max_chars: int) -> str:
    """The text in Unicode normal form C; InvalidArgument if it is too long or cannot be stored."""
    if problem := unstorable(text):
        raise InvalidArgument(f"{field} {problem}", field=field)
    normal = nfc(text)
    if len(normal) > max_chars:
        raise InvalidArgument(
            f"{field} has {len(normal):,} characters; at most {max_chars:,} are allowed.",
            field=field,
        )
    return normal


def unstorable(text: str) -> str | None:
    """Why the stores cannot hold the text; None if they can."""
    if (position := text.find("\0")) >= 0:
        return f"has a NUL character at position {position}; any other character is allowed."
    if not text.isascii() and (surrogate := _LONE_SURROGATE.search(text)):
        return (
            f"has half of a surrogate pair at position {surrogate.start()}; "
            "only whole Unicode characters are allowed."
        )
    return None


def storable(text: str) -> str:
    """The text with every character that the stores cannot hold replaced.

    For text that nobody can correct, such as output cut in the middle of a character.
    """
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
