"""A digest of the examination rules: any changed rule, word, weight or line of code changes it."""

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
    """Equal in all processes that have the same findings for every text."""
    package = files("commonplace")
    # Another room decides what of a text is code.
    return digest_of([package / "safety", package / "text" / "markdown.py"])


def digest_of(read: Iterable[Traversable]) -> bytes:
    """A digest of files and folders, and of this Python version, which defines what a letter is."""
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
