"""The result of listing a folder: its files, and what could not be read."""

from __future__ import annotations

from dataclasses import dataclass

# The chunk kind of files.
FILE_KIND = "file"


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file in a folder; `path` is relative to the folder, with forward slashes."""

    path: str
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that could not be read, and why."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """A folder's files, sorted by path, without ignored and binary files."""

    files: tuple[FolderFile, ...]
    unread: tuple[Unread, ...] = ()
