"""Where it is remembered, beyond one process, that nothing was found in a text.

Apart from what examines, which takes long to import and which a command may never need.
"""

from __future__ import annotations

from typing import Protocol


class HarmlessTexts(Protocol):
    """Their digests, with what they were examined by; nothing is lost where one is forgotten."""

    def has(self, digest: bytes) -> bool: ...

    def add(self, digest: bytes) -> None: ...


class _Kept:
    texts: HarmlessTexts | None = None


def remember_in(texts: HarmlessTexts | None) -> None:
    """Let what is found harmless from now on be known to others, and after this process."""
    _Kept.texts = texts


def remembered() -> HarmlessTexts | None:
    return _Kept.texts
