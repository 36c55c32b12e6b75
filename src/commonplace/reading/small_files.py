"""Files that git and people write, read whole if they are not too large."""

from __future__ import annotations

from pathlib import Path

_MOST_BYTES = 500_000


def text_of(file: Path) -> str:
    """Nothing where there is no such file, or one that nobody would write by hand."""
    return bytes_of(file).decode("utf-8", errors="replace")


def bytes_of(file: Path, most: int = _MOST_BYTES) -> bytes:
    """Nothing where there is no such file, or a larger one."""
    try:
        if not file.is_file() or file.stat().st_size > most:
            return b""
        return file.read_bytes()
    except OSError:
        return b""
