"""Nearest-neighbour search on SQLite: feeds the vector index from the database, and applies filters
to its hits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from commonplace.model.query import Filter
from commonplace.storage.port import Nearest
from commonplace.storage.session import (
    MOST_SCOPED,
    Row,
    filter_values,
    first_passing,
    vectors_to_fetch,
)
from commonplace.storage.sqlite.codec import SqliteCodec
from commonplace.storage.sqlite.vectors.port import NearestChunks, VectorBatch, VectorIndex
from commonplace.storage.tables.chunks import resource_token, scope_token

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.embedding.port import Vector

_CODEC = SqliteCodec()
_FEED_BATCH = 8192
# A graph computes with 8-bit vectors, so slightly more candidates than wanted are compared exactly.
_COMPARED_MORE = 1.25
_COMPARED_AT_LEAST = 32
# Up to this reach, a wider search is cheaper than reading all chunks that pass a filter. Those with
# a tag are found quickly, so the limit is lower for them.
_WIDEST = 16_384
_WIDEST_TAGGED = 4_096
# So few vectors are read from the database and compared exactly.
_FEW = 2_000
_WIDENING = 4


class Statements(Protocol):
    """The part of a session that vector search uses."""

    def rows(self, statement: str, **values: object) -> list[Row]: ...

    def row(self, statement: str, **values: object) -> Row | None: ...


class SearchedSession(Statements, Protocol):
    """A session that also knows which chunks a filter's scopes leave."""

    def scoped(self, wanted: Filter, most: int) -> NDArray[np.int64] | None:
        """Chunks that may have the tags, kinds and so on of a filter; None if unknown or too many.

        The filter's other conditions are not checked, nor who may read.
        """
        ...

    def passing(self, keys: Sequence[int], wanted: Filter) -> list[int]:
        """The keys that are readable and pass the filter, in order."""
        ...


class SqliteVectorFeed:
    """Implements port.VectorFeed within one transaction."""

    def __init__(self, session: Statements, model: str) -> None:
        self._session = session
        self._model = model

    def added(self, after: int, limit: int | None = None) -> VectorBatch:
        rows = self._session.rows(
            "vector_feed", model=self._model, after=after, limit=limit or _FEED_BATCH
        )
        return _batch_of(rows)

    def stored(self, keys: Sequence[int]) -> VectorBatch:
        rows = self._session.rows("stored_vectors", model=self._model, keys=_CODEC.array(keys))
        return _batch_of(rows)

    def count(self, after: int, most: int) -> int:
        row = self._session.row("count_vectors", model=self._model, after=after, most=most)
        return row["vectors"] if row else 0

    def removed(self, after: int) -> Sequence[tuple[int, int]] | None:
        rows = self._session.rows("removed_vectors", after=after)
        if rows and rows[0]["sequence"] != after + 1:
            return None
        return [(row["sequence"], row["vector_key"]) for row in rows]

    def last_removal(self) -> int:
        row = self._session.row("last_removal")
        return row["sequence"] if row else 0

    def last_key(self) -> int:
        row = self._session.row("last_vector")
        return row["key"] if row else 0


def index_name(org: str, network: bool) -> str:
    """Names an org's index; with the network's shared vectors it is a different index."""
    return f"{org}, network" if network else org


class NearestSearch:
    """Searches once for the chunks nearest to a vector that pass a filter."""

    def __init__(
        self,
        session: SearchedSession,
        index: VectorIndex,
        model: str,
        query: Vector,
        wanted: Filter,
    ) -> None:
        self._session = session
        self._index = index
        self._model = model
        self._query = query
        self._wanted = wanted
        self._tagged = tag_match(wanted)
        self._filter = filter_values(wanted, _CODEC)
        self._feed = SqliteVectorFeed(session, model)

    def run(self, limit: int, width: int) -> Nearest:
        """Search among the few chunks that a filter leaves, or filter the nearest of all.

        If too few of the nearest pass, search wider, or among everything that passes.
        """
        scoped = self._session.scoped(self._wanted, MOST_SCOPED)
        if scoped is not None:
            return self._among_scoped(scoped, limit, width)
        reach = vectors_to_fetch(limit, width)
        found = self._index.search(self._feed, self._query, reach, width)
        kept = self._passing(found, limit)
        wider = wider_reach(limit, len(kept), reach, _WIDEST_TAGGED if self._tagged else _WIDEST)
        if len(found.hits) == reach and wider:
            reach = wider
            found = self._index.search(self._feed, self._query, reach, width)
            kept = self._passing(found, limit)
        if len(kept) < limit and len(found.hits) == reach:
            return self._among_wanted(limit, width, found.exact)
        return self._settled(NearestChunks(kept, found.exact), limit)

    def _among_scoped(self, keys: NDArray[np.int64], limit: int, width: int) -> Nearest:
        """Chunks with the right scopes are checked against the rest of the filter nearest first."""
        reach = _compared_for(limit)
        while True:
            found = self._index.search(self._feed, self._query, reach, width, keys)
            kept = self._passing(found, limit)
            if len(kept) >= limit or len(found.hits) < reach:
                nearest = self._settled(NearestChunks(kept, found.exact), limit)
                # So few that every one of them was compared exactly.
                return replace(nearest, exact=found.exact or len(keys) <= _compared_for(limit))
            reach *= _WIDENING

    def _among_wanted(self, limit: int, width: int, in_memory: bool) -> Nearest:
        keys = self._wanted_keys()
        if not in_memory and len(keys) <= _FEW:
            return Nearest(tuple(self._compared(keys)[:limit]), exact=True)
        found = self._index.search(self._feed, self._query, _compared_for(limit), width, keys)
        return self._settled(found, limit)

    def _wanted_keys(self) -> list[int]:
        """All chunks that pass the filter; those with tags are looked up in the text index."""
        if not self._tagged:
            return [row["key"] for row in self._session.rows("wanted_keys", **self._filter)]
        rows = self._session.rows("wanted_tagged_keys", match=self._tagged, **self._filter)
        return [row["key"] for row in rows]

    def _settled(self, found: NearestChunks, limit: int) -> Nearest:
        hits = found.hits
        if not found.exact:
            hits = self._compared([key for key, _ in hits[: _compared_for(limit)]])
        return Nearest(tuple(hits[:limit]), found.exact)

    def _passing(self, found: NearestChunks, limit: int) -> list[tuple[int, float]]:
        """Hits that pass the filter, nearest first. Stops when there are enough.

        If the index is not exact, enough is the number that will be compared exactly.
        """
        enough = limit if found.exact else _compared_for(limit)
        return first_passing(found.hits, enough, self._readable)

    def _readable(self, keys: Sequence[int]) -> list[int]:
        return self._session.passing(keys, self._wanted)

    def _compared(self, keys: Sequence[int]) -> list[tuple[int, float]]:
        """These chunks by their exact cosine (of the best window), nearest first."""
        import numpy as np

        rows = self._session.rows("vectors_of_chunks", model=self._model, keys=_CODEC.array(keys))
        if not rows:
            return []
        joined = b"".join(row["vector"] for row in rows)
        cosines = np.frombuffer(joined, "<f2").reshape(len(rows), -1) @ self._query
        best: dict[int, float] = {}
        for row, cosine in zip(rows, cosines.tolist(), strict=True):
            best[row["chunk_key"]] = max(cosine, best.get(row["chunk_key"], -1.0))
        return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))


def tag_match(wanted: Filter) -> str:
    """An FTS5 expression for tags and resources. Scope tokens are alphanumeric: quoting is safe."""
    groups = [[scope_token("t", tag)] for tag in wanted.tags]
    groups.append([scope_token("t", tag) for tag in wanted.any_tags])
    groups.append([resource_token(resource) for resource in wanted.resources])
    quoted = ([f'"{token}"' for token in group] for group in groups if group)
    return " AND ".join(f"scope : ({' OR '.join(group)})" for group in quoted)


def wider_reach(limit: int, kept: int, reach: int, most: int) -> int | None:
    """How many to look at so that enough will probably pass; None if too many or not needed."""
    if kept >= limit or not kept:
        return None
    needed = 2 * reach * limit // kept
    return needed if needed <= most else None


def _compared_for(limit: int) -> int:
    return max(_COMPARED_AT_LEAST, int(_COMPARED_MORE * limit))


def _batch_of(rows: Sequence[Row]) -> VectorBatch:
    return VectorBatch(
        keys=[row["key"] for row in rows],
        chunk_keys=[row["chunk_key"] for row in rows],
        data=b"".join([row["vector"] for row in rows]),
    )
