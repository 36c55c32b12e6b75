"""A set of digests in a file that all processes of a home share; bounded, and it may forget.

Without locks: of two writers to a slot the later one wins, and a torn write matches no digest.
"""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from io import FileIO
from pathlib import Path

# Full SHA-256 digests, so that nobody can construct another text with a stored digest.
DIGEST_BYTES = 32
_PLACES = 8
_ROW_BYTES = _PLACES * DIGEST_BYTES
# With eight slots per row, a quarter of a million digests in 8 MB.
ROWS = 1 << 15
_NOTHING = bytes(DIGEST_BYTES)
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0)


class DigestFile:
    """Implements port.DigestSet; opens the file on first use."""

    def __init__(self, path: Path, rows: int = ROWS) -> None:
        self._path = path
        self._rows = rows
        self._lock = threading.Lock()
        self._file: FileIO | None = None
        self._given_up = False

    def has(self, digest: bytes) -> bool:
        with self._lock:
            return digest in self._row(self._start_of(digest))

    def add(self, digest: bytes) -> None:
        """Write to a free slot of the row, else to one that the digest determines."""
        start = self._start_of(digest)
        with self._lock:
            row = self._row(start)
            if digest in row:
                return
            place = row.index(_NOTHING) if _NOTHING in row else digest[-1] % _PLACES
            with suppress(OSError):
                if file := self._opened():
                    file.seek(start + place * DIGEST_BYTES)
                    file.write(digest)

    def close(self) -> None:
        with self._lock:
            self._given_up = True
            if self._file:
                self._file.close()
                self._file = None

    def _start_of(self, digest: bytes) -> int:
        return int.from_bytes(digest[:4], "little") % self._rows * _ROW_BYTES

    def _row(self, start: int) -> list[bytes]:
        """The slots of a row; empty where the file is too short."""
        found = b""
        with suppress(OSError):
            if file := self._opened():
                file.seek(start)
                found = file.read(_ROW_BYTES)
        found = found.ljust(_ROW_BYTES, b"\0")
        return [found[at : at + DIGEST_BYTES] for at in range(0, _ROW_BYTES, DIGEST_BYTES)]

    def _opened(self) -> FileIO | None:
        """The file; None if it cannot be created or opened."""
        if self._file is None and not self._given_up:
            try:
                self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                number = os.open(self._path, _FLAGS, 0o600)
            except OSError:
                self._given_up = True
            else:
                self._file = FileIO(number, "r+")
        return self._file
