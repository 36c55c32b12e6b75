"""Spans of work, for whoever traces; costs nothing and imports nothing until somebody does.

Attributes say what kind of work it was and how much, never what it was about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext

CALL = "tool"  # the span of a call; the others are inside of one
Attribute = str | int | float | bool
Opener = Callable[[str, Mapping[str, Attribute]], AbstractContextManager[object]]


class _Tracer:
    opener: Opener | None = None


def trace_with(opener: Opener | None) -> None:
    """Let spans be opened so from now on; None ends tracing."""
    _Tracer.opener = opener


def span(name: str, **attributes: Attribute) -> AbstractContextManager[object]:
    """A piece of work inside whichever span is open around it."""
    opener = _Tracer.opener
    return opener(name, attributes) if opener else nullcontext()
