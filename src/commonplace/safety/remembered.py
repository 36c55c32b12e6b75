"""Where it is remembered, beyond one process, that nothing was found in a text.

Apart from what examines, which takes long to import and which a command may never need.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Protocol


class HarmlessTexts(Protocol):
    """Their digests, with what they were examined by; nothing is lost where one is forgotten."""

    def has(self, digest: bytes) -> bool: ...

    def add(self, digest: bytes) -> None: ...


class _Kept:
    """Of the applications in this process, in the order in which they began."""

    changing = Lock()
    places: tuple[HarmlessTexts, ...] = ()


@contextmanager
def remembered_in(texts: HarmlessTexts) -> Iterator[None]:
    """Meanwhile what is found harmless is known to others, and after this process.

    What began last is asked and told; when it ends, what began before it is again.
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
