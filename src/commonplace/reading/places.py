"""Resolves local folders, and finds the git repository around them.

Reads a few small git files; runs no program and evaluates no configuration.
"""

from __future__ import annotations

import os
from pathlib import Path

from commonplace.errors import LocatorInvalid
from commonplace.reading.port import Repository
from commonplace.reading.small_files import text_of


class LocalPlaces:
    """Implements port.Places."""

    def folder(self, path: str) -> str:
        try:
            real = os.path.realpath(path, strict=True)
            readable = os.access(real, os.R_OK | os.X_OK)
        except (OSError, ValueError):
            raise LocatorInvalid("There is no such folder.") from None
        if not Path(real).is_dir():
            raise LocatorInvalid("The locator must name a folder.")
        if not readable:
            raise LocatorInvalid("The folder cannot be read.")
        return real.replace("\\", "/")

    def repository(self, folder: str) -> Repository | None:
        for top in (Path(folder), *Path(folder).parents):
            git = top / ".git"
            if git.exists():
                return _repository(top, git, folder)
        return None


def _repository(top: Path, git: Path, folder: str) -> Repository:
    kept = _kept_in(top, git)
    common = (kept / text_of(kept / "commondir").strip()).resolve()
    inner = Path(folder).relative_to(top).as_posix()
    return Repository(
        config=text_of(common / "config"),
        common_folder=common.as_posix(),
        inner="" if inner == "." else inner,
    )


def _kept_in(top: Path, git: Path) -> Path:
    """The git directory; in worktrees and submodules, `.git` is a file that names it."""
    if git.is_dir():
        return git
    return top / text_of(git).removeprefix("gitdir:").strip()
