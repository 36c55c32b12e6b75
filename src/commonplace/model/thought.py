"""The kinds of thoughts that agents remember."""

from __future__ import annotations

import re
from enum import StrEnum


# Stored as the category of a note. No docstring, as it would be sent to every client.
class ThoughtKind(StrEnum):
    DECISION = "decision"
    FACT = "fact"
    HOW_TO = "how-to"
    GOTCHA = "gotcha"
    PREFERENCE = "preference"
    QUESTION = "open question"

    @classmethod
    def _missing_(cls, value: object) -> ThoughtKind | None:
        """Accept other spellings, such as `Decisions`, `how_to`, `open-question` and `question`."""
        return kind_named(value) if isinstance(value, str) else None

    @property
    def spellings(self) -> frozenset[str]:
        """The normalised names of this kind, in the singular and the plural."""
        plain = plain_kind(self.value)
        names = (plain, plain.removeprefix("open "), plain.replace(" ", ""))
        return frozenset({*names, *(f"{name}s" for name in names)})


def kind_named(name: str) -> ThoughtKind | None:
    """The kind with this name in any spelling."""
    plain = plain_kind(name)
    return next((kind for kind in ThoughtKind if plain in kind.spellings), None)


def plain_kind(name: str) -> str:
    """The normalised name of a kind."""
    return re.sub(r"[\s_-]+", " ", name.strip().lower())
