"""The description at the end of a graph file: written, read and verified.

A file holds the graph, the vector keys, the chunk keys, a description in JSON, and a seal.
"""

from __future__ import annotations

import hashlib
import json
import struct
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from commonplace.storage.sqlite.vectors.port import VectorBatch, VectorFeed

_SEAL = struct.Struct("<IQI8s")  # description length, length of all before it, checksum, magic
_MAGIC = b"cpgraph1"
_BLOCK = 1 << 20


Stamp = tuple[int, int, int]


class GraphUnusable(Exception):
    """The file cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """Which vectors a graph holds, with digests of a few, to recognise the database it is from."""

    org: str
    model: str
    dimension: int
    count: int
    last_key: int
    last_removal: int
    samples: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Seal:
    coverage: Coverage
    body_bytes: int
    checksum: int
    size: int


def stamp_of(path: Path) -> Stamp | None:
    """Identifies the file at a path, to notice when it is replaced; None if there is no file."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def digests(batch: VectorBatch) -> dict[str, str]:
    """A digest of each vector, by key."""
    if not batch.keys:
        return {}
    size = len(batch.data) // len(batch.keys)
    pieces = (batch.data[start : start + size] for start in range(0, len(batch.data), size))
    return {
        str(key): hashlib.sha256(piece).hexdigest()[:32]
        for key, piece in zip(batch.keys, pieces, strict=True)
    }


def belongs(coverage: Coverage, feed: VectorFeed) -> bool:
    """Whether this database has the sampled vectors, or has removed them since."""
    gone = feed.removed(coverage.last_removal)
    if gone is None or coverage.last_removal > feed.last_removal():
        return False
    removed = {str(key) for _, key in gone}
    there = digests(feed.stored([int(key) for key in coverage.samples]))
    return all(
        there.get(key) == digest or (key not in there and key in removed)
        for key, digest in coverage.samples.items()
    )


def append_seal(file: IO[bytes], coverage: Coverage) -> None:
    """Append the description and the seal to a file open for reading and appending."""
    file.seek(0)
    checksum = 0
    while block := file.read(_BLOCK):
        checksum = zlib.crc32(block, checksum)
    body_bytes = file.tell()
    description = json.dumps(asdict(coverage), sort_keys=True).encode()
    file.write(description)
    checksum = zlib.crc32(description, checksum)
    file.write(_SEAL.pack(len(description), body_bytes, checksum, _MAGIC))


def read_seal(path: Path) -> Seal:
    """Read the description only; the checksum is not verified yet."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            if size < _SEAL.size:
                raise GraphUnusable("too short")
            file.seek(size - _SEAL.size)
            length, body_bytes, checksum, magic = _SEAL.unpack(file.read())
            if magic != _MAGIC or body_bytes + length + _SEAL.size != size:
                raise GraphUnusable("incomplete, or of another format")
            file.seek(body_bytes)
            description = file.read(length)
    except OSError as error:
        raise GraphUnusable("cannot be read") from error
    try:
        coverage = Coverage(**json.loads(description))
    except (ValueError, TypeError) as error:
        raise GraphUnusable("no readable description") from error
    return Seal(coverage, body_bytes, checksum, size)


def check_sum(data: memoryview, seal: Seal) -> None:
    whole = len(data) == seal.size
    if not whole or zlib.crc32(data[: len(data) - _SEAL.size]) != seal.checksum:
        raise GraphUnusable("damaged")
