"""Tracing spans. Without a tracer, a span costs nothing and imports nothing.

Attributes say what kind of work was done and how much, never what it was about.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext

CALL = "tool"  # the span of a whole call; all other spans are inside one
Attribute = str | int | float | bool
Opener = Callable[[str, Mapping[str, Attribute]], AbstractContextManager[object]]


class _Tracer:
    opener: Opener | None = None


def trace_with(opener: Opener | None) -> None:
    """Open all spans with this function from now on; None turns tracing off."""
    _Tracer.opener = opener


def span(name: str, **attributes: Attribute) -> AbstractContextManager[object]:
    """A span for a piece of work, nested in the current one; does nothing without a tracer."""
    opener = _Tracer.opener
    return opener(name, attributes) if opener else nullcontext()
