"""What of a chunk is embedded: the whole of a short one, a long one part by part.

A part of a few paragraphs is nearer to a question about it than a page that also holds it.
"""

from __future__ import annotations

from commonplace.model.chunk import passage
from commonplace.text.count import estimate_tokens
from commonplace.text.split import split_passages

# Entries are cut to at most 400 tokens and stay whole.
WHOLE_TOKENS = 450
PART_TOKENS = 256


def parts_to_embed(context: str, text: str) -> list[str]:
    """The context sets the scene for every part."""
    if estimate_tokens(text) <= WHOLE_TOKENS:
        return [passage(context, text)]
    parts = split_passages(text, max_tokens=PART_TOKENS)
    return [passage(context, part.text) for part in parts]
