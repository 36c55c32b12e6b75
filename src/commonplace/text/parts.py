"""Which text of a chunk is embedded: all if it is short, parts of long prose, a sketch of long
code.

A part matches a question about it better than the page around it; a sketch is cheaper.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile

from commonplace.model.chunk import passage
from commonplace.text.count import HUNDREDTHS, estimate_tokens, token_hundredths
from commonplace.text.sketch import sketch
from commonplace.text.split import split_passages

# Entries are split into at most 400 tokens, so they stay whole.
WHOLE_TOKENS = 450
PART_TOKENS = 256
# Shorter code loses too much by a sketch; shorter prose gains little from a preview.
SHORT_TOKENS = 160
_SKETCH_TOKENS = 110
_COMMENT_TOKENS = 60
_BEGINNING_TOKENS = 150
_WORD = re.compile(r"(?<!\s)\s*+\S+")


def parts_to_embed(context: str, text: str, language: str | None = None) -> list[str]:
    """The texts to embed, each with the context in front; with a language, long text is
    sketched."""
    tokens = estimate_tokens(text)
    if language and tokens > SHORT_TOKENS:
        return [passage(context, sketch(text, _sketch_size(context), _COMMENT_TOKENS))]
    if tokens <= WHOLE_TOKENS:
        return [passage(context, text)]
    parts = split_passages(text, max_tokens=PART_TOKENS)
    return [passage(context, part.text) for part in parts]


def preview_of_code(pieces: Sequence[tuple[str, str]]) -> str:
    """One sketch for successive chunks of a file, given as pairs of context and text.

    The lines that all contexts start with (the file's name) stand once, before the sketch.
    """
    contexts = [context.split("\n") for context, _ in pieces]
    same = takewhile(lambda lines: len(set(lines)) == 1, zip(*contexts, strict=False))
    common = [line for line, *_ in same]
    rest = ("\n".join(lines[len(common) :]) for lines in contexts)
    texts = (passage(own, text) for own, (_, text) in zip(rest, pieces, strict=True))
    shared = "\n".join(common)
    return passage(shared, sketch("\n".join(texts), _sketch_size(shared)))


def _sketch_size(context: str) -> int:
    """How long a sketch may be, so that it costs the same with a context as without."""
    return max(_COMMENT_TOKENS, _SKETCH_TOKENS - estimate_tokens(context))


def preview_of_prose(text: str) -> str:
    """The beginning of the text."""
    left, end = _BEGINNING_TOKENS * HUNDREDTHS, 0
    for word in _WORD.finditer(text):
        left -= token_hundredths(word[0])
        if left < 0:
            break
        end = word.end()
    return text[:end] or text[: _BEGINNING_TOKENS * 3]
