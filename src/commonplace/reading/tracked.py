"""Which files git tracks, according to its index; tracked files are never ignored.

An unreadable index tracks nothing. A split index is not merged, which is reported.
"""

from __future__ import annotations

import re
import struct
from bisect import bisect_left
from dataclasses import dataclass, replace
from pathlib import Path

from commonplace.reading.small_files import bytes_of

_MOST_BYTES = 50_000_000
_SIGNATURE = b"DIRC"
_VERSIONS = frozenset({2, 3, 4})
_BEFORE_HASH, _FLAGS = 40, 2  # bytes of an entry before its hash, and between the hash and its name
_EXTENDED, _MORE_FLAGS = 0x4000, 2
_SHA1, _SHA256 = 20, 32  # bytes of a hash
_LINK, _EXTENSION_HEAD = b"link", 8
_IN_SHA256 = re.compile(
    r"^[ \t]*+objectformat[ \t]*+=[ \t]*+\"?sha256", re.IGNORECASE | re.MULTILINE
)
SPLIT = "Git keeps this index in several files: what it tracks and also ignores is not read."


@dataclass(frozen=True, slots=True)
class Index:
    """The paths in an index, relative to the top of the tree; `split` if another file has more."""

    names: list[str]
    split: bool = False


class Tracked:
    """The tracked files. Only needed for ignored paths, so the index is read on first use."""

    def __init__(self, top: Path, index: Path, config: str = "") -> None:
        self._top = f"{top}/"
        self._index = index
        self._hash = _SHA256 if _IN_SHA256.search(config) else _SHA1
        self._read: Index | None = None

    @property
    def problem(self) -> str:
        """Why the list of tracked files is incomplete, if it was used and is."""
        return SPLIT if self._read and self._read.split else ""

    def holds(self, path: str) -> bool:
        """Whether a path is tracked; for a folder (trailing slash), whether anything below it
        is."""
        if self._read is None:
            found = index_in(bytes_of(self._index, _MOST_BYTES), self._hash)
            self._read = replace(found, names=sorted(found.names))
        names = self._read.names
        wanted = path.removeprefix(self._top)
        at = bisect_left(names, wanted)
        if at == len(names):
            return False
        return names[at].startswith(wanted) if wanted.endswith("/") else names[at] == wanted


def index_in(data: bytes, hash_bytes: int = _SHA1) -> Index:
    """Parse an index; without paths if it is damaged or has an unknown format."""
    if data[:4] != _SIGNATURE:
        return Index([])
    try:
        return _index(data, hash_bytes)
    except (struct.error, ValueError, IndexError):
        return Index([])


def _index(data: bytes, hash_bytes: int) -> Index:
    version, count = struct.unpack_from(">II", data, 4)
    if version not in _VERSIONS:
        return Index([])
    names, at, name, length = list[str](), 12, b"", 0
    for _ in range(count):
        start = at + _BEFORE_HASH + hash_bytes
        (flags,) = struct.unpack_from(">H", data, start)
        start += _FLAGS + (_MORE_FLAGS if flags & _EXTENDED else 0)
        kept = 0
        if version == 4:
            dropped, start = _number(data, start)
            kept = len(name) - dropped
        end = data.index(b"\0", start)
        name = name[:kept] + data[start:end]
        # Before version 4, entries are padded to a multiple of eight.
        at = end + 1 if version == 4 else at + ((end - at + 8) & ~7)
        # Names share prefixes, so that a few bytes can encode very many characters.
        length += len(name)
        if length > _MOST_BYTES:
            raise ValueError
        names.append(name.decode("utf-8", "surrogateescape"))
    return Index([name for name in names if name], _is_split(data, at, hash_bytes))


def _is_split(data: bytes, at: int, hash_bytes: int) -> bool:
    """Whether an extension after the entries links to another index."""
    while at + _EXTENSION_HEAD <= len(data) - hash_bytes:
        kind, size = struct.unpack_from(">4sI", data, at)
        if kind == _LINK:
            return True
        at += _EXTENSION_HEAD + size
    return False


def _number(index: bytes, at: int) -> tuple[int, int]:
    """Decode a number with seven bits per byte, most significant first; returns it and its end."""
    value = index[at] & 0x7F
    while index[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (index[at] & 0x7F)
        if value > _MOST_BYTES:
            raise ValueError
    return value, at + 1
