"""The source policy: which shapes, locators and folders can be attached.

Paths are absolute, with forward slashes. Does not access the disk.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote, unquote, urlsplit

from commonplace.errors import (
    LocatorInvalid,
    SourceOutsideProject,
    SourceSensitive,
    SourceTooBroad,
    SourceUnsupported,
)
from commonplace.model.workspace import KnowledgeType
from commonplace.text.filenames import is_secret_file, is_secret_folder

LONGEST_LOCATOR = 4000
_FOLDER = "folder"
_ATTACHABLE = (KnowledgeType.DOCS, KnowledgeType.CODE)
_DRIVE = re.compile(r"^/?[A-Za-z]:(/|$)")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]+:")
# System folders, which contain no sources at all.
_CLOSED = ("/boot", "/dev", "/etc", "/private/etc", "/proc", "/run", "/sys")
# Folders shared by many; only folders below them can be sources.
_SHARED = (
    "applications", "bin", "home", "lib", "lib32", "lib64", "library", "media", "mnt", "opt",
    "private", "private/tmp", "private/var", "private/var/tmp", "program files",
    "program files (x86)", "programdata", "root", "sbin", "srv", "system", "tmp", "users", "usr",
    "usr/bin", "usr/lib", "usr/local", "usr/share", "var", "var/lib", "var/log", "var/tmp",
    "volumes", "windows",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class HostPaths:
    """Facts about the machine. `allowed` are the only folders that may be read; None means any."""

    home: str | None = None
    temporary: tuple[str, ...] = ()
    own_data: str | None = None
    allowed: tuple[str, ...] | None = None


Bounds = Callable[[str, HostPaths], None]
"""Refuses paths out of bounds: `refuse_broad`, or what `within_roots` returns."""
_ANYWHERE = HostPaths()


def checked_shape(knowledge_type: str, resource_kind: str) -> KnowledgeType:
    """The kind of source, if folders of that kind can be attached."""
    if resource_kind == _FOLDER and knowledge_type in _ATTACHABLE:
        return KnowledgeType(knowledge_type)
    raise SourceUnsupported(
        "Only folders of docs and of code_intelligence can be attached "
        f"(knowledgeType {knowledge_type}, resourceKind {resource_kind})."
    )


def path_of(locator: str) -> str:
    """The absolute path that a locator means; it may be a file URL."""
    if "\0" in locator or len(locator) > LONGEST_LOCATOR:
        raise LocatorInvalid("That is not the path of a folder.")
    path = locator.replace("\\", "/") if _DRIVE.match(locator.replace("\\", "/")) else locator
    if _SCHEME.match(path) and not _DRIVE.match(path):
        path = _path_of_url(path)
    if not (path.startswith("/") or _DRIVE.match(path)):
        raise LocatorInvalid(
            "Give the full path of the folder, such as /srv/shop, or its file:// URL."
        )
    return path


def _path_of_url(url: str) -> str:
    try:
        split = urlsplit(url)
    except ValueError:
        raise LocatorInvalid("The locator is not a URL.") from None
    if split.scheme != "file":
        raise LocatorInvalid(f"A folder cannot be attached by {split.scheme}; use a file:// URL.")
    if split.netloc not in ("", "localhost"):
        raise LocatorInvalid("A file:// URL must name a folder of this machine: file:///path.")
    if split.query or split.fragment:
        raise LocatorInvalid("Write ? and # in a file:// URL as %3F and %23.")
    path = unquote(split.path)
    if "\0" in path:
        raise LocatorInvalid("That is not the path of a folder.")
    return path[1:] if _DRIVE.match(path) else path


def url_of(path: str) -> str:
    """The locator under which a folder is shown."""
    return f"file://{'' if path.startswith('/') else '/'}{quote(path, safe='/:@+,=~!$&()*;')}"


def refuse_sensitive(path: str, around: HostPaths) -> None:
    """Refuse paths where credentials are stored, ignoring case."""
    named = [part for part in PurePosixPath(path).parts if _is_credential(part)]
    if named or (around.own_data and is_within(path, around.own_data)):
        raise SourceSensitive
    if "/.config/gcloud" in path.casefold() or "/library/keychains" in path.casefold():
        raise SourceSensitive


def _is_credential(part: str) -> bool:
    """Whether a path component is a typical credential name. Plain words, which are common folder
    names, only count with a dot or underscore."""
    telling = "." in part or "_" in part
    return is_secret_folder(part) or (telling and is_secret_file(part))


def refuse_not_allowed(path: str, around: HostPaths, given: str, bounds: Bounds) -> None:
    """Refuse folders that a team server was not allowed to read.

    What can be said of the given path by its name alone is said: it reveals nothing of the disk.
    """
    if around.allowed is None or any(is_within(path, root) for root in around.allowed):
        return
    refuse_sensitive(given, _ANYWHERE)
    bounds(given, _ANYWHERE)
    raise LocatorInvalid(
        "This server may not read that folder (COMMONPLACE_ROOTS); "
        "send the folder with `commonplace push` instead."
    )


def refuse_broad(path: str, around: HostPaths) -> None:
    """Refuse system folders, whole home folders, and folders that everybody shares."""
    folded = _folded(path)
    shared = {f"/{name}" for name in _SHARED}
    shared |= {_folded(path) for path in (*around.temporary, around.home or "/")}
    closed = any(is_within(folded, system) for system in _CLOSED)
    if closed or folded in shared or any(is_within(inner, folded) for inner in shared):
        raise SourceTooBroad("Attach a narrower folder: this one is a system, home or tmp folder.")


def within_roots(roots: Iterable[str]) -> Bounds:
    """Bounds that refuse what is outside the roots of a project."""
    return lambda path, _around: refuse_outside(path, tuple(roots))


def refuse_outside(path: str, roots: Iterable[str]) -> None:
    if not any(is_within(path, root) for root in roots):
        raise SourceOutsideProject(
            "The folder is not in a repository root of the project; "
            "`commonplace project add KEY --root DIR` adds one."
        )


def is_within(path: str, folder: str) -> bool:
    """Whether a resolved path is the folder itself or below it."""
    folder = folder.rstrip("/")
    return path == folder or path.startswith(f"{folder}/")


def _folded(path: str) -> str:
    """The path without drive and in one case, because a file system may ignore case."""
    return (_DRIVE.sub("/", path).rstrip("/") or "/").casefold()
