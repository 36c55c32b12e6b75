"""Marks of name lookups: which names a file's links looked up in which files and packages.

A mark is a hash of four letters, so that a file's lookups fit into few bytes. Two lookups may share
a mark: a file may be linked again needlessly, but none that needs it is missed.
"""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Iterable, Mapping
from zlib import crc32

_LENGTH = 4


def mark(place: str, name: str) -> str:
    lookup = f"{place} {name}".encode(errors="surrogatepass")
    return b2a_base64(crc32(lookup).to_bytes(4, "big")[1:], newline=False).decode()


def marks(place: str, names: Iterable[str]) -> set[str]:
    return {mark(place, name) for name in names}


def encode_lookups(lookups: Mapping[str, Iterable[str]]) -> str:
    """Encode the names that were looked up in each place."""
    found = {each for place, names in lookups.items() for each in marks(place, names)}
    return "".join(sorted(found))


def contains_any(encoded: str, wanted: set[str]) -> bool:
    """Whether any of the wanted marks is among the encoded lookups."""
    starts = range(0, len(encoded), _LENGTH)
    return any(encoded[start : start + _LENGTH] in wanted for start in starts)
