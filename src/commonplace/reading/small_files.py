"""Small files that git and people write by hand, read whole."""

from __future__ import annotations

from pathlib import Path

_MOST_BYTES = 500_000


def text_of(file: Path) -> str:
    """Nothing where there is no such file, or one that nobody would write by hand."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return ""
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
