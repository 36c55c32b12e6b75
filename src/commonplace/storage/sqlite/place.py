"""The database file on disk: its permissions, its identity, and whether it is in use.

Never opens the file itself, because closing it would drop SQLite's locks on it.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from commonplace.errors import StorageBusy, StorageGone, StorageUnavailable

# Without such locks, other users of the file go unnoticed.
_LOCKS: Any = import_module("fcntl") if os.name == "posix" else None
OWNER_ONLY = 0o600
_OTHERS = 0o077
_BESIDE = ("", "-wal", "-shm")

_Identity = tuple[int, int]


def files_of(file: Path) -> list[Path]:
    """The database file and SQLite's files next to it."""
    return [file.with_name(file.name + suffix) for suffix in _BESIDE]


def _is_wide(path: Path) -> bool:
    """Whether accounts other than the owner have access."""
    try:
        return bool(path.stat().st_mode & _OTHERS)
    except OSError:
        return False


def make_private(file: Path) -> None:
    """Restrict the file to its owner, regardless of folder and umask; SQLite gives its files the
    same mode."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.path.lexists(file):
            with suppress(FileExistsError):
                os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY))
    except OSError as error:
        raise _unusable(error) from error
    for path in files_of(file):
        if _is_wide(path) and path.is_file():
            # Owned by somebody else, or on a read-only disk: `doctor` reports it.
            with suppress(OSError):
                path.chmod(OWNER_ONLY)


def _unusable(error: OSError) -> StorageUnavailable:
    reason = (error.strerror or "unknown reason").lower()
    return StorageUnavailable(f"The data folder cannot be created or used: {reason}.")


def is_writable(file: Path) -> bool:
    """Whether this process may write the file, with its effective user id."""
    effective = os.access in os.supports_effective_ids
    return os.access(file, os.W_OK, effective_ids=effective) and os.access(
        file.parent, os.W_OK | os.X_OK, effective_ids=effective
    )


class SameFile:
    """Notices if the opened files were replaced, since writes to the old ones would be lost."""

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
    """A shared lock that a process holds while it has the database open."""

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
    """Whether any process has the database open."""
    descriptor = _lock_file(file)
    if descriptor is None:
        return False
    try:
        return not _locked(descriptor, shared=False)
    finally:
        os.close(descriptor)


def _lock_file(file: Path) -> int | None:
    """The lock file; None if it cannot be written, where no restore is possible either."""
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
    """Rename the file, or whatever is in its place, together with the files next to it."""
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
    """Whether it is a regular file; pipes and folders must not be opened."""
    with suppress(OSError):
        return stat.S_ISREG(file.stat().st_mode)
    return False
