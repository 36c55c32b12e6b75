"""Shares the knowledge that a text is harmless beyond one process.

Separate from the examination, which is slow to import and which a command may never need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Protocol


class HarmlessTexts(Protocol):
    """Digests of harmless texts and their examination rules; it may forget any of them."""

    def has(self, digest: bytes) -> bool: ...

    def add(self, digest: bytes) -> None: ...


class _Kept:
    """The stores of the applications in this process, in order of creation."""

    changing = Lock()
    places: tuple[HarmlessTexts, ...] = ()


@contextmanager
def remembered_in(texts: HarmlessTexts) -> Iterator[None]:
    """Use this store for a while to look up and to record harmless texts.

    The store opened last is used; when it is closed, the one before it is used again.
    """
    with _Kept.changing:
        _Kept.places = (*_Kept.places, texts)
    try:
        yield
    finally:
        with _Kept.changing:
            _Kept.places = tuple(each for each in _Kept.places if each is not texts)


def remembered() -> HarmlessTexts | None:
    return next(reversed(_Kept.places), None)
