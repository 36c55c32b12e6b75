"""An exact index: all vectors an org may read in one array, compared by brute force."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from commonplace.storage.sqlite.vectors.engine import distances
from commonplace.storage.sqlite.vectors.port import NearestChunks, VectorBatch, VectorFeed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from commonplace.embedding.port import Vector
    from commonplace.storage.sqlite.vectors.port import Keys

_FIRST_CAPACITY = 1024
_TOLERATED_DEAD_SHARE = 0.2
# Of fewer rows than this share, copies are compared.
_FEW = 0.25


def matrix_of(batch: VectorBatch) -> NDArray[np.float16]:
    return np.frombuffer(batch.data, np.float16).reshape(len(batch.keys), -1)


def ranked(hits: Iterable[tuple[int, float]]) -> list[tuple[int, float]]:
    """Each chunk once, by its best window, nearest first."""
    best: dict[int, float] = {}
    for chunk_key, cosine in hits:
        if cosine > best.get(chunk_key, -2.0):
            best[chunk_key] = cosine
    return sorted(best.items(), key=lambda item: (-item[1], item[0]))


class Rows:
    """Growing arrays of vectors in key order; removed rows stay until compaction."""

    def __init__(self, dimension: int, capacity: int = _FIRST_CAPACITY) -> None:
        self.keys: NDArray[np.int64] = np.zeros(capacity, np.int64)
        self.chunk_keys: NDArray[np.int64] = np.zeros(capacity, np.int64)
        self.matrix: NDArray[np.float16] = np.zeros((capacity, dimension), np.float16)
        self.alive: NDArray[np.bool_] = np.zeros(capacity, np.bool_)
        self.count = 0
        self.dead = 0

    def append(self, batch: VectorBatch) -> None:
        end = self.count + len(batch.keys)
        if end > len(self.keys):
            self._grow(max(end, 2 * len(self.keys)))
        block = slice(self.count, end)
        self.keys[block] = batch.keys
        self.chunk_keys[block] = batch.chunk_keys
        self.matrix[block] = matrix_of(batch)
        self.alive[block] = True
        self.count = end

    def remove(self, key: int) -> None:
        place = int(np.searchsorted(self.keys[: self.count], key))
        if place < self.count and self.keys[place] == key and self.alive[place]:
            self.alive[place] = False
            self.dead += 1

    def compacted(self) -> Rows:
        kept = np.flatnonzero(self.alive[: self.count])
        rows = Rows(self.matrix.shape[1], max(_FIRST_CAPACITY, 2 * len(kept)))
        for name in ("keys", "chunk_keys", "matrix", "alive"):
            getattr(rows, name)[: len(kept)] = getattr(self, name)[kept]
        rows.count = len(kept)
        return rows

    def _grow(self, capacity: int) -> None:
        for name in ("keys", "chunk_keys", "matrix", "alive"):
            old = getattr(self, name)
            new = np.zeros((capacity, *old.shape[1:]), old.dtype)
            new[: self.count] = old[: self.count]
            setattr(self, name, new)


class ExactIndex:
    """Implements port.VectorIndex for all vectors, or for those stored after a key."""

    def __init__(self, after: int = 0, last_removal: int | None = None) -> None:
        self._lock = threading.Lock()
        self._rows: Rows | None = None
        self._after = after
        self._last_key = after
        self._last_removal = last_removal

    def search(
        self,
        feed: VectorFeed,
        query: Vector,
        limit: int,
        _width: int,
        among: Keys | None = None,
        /,
    ) -> NearestChunks:
        with self._lock:
            self._catch_up(feed)
            rows = self._rows
            if rows is None or not rows.count:
                return NearestChunks((), exact=True)
            places = np.flatnonzero(self._eligible(rows, among))
            if not len(places):
                return NearestChunks((), exact=True)
            matrix, chunk_keys = rows.matrix[: rows.count], rows.chunk_keys[places]
        far = _distances(matrix, places, query.astype(np.float16))
        return NearestChunks(_nearest(far, chunk_keys, limit), exact=True)

    def _eligible(self, rows: Rows, among: Keys | None) -> NDArray[np.bool_]:
        alive = rows.alive[: rows.count]
        if among is None:
            return alive
        wanted = np.asarray(among, np.int64)
        return alive & np.isin(rows.chunk_keys[: rows.count], wanted)

    def _catch_up(self, feed: VectorFeed) -> None:
        self._follow_removals(feed)
        while (batch := feed.added(self._last_key)).keys:
            if self._rows is None:
                self._rows = Rows(matrix_of(batch).shape[1])
            self._rows.append(batch)
            self._last_key = batch.keys[-1]

    def _follow_removals(self, feed: VectorFeed) -> None:
        if self._last_removal is None:
            self._last_removal = feed.last_removal()
            return
        removals = feed.removed(self._last_removal)
        if removals is None:
            self._rows, self._last_key = None, self._after
            self._last_removal = feed.last_removal()
            return
        for sequence, key in removals:
            if self._rows is not None:
                self._rows.remove(key)
            self._last_removal = sequence
        if self._rows and self._rows.dead > _TOLERATED_DEAD_SHARE * self._rows.count:
            self._rows = self._rows.compacted()


def _distances(
    matrix: NDArray[np.float16], places: NDArray[np.intp], query: NDArray[np.float16]
) -> NDArray[np.float32]:
    """The distances of these rows; copying a few costs less than comparing all."""
    if len(places) < _FEW * len(matrix):
        return distances(matrix[places], query)
    everything = distances(matrix, query)
    return everything if len(places) == len(matrix) else everything[places]


def _nearest(
    far: NDArray[np.float32], chunk_keys: NDArray[np.int64], limit: int
) -> list[tuple[int, float]]:
    """Take more and more of the nearest until they are enough chunks: one may have many windows."""
    wanted = min(limit, len(far))
    reach = wanted
    while True:
        best = np.argpartition(far, reach - 1)[:reach] if reach < len(far) else np.arange(len(far))
        hits = _best_of_each(chunk_keys[best], 1.0 - far[best])
        if len(hits) >= wanted or reach >= len(far):
            return hits[:limit]
        reach = min(len(far), 4 * reach)


def _best_of_each(
    chunk_keys: NDArray[np.int64], cosines: NDArray[np.floating[Any]]
) -> list[tuple[int, float]]:
    """Each chunk once, by its best window, nearest first."""
    order = np.lexsort((chunk_keys, -cosines))
    keys, first = np.unique(chunk_keys[order], return_index=True)
    places = order[np.sort(first)] if len(keys) < len(order) else order
    return list(zip(chunk_keys[places].tolist(), cosines[places].tolist(), strict=True))
