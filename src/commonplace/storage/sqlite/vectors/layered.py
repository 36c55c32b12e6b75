"""The index of one org and model: a graph file, plus an exact index of vectors added since.

Without a usable file the exact index holds every vector, so results are right either way.
"""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.storage.sqlite.vectors.coverage import (
    GraphUnusable,
    Stamp,
    belongs,
    read_seal,
    stamp_of,
)
from commonplace.storage.sqlite.vectors.exact import ExactIndex, ranked
from commonplace.storage.sqlite.vectors.graph import GraphFile
from commonplace.storage.sqlite.vectors.port import NearestChunks, VectorFeed

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector
    from commonplace.storage.sqlite.vectors.port import Keys

_LOG = logging.getLogger("commonplace.storage.sqlite.vectors")


class LayeredIndex:
    """Implements port.VectorIndex."""

    def __init__(self, org: str, model: str, path: Path) -> None:
        self._named = (org, model)
        self._path = path
        self._lock = threading.Lock()
        self._seen: Stamp | None = None
        self._graph: GraphFile | None = None
        self._recent = ExactIndex()

    def search(
        self,
        feed: VectorFeed,
        query: Vector,
        limit: int,
        width: int,
        among: Keys | None = None,
        /,
    ) -> NearestChunks:
        with self._lock:
            self._follow(feed)
            graph, recent = self._graph, self._recent
        found = recent.search(feed, query, limit, width, among)
        if graph is None:
            return found
        hits = ranked([*graph.search(query, limit, width, among), *found.hits])
        return NearestChunks(hits[:limit], exact=False)

    def _follow(self, feed: VectorFeed) -> None:
        stamp = stamp_of(self._path)
        if stamp != self._seen:
            self._look_at(stamp, feed)
        if self._graph and not self._graph.follow(feed):
            self._do_without()

    def _look_at(self, stamp: Stamp | None, feed: VectorFeed) -> None:
        """Switch to the file that is there now; keep the current one if the new one is unusable."""
        if stamp is None:
            self._seen = None
            self._do_without()
            return
        try:
            seal = read_seal(self._path)
            coverage = seal.coverage
            if (coverage.org, coverage.model) != self._named or not belongs(coverage, feed):
                # Look again next time: this transaction may just be older than the file.
                return
            graph = GraphFile(self._path, seal)
        except GraphUnusable as error:
            _LOG.warning("vector graph ignored", extra={"reason": str(error)})
            self._seen = stamp
            return
        self._seen, self._graph = stamp, graph
        self._recent = ExactIndex(coverage.last_key, coverage.last_removal)

    def _do_without(self) -> None:
        if self._graph is not None:
            self._graph, self._recent = None, ExactIndex()
