"""Suggestions for misspelled names. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

# Comparing takes time proportional to both lengths, for every name, so both are limited.
_MOST_NAMES = 2_000
_MOST_CHARACTERS = 100


def nearest(name: str, names: Sequence[str], most: int) -> list[str]:
    """The names most similar to the given one; of long names, only the end is compared."""
    ends = {each[-_MOST_CHARACTERS:]: each for each in names[:_MOST_NAMES]}
    return [ends[end] for end in get_close_matches(name[-_MOST_CHARACTERS:], ends, most)]
