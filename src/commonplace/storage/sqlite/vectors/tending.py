"""Decides when the graph file of an org and model is built, replaced or removed, and does it.

Only the holder of the worker lease does this. If two processes do, the later file replaces the
other, and both are right.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.storage.sqlite.vectors.coverage import (
    Coverage,
    GraphUnusable,
    Stamp,
    belongs,
    stamp_of,
)
from commonplace.storage.sqlite.vectors.port import VectorFeed

if TYPE_CHECKING:
    from commonplace.storage.sqlite.vectors.builder import GraphBuilder

_LOG = logging.getLogger("commonplace.storage.sqlite.vectors")


@dataclass(frozen=True, slots=True)
class GraphThresholds:
    """The most vectors that are scanned exactly, and how far a graph may fall behind the store."""

    exact_up_to: int = 100_000
    behind_share: float = 0.2
    behind_most: int = 50_000


STANDARD_THRESHOLDS = GraphThresholds()


class GraphAction(Enum):
    BUILD = "build"
    KEEP = "keep"
    REMOVE = "remove"


def verdict(thresholds: GraphThresholds, covered: int | None, fresh: int, gone: int) -> GraphAction:
    """What to do if `fresh` vectors came after those covered, and `gone` of these were removed."""
    if covered is None:
        return GraphAction.BUILD if fresh > thresholds.exact_up_to else GraphAction.KEEP
    # Far below the threshold, so that a graph is not built and removed in turn.
    if covered - gone + fresh < thresholds.exact_up_to / 2:
        return GraphAction.REMOVE
    tolerated = min(thresholds.behind_share * covered, thresholds.behind_most)
    return GraphAction.BUILD if fresh + gone > tolerated else GraphAction.KEEP


class Tending:
    """Maintains one graph file in steps of well below a second each."""

    def __init__(
        self, org: str, model: str, path: Path, marker: Path, thresholds: GraphThresholds
    ) -> None:
        self._org = org
        self._model = model
        self._path = path
        self._marker = marker
        self._thresholds = thresholds
        self._builder: GraphBuilder | None = None
        self._started: tuple[Stamp | None, Stamp | None] = (None, None)
        self._examined: tuple[Stamp | None, int] | None = None

    def step(self, feed: VectorFeed) -> bool:
        """Do a step; False if there is none. After a failure there is none for a while."""
        try:
            return self._step(feed)
        except OSError as error:
            self._builder = None
            _LOG.warning("vector graph not built", extra={"reason": str(error)})
            return False

    def _step(self, feed: VectorFeed) -> bool:
        if self._builder is not None:
            return self._go_on(self._builder, feed)
        if not self._worth_a_look(feed):
            return False
        remove_leftovers(self._path)
        covered = self._covered(feed)
        after = covered[0].last_key if covered else 0
        fresh = feed.count(after, self._thresholds.exact_up_to + self._thresholds.behind_most)
        decided = verdict(
            self._thresholds,
            covered[0].count if covered else None,
            fresh,
            covered[1] if covered else 0,
        )
        if decided is GraphAction.REMOVE:
            self._path.unlink(missing_ok=True)
        if decided is GraphAction.BUILD:
            self._start(feed)
        return decided is not GraphAction.KEEP

    def _worth_a_look(self, feed: VectorFeed) -> bool:
        """Whether the file changed, or enough happened since; counting vectors is not free."""
        stamp, happened = stamp_of(self._path), feed.last_key() + feed.last_removal()
        if self._examined:
            known, before = self._examined
            if stamp == known and abs(happened - before) <= self._thresholds.exact_up_to // 20:
                return False
        self._examined = (stamp, happened)
        return True

    def _covered(self, feed: VectorFeed) -> tuple[Coverage, int] | None:
        """What the file covers and how much of that was removed; an unusable file is deleted."""
        if stamp_of(self._path) is None:
            return None
        from commonplace.storage.sqlite.vectors.graph import open_graph

        try:
            graph = open_graph(self._path)
            if belongs(graph.coverage, feed) and graph.follow(feed):
                return graph.coverage, graph.gone
            reason = "of another database, or too old"
        except GraphUnusable as error:
            reason = str(error)
        _LOG.warning("vector graph removed", extra={"reason": reason})
        self._path.unlink(missing_ok=True)
        return None

    def _start(self, feed: VectorFeed) -> None:
        from commonplace.storage.sqlite.vectors.builder import GraphBuilder

        # Create the folder first: a purge leaves its marker only in an existing folder.
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._started = (stamp_of(self._path), stamp_of(self._marker))
        self._builder = GraphBuilder(self._org, self._model, feed)

    def _go_on(self, builder: GraphBuilder, feed: VectorFeed) -> bool:
        if (stamp_of(self._path), stamp_of(self._marker)) != self._started:
            # Another process built a file, or a purge erased something that is in this one.
            self._builder = self._examined = None
            return True
        if builder.advance(feed):
            return True
        self._builder = None
        builder.save(self._path)
        self._examined = None
        if stamp_of(self._marker) != self._started[1]:
            self._path.unlink(missing_ok=True)
        return True


def remove_leftovers(path: Path) -> None:
    """Delete unfinished files, and those of models this org no longer uses."""
    org = path.name.partition("-")[0]
    for other in path.parent.glob(f"{org}-*"):
        if other != path:
            other.unlink(missing_ok=True)
