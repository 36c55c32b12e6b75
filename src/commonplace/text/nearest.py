"""Names that somebody may have meant. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

# Comparing takes as long as both lengths multiplied, for every name: of more and longer ones only
# so many and so much are looked at.
_MOST_NAMES = 2_000
_MOST_CHARACTERS = 100


def nearest(name: str, names: Sequence[str], most: int) -> list[str]:
    """Those of the names that are written most like it, by how they end."""
    ends = {each[-_MOST_CHARACTERS:]: each for each in names[:_MOST_NAMES]}
    return [ends[end] for end in get_close_matches(name[-_MOST_CHARACTERS:], ends, most)]
