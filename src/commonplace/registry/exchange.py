"""Skills as folders, as agent clients store them: folder names, and which files are allowed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from pathlib import PurePosixPath

from commonplace.errors import InvalidArgument

SKILL_FILE = "SKILL.md"
MAX_FILES = 200
MAX_BYTES = 8_000_000
_LONGEST_NAME = 64
_NOT_IN_NAMES = re.compile(r"[^a-z0-9]+")


def folder_name(name: str, taken: Collection[str]) -> str:
    """A folder name of lower-case letters, digits and hyphens; with a number if it is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = _NOT_IN_NAMES.sub("-", plain)[:_LONGEST_NAME].strip("-") or "skill"
    number = 1
    while (chosen := stem if number == 1 else f"{stem}-{number}") in taken:
        number += 1
    return chosen


def checked_files(sizes: dict[str, int]) -> None:
    """Check the number, sizes and paths of a skill's files."""
    if len(sizes) > MAX_FILES:
        raise InvalidArgument(f"A skill may have at most {MAX_FILES} files beside {SKILL_FILE}.")
    if sum(sizes.values()) > MAX_BYTES:
        raise InvalidArgument(f"The files of a skill may have at most {MAX_BYTES:,} bytes.")
    for path in sizes:
        checked_path(path)


def checked_path(path: str) -> PurePosixPath:
    """The path, if it stays inside the skill's folder."""
    pure = PurePosixPath(path)
    parts = pure.parts
    if not parts or pure.is_absolute() or ".." in parts or "\\" in path or ":" in path:
        raise InvalidArgument("A file of a skill must be inside the skill's folder.")
    return pure
