"""Converts paths between what callers use and what the index has: relative to a resource."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from posixpath import join, normpath, relpath

from commonplace.errors import LocatorInvalid
from commonplace.workspace.projects.policy import is_within, path_of

_ABSOLUTE = re.compile(r"/|[A-Za-z]:[/\\]|[A-Za-z][A-Za-z0-9+.-]+:")


def folder_of(locator: str) -> str | None:
    """The absolute folder of a file URL; None for a resource that is not on our disk."""
    return normpath(path_of(locator)) if locator.startswith("file:") else None


def indexed_prefixes(
    prefixes: Iterable[str], folders: Mapping[int, str | None], roots: Sequence[str]
) -> tuple[tuple[int, str], ...]:
    """The (resource, path) pairs that cover everything below the prefixes.

    A relative prefix is resolved against every root, or against the top of a resource that has no
    folder.
    """
    found: dict[tuple[int, str], None] = {}
    for prefix in prefixes:
        relative = None if _ABSOLUTE.match(prefix) else normpath(prefix.replace("\\", "/"))
        if relative is None:
            absolute = [normpath(_path_of(prefix))]
        else:
            absolute = [normpath(join(root, relative)) for root in roots]
        for key, folder in folders.items():
            if folder is not None:
                found |= dict.fromkeys((key, part) for part in _parts(absolute, folder))
            elif relative is not None:
                found[key, "" if relative == "." else relative] = None
    return tuple(found)


def shown_path(path: str, folder: str | None, roots: Sequence[str]) -> str:
    """The path relative to the innermost root that contains it, else absolute if possible."""
    if folder is None:
        return path
    whole = join(folder, path)
    holding = [root for root in roots if is_within(whole, root)]
    return relpath(whole, max(holding, key=len)) if holding else whole


def _path_of(prefix: str) -> str:
    try:
        return path_of(prefix)
    except LocatorInvalid:
        raise LocatorInvalid(
            f"pathPrefixes takes file:// URLs, absolute and relative paths, not {prefix!r}."
        ) from None


def _parts(prefixes: Iterable[str], folder: str) -> Iterator[str]:
    for prefix in prefixes:
        if is_within(folder, prefix):
            yield ""
        elif is_within(prefix, folder):
            yield relpath(prefix, folder)
