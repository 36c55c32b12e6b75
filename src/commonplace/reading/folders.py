"""Folders on this machine: lists the files worth reading, and reads one of them.

Does not follow symbolic links, so it never opens anything outside.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from commonplace.errors import SourceTooLarge, SourceUnreadable
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.folder import FolderFile, Listing, Unread
from commonplace.reading.ignoring import IGNORE_FILES, Ignoring, ignoring_at
from commonplace.text.filenames import (
    DOCUMENT_SUFFIXES,
    is_made_by_tools,
    is_not_text,
    is_output_folder,
    is_secret_folder,
    is_secret_path,
    is_skipped_folder,
)

_HOLDS_CREDENTIALS = "Its name suggests that it contains credentials."
# Stop counting the files of an oversized folder here.
_MOST_COUNTED = 1_000_000
_INDEX = ".git/index"


@dataclass(frozen=True, slots=True)
class FolderLimits:
    """Limits for a folder: number of files, size of a text and of a document.

    `also_read` has lower-case file names that are read although they usually contain credentials.
    """

    files: int = 5_000
    text_bytes: int = 1_000_000
    document_bytes: int = 50_000_000
    also_read: frozenset[str] = frozenset()

    def bytes_of(self, name: str) -> int:
        return (
            self.document_bytes
            if name.lower().endswith(tuple(DOCUMENT_SUFFIXES))
            else self.text_bytes
        )


class DiskFolders:
    """Implements port.Folders; with `allowed`, only opens what is inside one of those folders."""

    def __init__(self, limits: FolderLimits, allowed: tuple[str, ...] | None = None) -> None:
        self._limits = limits
        self._allowed = allowed

    def list(self, root: str, call: Call = PLAIN_CALL) -> Listing:
        top = self._real(root)
        walk = _Walk(self._limits, call)
        ignoring = ignoring_at(top)
        walk.folder(top, "", ignoring)
        if ignoring.tracked and ignoring.tracked.problem:
            walk.unread.append(Unread(_INDEX, ignoring.tracked.problem))
        if walk.count > self._limits.files:
            raise SourceTooLarge(_too_many(f"{walk.count:,}", self._limits.files))
        files = tuple(sorted(walk.files, key=lambda found: found.path))
        return Listing(files, tuple(sorted(walk.unread, key=lambda unread: unread.path)))

    def read(self, root: str, path: str) -> tuple[FolderFile, bytes]:
        try:
            with os.fdopen(_opened(self._real(root), path), "rb") as file:
                status = os.fstat(file.fileno())
                if not stat.S_ISREG(status.st_mode):
                    raise SourceUnreadable("It is not a regular file.")
                most = self._limits.bytes_of(path)
                data = file.read(most + 1)
        except OSError as error:
            raise SourceUnreadable(_reason(error)) from None
        if len(data) > most:
            raise SourceTooLarge(_too_large(most))
        return FolderFile(path, len(data), status.st_mtime_ns), data

    def _real(self, root: str) -> str:
        """The folder, unless a link to another one has taken its place."""
        folder = Path(root)
        if os.path.realpath(root) != str(folder) or not folder.is_dir():
            raise SourceUnreadable("The folder does not exist, or is a link to another place.")
        if self._allowed is not None and not any(map(folder.is_relative_to, self._allowed)):
            raise SourceUnreadable("This server may not read that folder (COMMONPLACE_ROOTS).")
        return str(folder)


class _Walk:
    """One walk through a folder, and its results so far."""

    def __init__(self, limits: FolderLimits, call: Call) -> None:
        self._limits = limits
        self._call = call
        self.files: list[FolderFile] = []
        self.count = 0
        self.unread: list[Unread] = []

    def folder(self, folder: str, inner: str, ignoring: Ignoring) -> None:
        self._call.check()
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            if not inner:
                raise SourceUnreadable(f"The folder cannot be read: {_reason(error)}") from None
            self.unread.append(Unread(_printable(inner), _reason(error)))
            return
        if any(entry.name in IGNORE_FILES for entry in entries):
            ignoring = ignoring.below(folder)
        for entry in entries:
            self._call.check()
            path = f"{inner}/{entry.name}" if inner else entry.name
            if entry.is_dir(follow_symlinks=False):
                self._descend(entry, path, ignoring)
            elif entry.is_file(follow_symlinks=False):
                self._file(entry, path, ignoring)

    def _descend(self, entry: os.DirEntry[str], path: str, ignoring: Ignoring) -> None:
        if is_skipped_folder(entry.name):
            if is_secret_folder(entry.name) and ignoring.entering(entry.path):
                self.unread.append(Unread(_printable(path), _HOLDS_CREDENTIALS))
            return
        if is_output_folder(entry.name) and not ignoring.declared:
            return
        inner = ignoring.entering(entry.path)
        if inner is not None:
            self.folder(entry.path, path, inner)

    def _file(self, entry: os.DirEntry[str], path: str, ignoring: Ignoring) -> None:
        name = entry.name
        if is_not_text(name) or is_made_by_tools(name) or ignoring.ignores(entry.path):
            return
        if is_secret_path(path) and name.lower() not in self._limits.also_read:
            self.unread.append(Unread(_printable(path), _HOLDS_CREDENTIALS))
            return
        if _printable(path) != path:
            self.unread.append(Unread(_printable(path), "Its name is not valid UTF-8."))
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            # Deleted since the folder was listed.
            return
        most = self._limits.bytes_of(name)
        if status.st_size > most:
            self.unread.append(Unread(path, _too_large(most)))
            return
        self.count += 1
        if self.count <= self._limits.files:
            self.files.append(FolderFile(path, status.st_size, status.st_mtime_ns))
        elif self.count > _MOST_COUNTED:
            raise SourceTooLarge(_too_many(f"more than {_MOST_COUNTED:,}", self._limits.files))


def _opened(root: str, path: str) -> int:
    """Open a file step by step from the root, so that no link on the way can lead outside."""
    *folders, name = _parts(path)
    held = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    for folder in folders:
        try:
            inner = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=held)
        finally:
            os.close(held)
        held = inner
    try:
        return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=held)
    finally:
        os.close(held)


def _parts(path: str) -> list[str]:
    parts = path.split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise SourceUnreadable("The path leads outside the folder.")
    return parts


def _printable(path: str) -> str:
    return path.encode("utf-8", "replace").decode()


def _reason(error: OSError) -> str:
    return f"{(error.strerror or 'unknown reason').capitalize()}."


def _too_many(counted: str, most: int) -> str:
    return (
        f"The folder has {counted} files; {most:,} are allowed (COMMONPLACE_MAX_SOURCE_FILES). "
        "Raise that setting, or attach narrower folders."
    )


def _too_large(most: int) -> str:
    return f"It has more than {most:,} bytes."
