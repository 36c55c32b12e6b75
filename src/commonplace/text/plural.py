"""A number with its noun in singular or plural."""

from __future__ import annotations


def plural(count: int, name: str, many: str = "") -> str:
    """The count with its noun; `many` is the plural of a noun that does not just add an s."""
    return f"{count:,} {name if count == 1 else many or f'{name}s'}"
