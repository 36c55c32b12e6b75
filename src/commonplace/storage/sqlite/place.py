"""The database file on its disk: for its owner only, the same one all the while, and who uses it.

The file itself is never opened here: to close it again would drop the locks that SQLite has on it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from commonplace.errors import StorageBusy, StorageGone, StorageUnavailable

# Where there are no such locks, nobody is noticed.
_LOCKS: Any = import_module("fcntl") if os.name == "posix" else None
OWNER_ONLY = 0o600
_OTHERS = 0o077
_BESIDE = ("", "-wal", "-shm")

_Identity = tuple[int, int]


def files_of(file: Path) -> list[Path]:
    """The database and what SQLite keeps beside it."""
    return [file.with_name(file.name + suffix) for suffix in _BESIDE]


def _is_wide(path: Path) -> bool:
    """Whether others than its owner may do something with it."""
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def make_private(file: Path) -> None:
    """Leave the file to its owner alone, whatever folder and umask say; SQLite does the same."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.path.lexists(file):
            with suppress(FileExistsError):
                os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except OSError as error:
        raise _unusable(error) from error
    for path in files_of(file):
        if _is_wide(path) and path.is_file():
            # Of somebody else, or on a disk that cannot be written: `doctor` says so.
            with suppress(OSError):
                path.chmod(OWNER_ONLY)


def _unusable(error: OSError) -> StorageUnavailable:
    reason = (error.strerror or "unknown reason").lower()
    return StorageUnavailable(f"The data folder cannot be made or used: {reason}.")


def is_writable(file: Path) -> bool:
    """Whether this process may write it, as whoever it acts right now."""
    effective = os.access in os.supports_effective_ids
    return os.access(file, os.W_OK, effective_ids=effective) and os.access(
        file.parent, os.W_OK | os.X_OK, effective_ids=effective
    )


class SameFile:
    """Knows the files that were opened again: what is written to others is lost."""

    def __init__(self, file: Path) -> None:
        self._paths = files_of(file)[:2]
        self._known = [_identity(path) for path in self._paths]

    def check(self) -> None:
        database, log = (_identity(path) for path in self._paths)
        known_log = self._known[1]
        if database != self._known[0] or (known_log and log != known_log):
            raise StorageGone
        self._known[1] = log


def _identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


class DatabaseUse:
    """Held while a process has the database open, so that others notice; many may at once."""

    def __init__(self, file: Path) -> None:
        self._descriptor = _lock_file(file)
        if self._descriptor is not None and not _locked(self._descriptor, shared=True):
            self.end()
            raise StorageBusy("The database is being restored; try again in a moment.")

    def end(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_used(file: Path) -> bool:
    """Whether some process has it open right now."""
    descriptor = _lock_file(file)
    if descriptor is None:
        return False
    try:
        return not _locked(descriptor, shared=False)
    finally:
        os.close(descriptor)


def _lock_file(file: Path) -> int | None:
    """None where nothing can be written: nobody restores there either."""
    try:
        place = file.with_name(f"{file.name}.lock")
        return os.open(place, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except OSError:
        return None


def _locked(descriptor: int, *, shared: bool) -> bool:
    if _LOCKS is None:
        return True
    try:
        wanted = _LOCKS.LOCK_SH if shared else _LOCKS.LOCK_EX
        _LOCKS.flock(descriptor, wanted | _LOCKS.LOCK_NB)
    except OSError:
        return False
    return True


def moved_aside(file: Path, label: str) -> Path:
    """The file, or whatever is in its place, and what is beside it under another name."""
    target = file.with_name(f"{file.name}.{label}")
    number = 1
    while os.path.lexists(target):
        number += 1
        target = file.with_name(f"{file.name}.{label}-{number}")
    for old, new in zip(files_of(file), files_of(target), strict=True):
        with suppress(FileNotFoundError):
            old.rename(new)
    return target


def is_regular(file: Path) -> bool:
    """Whether a file is there; a pipe or a folder is not to be opened at all."""
    with suppress(OSError):
        return stat.S_ISREG(file.stat().st_mode)
    return False
