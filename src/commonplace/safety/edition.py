"""What examining goes by, as a digest: another rule, word, weight or line of code makes another."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from unicodedata import unidata_version

_READ = (".py", ".toml", ".txt", ".bin")


@cache
def edition() -> bytes:
    """The same in all processes that find the same in every text."""
    package = files("commonplace")
    # What of a text is code is told by another room.
    return digest_of([package / "safety", package / "text" / "markdown.py"])


def digest_of(read: Iterable[Traversable]) -> bytes:
    """A digest of files, and of all in folders; what is a letter is said by this Python."""
    told = sha256(f"{sys.version} {unidata_version}".encode())
    for file in _files(read):
        told.update(sha256(file.read_bytes()).digest())
    return told.digest()


def _files(read: Iterable[Traversable]) -> Iterator[Traversable]:
    for found in read:
        if found.is_dir():
            yield from _files(sorted(found.iterdir(), key=lambda each: each.name))
        elif found.name.endswith(_READ) and found.is_file():
            yield found
