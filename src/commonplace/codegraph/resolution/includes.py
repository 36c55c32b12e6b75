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
        ending = f"/{path}"
        found = [
            each
            for each in self._by_name().get(basename(path), ())
            if each == path or each.endswith(ending)
        ]
        return min(
            found, key=lambda each: (-_together(each, folder), len(each), each), default=None
        )

    def _by_name(self) -> dict[str, list[str]]:
        if self._named is None:
            self._named = {}
            for path in self._files:
                self._named.setdefault(basename(path), []).append(path)
        return self._named


def _together(path: str, folder: str) -> int:
    """The number of leading folders that a file shares with a folder."""
    count = 0
    for one, other in zip(path.split("/")[:-1], folder.split("/"), strict=False):
        if one != other:
            break
        count += 1
    return count


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
