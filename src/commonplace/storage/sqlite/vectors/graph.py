"""Searches a graph file through a private, memory-mapped copy, and skips vectors removed since.

Its cosines are computed from 8-bit vectors: good enough to choose candidates, not to rank them.
"""

from __future__ import annotations

import mmap
import shutil
import threading
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.storage.session import graph_width
from commonplace.storage.sqlite.vectors.coverage import GraphUnusable, Seal, check_sum, read_seal
from commonplace.storage.sqlite.vectors.engine import Index, MetricKind, ScalarKind, scan
from commonplace.storage.sqlite.vectors.exact import ranked
from commonplace.storage.sqlite.vectors.port import VectorFeed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.embedding.port import Vector
    from commonplace.storage.sqlite.vectors.port import Keys

# To find this share of the graph, comparing every vector is as fast as searching the graph.
_SCANNED_SHARE = 0.25
_WIDENING = 4
_NO_LENGTH = 1e-20
_BLOCK = 1 << 20


def eight_bit(vectors: NDArray[Any]) -> NDArray[np.int8]:
    """Each vector scaled to the full 8-bit range: cosines stay the same, precision improves."""
    exact = vectors.astype(np.float32)
    largest = np.abs(exact).max(axis=-1, keepdims=True)
    scaled = np.rint(exact * (127 / np.maximum(largest, _NO_LENGTH)))
    eighths: NDArray[np.int8] = scaled.astype(np.int8)
    return eighths


def new_graph(dimension: int) -> Index:
    return Index(
        ndim=dimension,
        metric=MetricKind.Cos,
        dtype=ScalarKind.I8,
        connectivity=32,
        expansion_add=128,
    )


class GraphFile:
    """An immutable file, and which of its vectors still exist."""

    def __init__(self, path: Path, seal: Seal) -> None:
        self.coverage = seal.coverage
        self._lock = threading.Lock()
        count = seal.coverage.count
        data = _private_copy(path)
        check_sum(data, seal)
        arrays = np.frombuffer(data, np.int64, 2 * count, seal.body_bytes - 16 * count)
        self._keys, self._chunk_keys = arrays[:count], arrays[count:]
        # Any: usearch's type hints declare the search width read-only, which it is not.
        self._index: Any = _viewed(data, seal)
        self._alive: NDArray[np.bool_] = np.ones(count, np.bool_)
        self._last_removal = seal.coverage.last_removal

    def follow(self, feed: VectorFeed) -> bool:
        """Skip removed vectors from now on; False if the record of removals is too short."""
        removals = feed.removed(self._last_removal)
        if removals is None:
            return False
        if removals:
            gone = np.fromiter((key for _, key in removals), np.int64, len(removals))
            places = np.minimum(self._places(gone), len(self._keys) - 1)
            self._alive[places[self._keys[places] == gone]] = False
            self._last_removal = removals[-1][0]
        return True

    @property
    def gone(self) -> int:
        return int(len(self._alive) - np.count_nonzero(self._alive))

    def search(
        self, query: Vector, limit: int, width: int, among: Keys | None = None
    ) -> list[tuple[int, float]]:
        """The nearest chunks first, each by its key with its approximate cosine."""
        encoded = eight_bit(query)
        if among is not None:
            return self._search_among(encoded, limit, among)
        reach = limit
        while True:
            places, cosines = self._closest(encoded, reach, width)
            hits = self._ranked(places, cosines)
            if len(hits) >= limit or reach >= len(self._keys):
                return hits[:limit]
            reach = min(len(self._keys), _WIDENING * reach)

    def _closest(
        self, query: NDArray[np.int8], reach: int, width: int
    ) -> tuple[NDArray[np.intp], NDArray[np.floating]]:
        whole = reach >= _SCANNED_SHARE * len(self._keys)
        with self._lock:
            # The width is a property of the index, not an argument of the search.
            self._index.expansion_search = graph_width(len(self._keys), reach, width)
            found = self._index.search(query, reach, threads=1, exact=whole)
        return self._places(found.keys.astype(np.int64)), 1.0 - found.distances

    def _search_among(
        self, query: NDArray[np.int8], limit: int, among: Keys
    ) -> list[tuple[int, float]]:
        wanted = np.asarray(among, np.int64)
        places = np.flatnonzero(self._alive & np.isin(self._chunk_keys, wanted))
        if not len(places):
            return []
        vectors = np.stack(self._index.get(self._keys[places].astype(np.uint64)))
        found = scan(vectors, query, len(places), MetricKind.Cos, exact=True)
        return self._ranked(places[found.keys], 1.0 - found.distances)[:limit]

    def _ranked(
        self, places: NDArray[np.intp], cosines: NDArray[np.floating]
    ) -> list[tuple[int, float]]:
        alive = self._alive[places]
        chunk_keys = self._chunk_keys[places[alive]]
        return ranked(zip(chunk_keys.tolist(), cosines[alive].tolist(), strict=True))

    def _places(self, keys: NDArray[np.int64]) -> NDArray[np.intp]:
        """Positions of these keys, or where they would be inserted."""
        return np.searchsorted(self._keys, keys)


def open_graph(path: Path) -> GraphFile:
    return GraphFile(path, read_seal(path))


def _private_copy(path: Path) -> memoryview:
    """Map an unnamed copy, or read the file into memory if none can be made.

    If another process truncated a mapped file, the next read would kill this process.
    """
    try:
        with path.open("rb") as file:
            try:
                with TemporaryFile(dir=path.parent) as copy:
                    shutil.copyfileobj(file, copy, _BLOCK)
                    copy.flush()
                    return memoryview(mmap.mmap(copy.fileno(), 0, access=mmap.ACCESS_READ))
            except OSError:
                file.seek(0)
                return memoryview(file.read())
    except (OSError, ValueError, MemoryError) as error:
        raise GraphUnusable("cannot be read") from error


def _viewed(data: memoryview, seal: Seal) -> Index:
    index = new_graph(seal.coverage.dimension)
    try:
        index.view(data)
    except RuntimeError as error:
        raise GraphUnusable(str(error)) from error
    if len(index) != seal.coverage.count or index.ndim != seal.coverage.dimension:
        raise GraphUnusable("does not hold what it describes")
    return index
