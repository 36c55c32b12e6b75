"""A bounded cache of facts: those of the most recently used files."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping

from commonplace.codegraph.extraction.facts import FileFacts
from commonplace.codegraph.resolution.file_index import FileIndex
from commonplace.model.graph import CodeFile

# Definitions and references together; each takes about 400 bytes with its indexes.
MAX_WEIGHT = 300_000
# The fixed size of a file, in the same unit.
_WEIGHT_OF_A_FILE = 14

_Entry = tuple[str, str, FileFacts]


class FactsMemory:
    """Facts by document key; an entry is valid only for the same content and path."""

    def __init__(self, most: int = MAX_WEIGHT) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._kept: OrderedDict[int, _Entry] = OrderedDict()
        self._weight = 0
        self.indexes: dict[str, FileIndex] = {}

    def get(self, file: CodeFile, located: str) -> FileFacts | None:
        with self._lock:
            entry = self._kept.get(file.key)
            if entry is None or entry[:2] != (file.content_hash, located):
                return None
            self._kept.move_to_end(file.key)
            return entry[2]

    def put(self, file: CodeFile, located: str, facts: FileFacts) -> None:
        with self._lock:
            self._drop(file.key)
            self.indexes.pop(located, None)
            self._kept[file.key] = (file.content_hash, located, facts)
            self._weight += _weight(facts)
            while self._weight > self._most and len(self._kept) > 1:
                self._drop(next(iter(self._kept)))

    def drop_indexes(self) -> None:
        """Drop the indexes of files whose facts are no longer in the cache."""
        with self._lock:
            kept = {entry[1] for entry in self._kept.values()}
            for located in [each for each in self.indexes if each not in kept]:
                del self.indexes[located]

    def _drop(self, key: int) -> None:
        entry = self._kept.pop(key, None)
        if entry is not None:
            self._weight -= _weight(entry[2])
            self.indexes.pop(entry[1], None)


class RememberedFacts(Mapping[str, FileFacts]):
    """Facts by located path; `load` reads those that are not in the cache."""

    def __init__(
        self,
        files: Mapping[str, CodeFile],
        memory: FactsMemory,
        load: Callable[[CodeFile, str], FileFacts],
    ) -> None:
        self._files = files
        self._memory = memory
        self._load = load
        self._here: dict[str, FileFacts] = {}
        self._weight = 0

    def __getitem__(self, path: str) -> FileFacts:
        found = self._here.get(path)
        if found is None:
            file = self._files[path]
            found = self._memory.get(file, path)
            if found is None:
                found = self._load(file, path)
                self._memory.put(file, path, found)
            self._here[path] = found
            self._weight += _weight(found)
        return found

    def forget_beyond(self, most: int) -> None:
        """Drop all local references if they weigh more; the cache keeps the most recent facts."""
        if self._weight > most:
            self._here.clear()
            self._weight = 0
            self._memory.drop_indexes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)


def _weight(facts: FileFacts) -> int:
    return _WEIGHT_OF_A_FILE + len(facts.definitions) + len(facts.references)
