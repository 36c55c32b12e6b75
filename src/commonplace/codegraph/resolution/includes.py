"""Which files a C or C++ file sees: those that it includes, directly or not."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from posixpath import basename, dirname, join, normpath

from commonplace.codegraph.extraction.facts import FileFacts, ShapeOp

_MOST_SEEN = 300_000  # paths in the cached sets
# Headers of the C and C++ libraries, which a file of the same name does not replace.
_OF_LIBRARY = frozenset(
    {
        "assert.h", "complex.h", "ctype.h", "errno.h", "fenv.h", "float.h", "inttypes.h",
        "iso646.h", "limits.h", "locale.h", "math.h", "setjmp.h", "signal.h", "stdalign.h",
        "stdarg.h", "stdatomic.h", "stdbool.h", "stddef.h", "stdint.h", "stdio.h", "stdlib.h",
        "stdnoreturn.h", "string.h", "strings.h", "tgmath.h", "threads.h", "time.h", "uchar.h",
        "wchar.h", "wctype.h", "unistd.h", "fcntl.h", "poll.h", "pthread.h", "dirent.h", "netdb.h",
        "windows.h", "winsock2.h", "io.h", "direct.h", "process.h", "malloc.h", "memory.h",
    }
)  # fmt: skip


class IncludedFiles:
    """Finds what `#include` names: beside the file, else a path that ends so."""

    def __init__(self, files: Collection[str]) -> None:
        self._files = files
        self._named: dict[str, list[str]] | None = None
        self._below: dict[str, dict[str, str]] = {}
        self._known: dict[tuple[str, str], str | None] = {}

    def find(self, importer: str, specifier: str) -> str | None:
        key = dirname(importer), specifier
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, folder: str, specifier: str) -> str | None:
        angled = specifier.startswith("<")
        path = normpath(specifier.strip("<>").replace("\\", "/"))
        if not angled:
            beside = normpath(join(folder, path))
            if beside in self._files:
                return beside
        elif path in _OF_LIBRARY or path.startswith("sys/"):
            return None
        while path.startswith("../"):
            path = path[3:]
        nearest = self._nearest(path)
        around = folder
        while around and around not in nearest:
            around = dirname(around)
        return nearest.get(around)

    def _nearest(self, path: str) -> Mapping[str, str]:
        """The file that a path means in each folder: the shortest below it that ends so."""
        known = self._below.get(path)
        if known is None:
            known = self._below[path] = {}
            for each in self._by_ending().get(_ending(path), ()):
                if each == path or each.endswith(f"/{path}"):
                    above = each
                    while above:
                        above = dirname(above)
                        known[above] = min(known.get(above, each), each, key=_by_length)
        return known

    def _by_ending(self) -> Mapping[str, list[str]]:
        if self._named is None:
            self._named = {}
            for path in self._files:
                for ending in {basename(path), _ending(path)}:
                    self._named.setdefault(ending, []).append(path)
        return self._named


def _ending(path: str) -> str:
    """The name of a file with the folder that it is in, if there is one."""
    return "/".join(path.rsplit("/", 2)[-2:])


def _by_length(path: str) -> tuple[int, str]:
    return len(path), path


class Includes:
    """The files that each file sees, cached; `find` resolves what a file includes."""

    def __init__(
        self, files: Mapping[str, FileFacts], find: Callable[[str, str], str | None]
    ) -> None:
        self._files = files
        self._find = find
        self._direct: dict[str, tuple[str, ...]] = {}
        self._seen: dict[str, frozenset[str]] = {}
        self._weight = 0

    def seen(self, path: str) -> frozenset[str]:
        """The file and all that it includes, directly or not."""
        found = self._seen.get(path)
        if found is None:
            if self._weight > _MOST_SEEN:
                self._seen.clear()
                self._weight = 0
            found = self._seen[path] = self._closure(path)
            self._weight += len(found)
        return found

    def _closure(self, path: str) -> frozenset[str]:
        found, waiting = {path}, [path]
        while waiting:
            for each in self._included(waiting.pop()):
                if each not in found:
                    found.add(each)
                    waiting.append(each)
        return frozenset(found)

    def _included(self, path: str) -> tuple[str, ...]:
        if path not in self._direct:
            named = (
                self._find(path, export.value.text)
                for export in self._files[path].exports
                if export.value.op is ShapeOp.MODULE
            )
            self._direct[path] = tuple(each for each in named if each and each in self._files)
        return self._direct[path]
