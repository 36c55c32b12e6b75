"""The stored definitions of a name in the files that are linked together, read when needed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.extraction.languages import BY_NAME
from commonplace.codegraph.resolution.same_name import Named, namesakes_among
from commonplace.model.graph import CodeFile, Symbol

_AT_ONCE = 200  # names in one query


class StoredNamesakes:
    """Implements Namesakes over stored symbols; `fetch` gives those that have some names."""

    def __init__(
        self,
        fetch: Callable[[Sequence[str]], Sequence[Symbol]],
        places: Mapping[int, str],
        paths: Mapping[str, CodeFile],
    ) -> None:
        self._fetch, self._places, self._paths = fetch, places, paths
        self._read: set[str] = set()
        self._known: dict[tuple[str, str], list[Named]] = {}
        self._count = 0

    def __call__(self, family: str, name: str) -> Sequence[Named]:
        if name not in self._read:
            self._load([name])
        return self._known.get((family, name), ())

    def prepare(self, facts: FileFacts) -> None:
        """Read the names that a file uses, many at once."""
        if facts.language in BY_NAME:
            wanted = sorted({reference.name for reference in facts.references} - self._read)
            for start in range(0, len(wanted), _AT_ONCE):
                self._load(wanted[start : start + _AT_ONCE])

    def forget_beyond(self, most: int) -> None:
        if self._count > most:
            self._read.clear()
            self._known.clear()
            self._count = 0

    def _load(self, names: Sequence[str]) -> None:
        found = self._fetch(names)
        self._read.update(names)
        self._count += len(names) + len(found)
        self._known |= namesakes_among(found, self._places, self._paths)
