"""How much text an answer includes: a limit per hit, and a budget for all."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.text.context_tokens import estimate_context_tokens

_BREAK = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class ContentLimits:
    """Limits in tokens; None means no limit."""

    budget: int | None = None
    per_hit: int | None = None


@dataclass(frozen=True, slots=True)
class Content:
    """The part of a text that fits; `cut` is set if it is not all of it."""

    text: str
    cut: bool = False


def contents(texts: Sequence[str], limits: ContentLimits) -> list[Content]:
    """Distribute the budget over the texts, best hits first."""
    left, given = limits.budget, []
    for text in texts:
        most = min((limit for limit in (left, limits.per_hit) if limit is not None), default=None)
        content = Content(text) if most is None else clipped(text, most)
        if left is not None:
            left -= estimate_context_tokens(content.text)
        given.append(content)
    return given


def clipped(text: str, most: int) -> Content:
    """The longest prefix of whole words within that many tokens."""
    if estimate_context_tokens(text) <= most:
        return Content(text)
    ends = [found.start() for found in _BREAK.finditer(text)]
    fitting, beyond = -1, len(ends)
    while beyond - fitting > 1:
        middle = (fitting + beyond) // 2
        if estimate_context_tokens(text[: ends[middle]]) <= most:
            fitting = middle
        else:
            beyond = middle
    return Content(text[: ends[fitting]] if fitting >= 0 else "", cut=True)
