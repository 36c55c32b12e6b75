"""Skills as folders, the way agent clients keep them: what a folder is called, which files fit."""

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
    """Small letters, digits and hyphens; a number where another skill has the name already."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = _NOT_IN_NAMES.sub("-", plain)[:_LONGEST_NAME].strip("-") or "skill"
    number = 1
    while (chosen := stem if number == 1 else f"{stem}-{number}") in taken:
        number += 1
    return chosen


def checked_files(sizes: dict[str, int]) -> None:
    """Whether so many files of such sizes may belong to one skill, and where they want to be."""
    if len(sizes) > MAX_FILES:
        raise InvalidArgument(f"A skill may have at most {MAX_FILES} files beside {SKILL_FILE}.")
    if sum(sizes.values()) > MAX_BYTES:
        raise InvalidArgument(f"The files of a skill may have at most {MAX_BYTES:,} bytes.")
    for path in sizes:
        checked_path(path)


def checked_path(path: str) -> PurePosixPath:
    """A path that stays inside the folder of its skill."""
    pure = PurePosixPath(path)
    parts = pure.parts
    if not parts or pure.is_absolute() or ".." in parts or "\\" in path or ":" in path:
        raise InvalidArgument("A file of a skill must be inside the skill's folder.")
    return pure
