"""What of a chunk is embedded: a short one whole, long prose in parts, long code as a sketch.

A part is nearer to a question about it than a page that also holds it; a sketch costs less.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from commonplace.model.chunk import passage
from commonplace.text.count import HUNDREDTHS, estimate_tokens, token_hundredths
from commonplace.text.sketch import sketch
from commonplace.text.split import split_passages

# Entries are cut to at most 400 tokens and stay whole.
WHOLE_TOKENS = 450
PART_TOKENS = 256
# Shorter code loses by a sketch, and shorter prose gains little by a preview.
SHORT_TOKENS = 160
_SKETCH_TOKENS = 150
_TOLD_TOKENS = 75
_WORD = re.compile(r"\s*\S+")


def parts_to_embed(context: str, text: str, language: str | None = None) -> list[str]:
    """The context sets the scene for every part. With a language, the text is code to sketch."""
    tokens = estimate_tokens(text)
    if language and tokens > SHORT_TOKENS:
        return [passage(context, sketch(text, _SKETCH_TOKENS, _TOLD_TOKENS))]
    if tokens <= WHOLE_TOKENS:
        return [passage(context, text)]
    parts = split_passages(text, max_tokens=PART_TOKENS)
    return [passage(context, part.text) for part in parts]


def preview_of_code(texts: Iterable[str]) -> str:
    """What stands for some pieces of code that follow each other."""
    return sketch("\n".join(texts), _SKETCH_TOKENS)


def preview_of_prose(text: str) -> str:
    """The beginning of it."""
    left, end = _SKETCH_TOKENS * HUNDREDTHS, 0
    for word in _WORD.finditer(text):
        left -= token_hundredths(word[0])
        if left < 0:
            break
        end = word.end()
    return text[:end] or text[: _SKETCH_TOKENS * 3]
