"""Reads small files whole, such as those of git's configuration."""

from __future__ import annotations

import stat
from pathlib import Path

_MOST_BYTES = 500_000


def text_of(file: Path) -> str:
    """The text of a file; empty if it does not exist or is implausibly large."""
    return bytes_of(file).decode("utf-8", errors="replace")


def bytes_of(file: Path, most: int = _MOST_BYTES) -> bytes:
    """The bytes of a file; empty if it does not exist or is larger than `most`."""
    try:
        status = file.stat()
        usual = stat.S_ISREG(status.st_mode) and status.st_size <= most
        return file.read_bytes() if usual else b""
    except OSError:
        return b""
