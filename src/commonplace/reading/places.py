"""Where a folder of this machine really is, and what git keeps of it.

Reads a few small files of git's own; runs no program, follows no configuration.
"""

from __future__ import annotations

import os
from pathlib import Path

from commonplace.errors import LocatorInvalid
from commonplace.reading.port import Repository

_MOST_BYTES = 500_000


class LocalPlaces:
    """Implements port.Places."""

    def folder(self, path: str) -> str:
        try:
            real = os.path.realpath(path, strict=True)
            readable = os.access(real, os.R_OK | os.X_OK)
        except (OSError, ValueError):
            raise LocatorInvalid("There is no such folder.") from None
        if not Path(real).is_dir():
            raise LocatorInvalid("The locator must be that of a folder.")
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
    common = (kept / _text(kept / "commondir").strip()).resolve()
    inner = Path(folder).relative_to(top).as_posix()
    return Repository(
        config=_text(common / "config"),
        common_folder=common.as_posix(),
        inner="" if inner == "." else inner,
    )


def _kept_in(top: Path, git: Path) -> Path:
    """In a worktree and in a submodule `.git` is a file that names the folder."""
    if git.is_dir():
        return git
    return top / _text(git).removeprefix("gitdir:").strip()


def _text(file: Path) -> str:
    """Nothing where there is no such file, or it is none that git wrote."""
    try:
        if not file.is_file() or file.stat().st_size > _MOST_BYTES:
            return ""
        return file.read_text("utf-8", errors="replace")
    except OSError:
        return ""
