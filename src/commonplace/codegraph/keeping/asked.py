"""Which names a file's links asked which files and packages for, kept in few bytes.

By marks of four letters: a name may be taken for one that was asked for, never the other way round.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable, Mapping
from zlib import crc32

_LENGTH = 4


def mark(place: str, name: str) -> str:
    told = f"{place} {name}".encode(errors="surrogatepass")
    return b2a_base64(crc32(told).to_bytes(4, "big")[1:], newline=False).decode()


def marks(place: str, names: Iterable[str]) -> set[str]:
    return {mark(place, name) for name in names}


def written(asked: Mapping[str, Iterable[str]]) -> str:
    """Encodes, by place, the names that it was asked for."""
    return "".join(sorted({each for place, names in asked.items() for each in marks(place, names)}))


def any_of(wanted: set[str], asked: str) -> bool:
    starts = range(0, len(asked), _LENGTH)
    return any(asked[start : start + _LENGTH] in wanted for start in starts)
