"""The excerpt to show with a hit: up to `width` characters around what was searched for.

Quotes verbatim; does not decide what is a hit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

ELLIPSIS = "…"
_WORD = re.compile(r"\w+")
_IS_PART = re.compile(r"\w")


def snippet(body: str, query: str, width: int = 240) -> str:
    """Cut an excerpt of at most `width` characters, with an ellipsis where text was omitted."""
    if len(body) <= width:
        return body
    match_start, match_end = _match(body, query)
    centred = (match_start + match_end - width) // 2
    start = max(0, min(centred, match_start, len(body) - width))
    end = start + width
    return (ELLIPSIS if start > 0 else "") + body[start:end] + (ELLIPSIS if end < len(body) else "")


def _match(body: str, query: str) -> tuple[int, int]:
    """The span of the whole query, else of its first word that occurs, else of nothing at the
    start."""
    folded = body.casefold()
    wanted = query.strip().casefold()
    found = _find(folded, wanted) or next(filter(None, _word_matches(folded, wanted)), None)
    return _unfolded(body, folded, found) if found else (0, 0)


def _word_matches(folded: str, wanted: str) -> Iterator[tuple[int, int] | None]:
    for word in _WORD.findall(wanted):
        yield _find_whole_word(folded, word) or _find(folded, word)


def _find(folded: str, wanted: str) -> tuple[int, int] | None:
    start = folded.find(wanted) if wanted else -1
    return (start, start + len(wanted)) if start >= 0 else None


def _find_whole_word(folded: str, word: str) -> tuple[int, int] | None:
    """The span of a whole word, found by plain search: compiling a regular expression for each word
    of each question would cost more."""
    start = folded.find(word)
    while start >= 0:
        end = start + len(word)
        if not (_IS_PART.match(folded, end) or (start and _IS_PART.match(folded, start - 1))):
            return start, end
        start = folded.find(word, start + 1)
    return None


def _unfolded(body: str, folded: str, span: tuple[int, int]) -> tuple[int, int]:
    """Map a span of the case-folded text, which may be longer (ß, İ), back to the body."""
    if len(folded) == len(body):
        return span
    origins = [index for index, char in enumerate(body) for _ in char.casefold()]
    return origins[span[0]], origins[span[1] - 1] + 1
