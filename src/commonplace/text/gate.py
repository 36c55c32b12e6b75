"""The gate at the edge: text that both stores can hold, in one Unicode form, or a clear refusal.

Changes nothing but the normal form: tabs, line breaks and other control characters (the colours
of a log, say) pass as they are. What a text may mean is not decided here.
"""

from __future__ import annotations

import re

from commonplace.errors import InvalidArgument
from commonplace.text.normalise import nfc

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def clean(text: str, *, field: str, max_chars: int) -> str:
    """The text in Unicode normal form C, at most `max_chars` characters of it."""
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
    """Why neither store can hold a text, if so."""
    if (position := text.find("\0")) >= 0:
        return f"has a NUL character at position {position}; any other character is allowed."
    if not text.isascii() and (surrogate := _LONE_SURROGATE.search(text)):
        return (
            f"has half of a surrogate pair at position {surrogate.start()}; "
            "only whole Unicode characters are allowed."
        )
    return None


def storable(text: str) -> str:
    """The text with a sign for each character that neither store can hold.

    For what nobody can put right: programs cut texts in the middle of a character.
    """
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)
