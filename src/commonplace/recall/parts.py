"""Divides a long question, such as a whole task, into sentences that may be asked alone. Pure."""

from __future__ import annotations

import re

# How many parts are asked, and from how many words on a question is long.
_MOST_PARTS = 8
_LONG, _LEAST_WORDS = 30, 4
_PART = re.compile(r"(?<=[.!?;:])\s+|\n+")
_WORD = re.compile(r"\w+")


def parts_of(question: str) -> tuple[str, ...]:
    """The sentences of a long question that may be questions of their own, likeliest first."""
    if len(_WORD.findall(question)) < _LONG:
        return ()
    parts = [part.strip() for part in _PART.split(question)]
    counts = {part: len(_WORD.findall(part)) for part in parts}
    worded = [part for part, count in counts.items() if count >= _LEAST_WORDS]
    worded.sort(key=lambda part: (not part.endswith("?"), -counts[part]))
    return tuple(worded[:_MOST_PARTS]) if len(worded) > 1 else ()
