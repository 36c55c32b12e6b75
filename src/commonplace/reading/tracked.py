"""Which files of a working tree git keeps, whatever its ignore rules say: those of its index.

An index that cannot be read keeps nothing; whatever it says, only files of the tree are read.
"""

from __future__ import annotations

import struct
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from commonplace.reading.small_files import bytes_of

_MOST_BYTES = 50_000_000
_SIGNATURE = b"DIRC"
_VERSIONS = frozenset({2, 3, 4})
_FIXED, _FLAGS_AT = 62, 60  # bytes of an entry before its name, the last two of them its flags
_EXTENDED, _MORE_FLAGS = 0x4000, 2


class Tracked:
    """Asked only about what is ignored, so the index is read when that happens first."""

    def __init__(self, top: Path, index: Path) -> None:
        self._top = f"{top}/"
        self._index = index

    def holds(self, path: str) -> bool:
        """An absolute path; a folder's ends in a slash, and holds what lies below it."""
        wanted = path.removeprefix(self._top)
        at = bisect_left(self._names, wanted)
        if at == len(self._names):
            return False
        found = self._names[at]
        return found.startswith(wanted) if wanted.endswith("/") else found == wanted

    @cached_property
    def _names(self) -> list[str]:
        return sorted(names_in(bytes_of(self._index, _MOST_BYTES)))


def names_in(index: bytes) -> list[str]:
    """Paths from the top of the tree; none of an index that is broken or of another kind."""
    if index[:4] != _SIGNATURE:
        return []
    try:
        return [name.decode("utf-8", "surrogateescape") for name in _names(index)]
    except (struct.error, ValueError, IndexError):
        return []


def _names(index: bytes) -> Iterator[bytes]:
    version, count = struct.unpack_from(">II", index, 4)
    if version not in _VERSIONS:
        return
    at, name, length = 12, b"", 0
    for _ in range(count):
        (flags,) = struct.unpack_from(">H", index, at + _FLAGS_AT)
        start = at + _FIXED + (_MORE_FLAGS if flags & _EXTENDED else 0)
        kept = 0
        if version == 4:
            dropped, start = _number(index, start)
            kept = len(name) - dropped
        end = index.index(b"\0", start)
        name = name[:kept] + index[start:end]
        # Before version 4 entries are filled up to a multiple of eight.
        at = end + 1 if version == 4 else at + ((end - at + 8) & ~7)
        # A name may share all but its end with the one before: few bytes can say very many.
        length += len(name)
        if length > _MOST_BYTES:
            raise ValueError
        yield name


def _number(index: bytes, at: int) -> tuple[int, int]:
    """A number in seven bits a byte, the most significant first, and where it ends."""
    value = index[at] & 0x7F
    while index[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (index[at] & 0x7F)
    return value, at + 1
