"""What a look at a folder gives: its files, and what could not be read of it."""

from __future__ import annotations

from dataclasses import dataclass

# What the chunks of files are called.
FILE_KIND = "file"


@dataclass(frozen=True, slots=True)
class FolderFile:
    """A file of a folder; `path` is relative to it, with forward slashes."""

    path: str
    size: int
    modified_ns: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A file or folder that should have been read, and why it was not."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """By path. What a project ignores, and what is no text, is in neither."""

    files: tuple[FolderFile, ...]
    unread: tuple[Unread, ...] = ()
