"""All vector indexes of a process and the folder of their graph files. Imports nothing heavy."""

from __future__ import annotations

import hashlib
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.storage.sqlite.vectors.coverage import GraphUnusable
from commonplace.storage.sqlite.vectors.port import VectorFeed, VectorIndex
from commonplace.storage.sqlite.vectors.tending import STANDARD_THRESHOLDS, GraphThresholds, Tending

if TYPE_CHECKING:
    from commonplace.storage.sqlite.vectors.layered import LayeredIndex

_MARKER = "scrubbed"


class LayeredIndexes:
    """Implements port.VectorIndexes."""

    def __init__(self, folder: Path, thresholds: GraphThresholds = STANDARD_THRESHOLDS) -> None:
        self._folder = folder
        self._thresholds = thresholds
        self._lock = threading.Lock()
        self._indexes: dict[tuple[str, str], LayeredIndex] = {}
        self._tended: dict[tuple[str, str], Tending] = {}

    def of(self, org: str, model: str) -> VectorIndex:
        from commonplace.storage.sqlite.vectors.layered import LayeredIndex

        with self._lock:
            path = self.file_of(org, model)
            return self._indexes.setdefault((org, model), LayeredIndex(org, model, path))

    def file_of(self, org: str, model: str) -> Path:
        return self._folder / f"{_digest(org)}-{_digest(model)}.graph"

    def tend(self, org: str, model: str, feed: VectorFeed, /) -> bool:
        with self._lock:
            path, marker = self.file_of(org, model), self._folder / _MARKER
            tending = Tending(org, model, path, marker, self._thresholds)
            tending = self._tended.setdefault((org, model), tending)
        return tending.step(feed)

    def ready(self) -> int:
        return sum(1 for _ in self._folder.glob("*-*.graph"))

    def scrub(self, feed: VectorFeed) -> None:
        """Remove unfinished files and those that still hold a removed vector.

        Builders in other processes check the marker before and after they move a file into place.
        """
        if not self._folder.is_dir():
            return
        (self._folder / _MARKER).touch(0o600)
        for path in self._folder.glob("*-*.building"):
            path.unlink(missing_ok=True)
        for path in self._folder.glob("*-*.graph"):
            if not _holds_only_what_is_stored(path, feed):
                path.unlink(missing_ok=True)


def _holds_only_what_is_stored(path: Path, feed: VectorFeed) -> bool:
    from commonplace.storage.sqlite.vectors.graph import open_graph

    try:
        graph = open_graph(path)
    except GraphUnusable:
        return False
    return graph.follow(feed) and not graph.gone


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:16]
