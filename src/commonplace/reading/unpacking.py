"""Decompresses HTTP bodies in small steps, so that their size is checked before it takes memory.

Accepts only encodings whose decompression can be stopped at any byte.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Protocol

from commonplace.errors import SourceUnreachable

ACCEPTED_ENCODINGS = "gzip, deflate"
_GZIP, _ZLIB, _BARE = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS
_STEP = 1 << 16
_DAMAGED = "The page is damaged: it cannot be decompressed."


class Unpacking(Protocol):
    """Takes portions of a body, and yields portions of its content of at most `_STEP` bytes."""

    def portions(self, packed: bytes) -> Iterator[bytes]: ...

    def finish(self) -> None:
        """Raise an error if the body ended early."""


def unpacking_of(encoding: str) -> Unpacking:
    """The decoder for a Content-Encoding header; nested encodings are refused, as nobody needs
    them."""
    named = [name.strip().lower() for name in encoding.split(",") if name.strip()]
    kinds = [name for name in named if name != "identity"]
    if not kinds:
        return _Plain()
    if kinds in (["gzip"], ["x-gzip"]):
        return _Packed(_GZIP)
    if kinds == ["deflate"]:
        return _Packed(_ZLIB, otherwise=_BARE)
    raise SourceUnreachable("The page uses a compression that was not requested.")


class _Plain:
    def portions(self, packed: bytes) -> Iterator[bytes]:
        yield packed

    def finish(self) -> None:
        pass


class _Packed:
    """A zlib decoder; `otherwise` is tried if the first bytes do not fit, as some servers omit a
    header."""

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
        """Start the next member of a gzip file; any other trailing data is ignored."""
        rest = self._stream.unused_data
        if self._window != _GZIP or not rest.startswith(b"\x1f\x8b"):
            return b""
        self._stream = zlib.decompressobj(_GZIP)
        return rest
