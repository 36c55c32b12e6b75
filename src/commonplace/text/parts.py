"""Which text of a chunk is embedded: all if it is short, parts of long prose, a sketch of long
code.

A part matches a question about it better than the page around it; a sketch is cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from commonplace.model.chunk import passage
from commonplace.text.count import HUNDREDTHS, estimate_tokens, token_hundredths
from commonplace.text.sketch import sketch
from commonplace.text.split import split_passages

# Entries are split into at most 400 tokens, so they stay whole.
WHOLE_TOKENS = 450
PART_TOKENS = 256
# Shorter code loses too much by a sketch; shorter prose gains little from a preview.
SHORT_TOKENS = 160
_SKETCH_TOKENS = 150
_COMMENT_TOKENS = 75
_WORD = re.compile(r"\s*\S+")


def parts_to_embed(context: str, text: str, language: str | None = None) -> list[str]:
    """The texts to embed, each with the context in front; with a language, long text is
    sketched."""
    tokens = estimate_tokens(text)
    if language and tokens > SHORT_TOKENS:
        return [passage(context, sketch(text, _SKETCH_TOKENS, _COMMENT_TOKENS))]
    if tokens <= WHOLE_TOKENS:
        return [passage(context, text)]
    parts = split_passages(text, max_tokens=PART_TOKENS)
    return [passage(context, part.text) for part in parts]


def preview_of_code(texts: Iterable[str]) -> str:
    """One sketch for several successive chunks of code."""
    return sketch("\n".join(texts), _SKETCH_TOKENS)


def preview_of_prose(text: str) -> str:
    """The beginning of the text."""
    left, end = _SKETCH_TOKENS * HUNDREDTHS, 0
    for word in _WORD.finditer(text):
        left -= token_hundredths(word[0])
        if left < 0:
            break
        end = word.end()
    return text[:end] or text[: _SKETCH_TOKENS * 3]
