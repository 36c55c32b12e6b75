"""Bodies as they come over HTTP, unpacked in small steps: size is counted before it is held.

Decides which encodings are asked for: only those whose unpacking can be stopped at any byte.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from commonplace.errors import SourceUnreachable

ACCEPTED_ENCODINGS = "gzip, deflate"
_GZIP, _ZLIB, _BARE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_STEP = 1 << 16
_DAMAGED = "The page is damaged: what it is packed in cannot be unpacked."


class Unpacking(Protocol):
    """Portions of a body in, portions of at most `_STEP` bytes of its content out."""

    def portions(self, packed: bytes) -> Iterator[bytes]: ...

    def finish(self) -> None:
        """Raises where the body ended too early."""


def unpacking_of(encoding: str) -> Unpacking:
    """`encoding` is the header; one inside another is refused, because nobody needs that."""
    named = [name.strip().lower() for name in encoding.split(",") if name.strip()]
    kinds = [name for name in named if name != "identity"]
    if not kinds:
        return _Plain()
    if kinds in (["gzip"], ["x-gzip"]):
        return _Packed(_GZIP)
    if kinds == ["deflate"]:
        return _Packed(_ZLIB, otherwise=_BARE)
    raise SourceUnreachable("The page is packed in a way that was not asked for.")


class _Plain:
    def portions(self, packed: bytes) -> Iterator[bytes]:
        yield packed

    def finish(self) -> None:
        pass


class _Packed:
    """`otherwise` is tried where the first bytes do not fit: some servers leave out a header."""

    def __init__(self, window: int, otherwise: int | None = None) -> None:
        self._window = window
        self._otherwise = otherwise
        self._stream = zlib.decompressobj(window)
        self._begun = False

    def portions(self, packed: bytes) -> Iterator[bytes]:
        while packed:
            portion = self._step(packed)
            self._begun = True
            packed = self._stream.unconsumed_tail
            if portion:
                yield portion
            if self._stream.eof:
                packed = self._next_member()

    def finish(self) -> None:
        if self._begun and not self._stream.eof:
            raise SourceUnreachable(_DAMAGED)

    def _step(self, packed: bytes) -> bytes:
        try:
            return self._stream.decompress(packed, _STEP)
        except zlib.error:
            if self._begun or self._otherwise is None:
                raise SourceUnreachable(_DAMAGED) from None
        self._stream, self._otherwise = zlib.decompressobj(self._otherwise), None
        return self._step(packed)

    def _next_member(self) -> bytes:
        """What follows is another member of a gzip file; anything else is left out."""
        rest = self._stream.unused_data
        if self._window != _GZIP or not rest.startswith(b"\x1f\x8b"):
            return b""
        self._stream = zlib.decompressobj(_GZIP)
        return rest
