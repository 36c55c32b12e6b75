"""A PostgreSQL transaction of one actor: runs statements and searches text and vectors."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import psycopg
from psycopg.rows import DictRow

from commonplace.model.query import Filter
from commonplace.storage.passing import PassingChunks
from commonplace.storage.port import LexicalQuery, Nearest
from commonplace.storage.postgres.codec import PostgresCodec
from commonplace.storage.postgres.connections import (
    Connection,
    commit,
    execute,
    loaded_statements,
    one_row,
)
from commonplace.storage.postgres.failures import gate
from commonplace.storage.postgres.tokens import match_of, matches_of, scope_of
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.session import (
    MOST_SCOPED,
    ONE_IN_GRAPH,
    Binding,
    Row,
    filter_values,
    first_passing,
    vectors_to_fetch,
)

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_CODEC = PostgresCodec()
_OVERFETCH = 4
_WIDEST = 1000
_STAND_IN_DIMENSION = "halfvec(384)"

# Up to this many vectors, an exact comparison is faster than an index with filters.
EXACT_UP_TO = 5000
_COUNT_AGAIN_SECONDS = 30.0


class ManyVectors:
    """Remembers for a while which orgs read more vectors than are compared one by one.

    To count five thousand of them takes a fifth of the time that an index needs for a search.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[tuple[str, str], float] = {}

    def known(self, org: str, model: str) -> bool:
        return self._clock() < self._until.get((org, model), 0.0)

    def note(self, org: str, model: str) -> None:
        self._until[org, model] = self._clock() + _COUNT_AGAIN_SECONDS


class PostgresSession:
    """Implements session.Session."""

    codec = _CODEC

    def __init__(
        self,
        connection: Connection,
        binding: Binding,
        postings: PostingLists,
        many: ManyVectors,
        places: Row,
    ) -> None:
        self._connection = connection
        self._postings = postings
        self._many = many
        self._bound = {**binding.values(), **places}
        self._network = binding.network
        self._work_announced = False
        self._last: list[Callable[[], object]] = []
        self.dimensions: dict[str, int] = {}
        self.actor = binding.actor
        self.now = binding.now
        self.chunks = PassingChunks(self.rows, _CODEC)

    def rows(self, statement: str, **values: object) -> list[Row]:
        with gate():
            return list(self._execute(statement, values))

    def row(self, statement: str, **values: object) -> Row | None:
        with gate():
            return self._execute(statement, values).fetchone()

    def run(self, statement: str, **values: object) -> int:
        with gate():
            return self._execute(statement, values).rowcount

    def run_last(self, statement: str, **values: object) -> None:
        self._last.append(partial(self._execute, statement, values))

    def finish(self) -> None:
        """Run what was left to the end of the transaction, and commit."""
        if self._last:
            commit(self._connection, self._last)

    def run_many(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        sql = loaded_statements()[statement].sql.encode()
        with gate(), self._connection.cursor() as cursor:
            cursor.executemany(sql, ({**self._bound, **each} for each in values))

    def announce_work(self) -> None:
        if not self._work_announced:
            self.run_last("announce_work")
        self._work_announced = True

    def expect_vectors(self, model: str, dimension: int) -> None:
        self.dimensions[model] = dimension

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Search posting lists if the org has them, else the text index."""
        posted = self._postings.search(self.actor.org, self, query, wanted, limit)
        return self._in_text_index(query, wanted, limit) if posted is None else posted

    def _in_text_index(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Query the index alone first; join the filters only if they discard too much.

        Usually all of the best pass, so the rest of what the index gave is checked only if needed.
        """
        matches = matches_of(query)
        if not matches:
            return []
        asked = {
            "matches": matches,
            "scope": scope_of(wanted, self.actor.org, network=self._network),
        }
        reach = _OVERFETCH * limit
        best = [row["key"] for row in self.rows("lexical_best", limit=reach, **asked)]
        passing = self.passing(best[:limit], wanted)
        if len(passing) < limit:
            passing += self.passing(best[limit:], wanted)
        if len(passing) >= limit or len(best) < reach:
            return passing[:limit]
        values = filter_values(wanted, _CODEC)
        rows = self.rows("lexical_filtered", limit=limit, **asked, **values)
        return [row["key"] for row in rows]

    def unposted_matches(self, query: LexicalQuery, wanted: Filter, _after: int) -> list[Row]:
        match = match_of(query, scope_of(wanted, self.actor.org, network=self._network))
        return self.rows("unposted_matching", match=match) if match else []

    def nearest(self, model: str, query: Vector, wanted: Filter, limit: int, width: int) -> Nearest:
        """Compare the few chunks that a filter leaves, or ask the index.

        If there are few vectors, or too few of those found pass, compare everything that passes.
        """
        values = {"model": model, "vector": _CODEC.vector(query), **filter_values(wanted, _CODEC)}
        scoped = self._postings.scoped(self.actor.org, self, wanted, MOST_SCOPED)
        if scoped is not None:
            return self._nearest_among(scoped.tolist(), values, wanted, limit)
        reach = vectors_to_fetch(limit, width)
        asked = {**values, "limit": reach}
        if not wanted.tags and self._many.known(self.actor.org, model):
            with gate(), self._connection.pipeline():
                self._opened(model, reach, values["tags"], most=0)
                found = self._indexed("nearest_vectors", len(query), asked)
        elif self._are_many(model, reach, values["tags"]):
            found = self._indexed("nearest_vectors", len(query), asked)
        else:
            found = None
        if found is not None:
            best = first_passing(
                _best_windows(found.fetchall()), limit, lambda some: self.passing(some, wanted)
            )
            if len(best) < limit:
                # The index searches on until enough pass.
                best = _best_windows(self._indexed("nearest_passing", len(query), asked).fetchall())
            if len(best) >= limit:
                return Nearest(tuple(best[:limit]), exact=False)
        return Nearest(_hits(self.rows("nearest_exactly", limit=limit, **values)), exact=True)

    def _nearest_among(
        self, keys: Sequence[int], values: Mapping[str, object], wanted: Filter, limit: int
    ) -> Nearest:
        """Chunks with the right scopes are checked against the rest of the filter nearest first."""
        reach = limit
        while True:
            rows = self.rows("nearest_among", **{**values, "keys": keys, "limit": reach})
            kept = first_passing(_hits(rows), limit, lambda some: self.passing(some, wanted))
            if len(kept) >= limit or len(rows) < reach:
                return Nearest(tuple(kept[:limit]), exact=True)
            reach *= _OVERFETCH

    def _are_many(self, model: str, reach: int, tags: object) -> bool:
        with gate():
            opened = one_row(self._opened(model, reach, tags, most=EXACT_UP_TO + 1))
        if opened["vectors"] <= EXACT_UP_TO:
            return False
        if tags is None:
            self._many.note(self.actor.org, model)
        return True

    def _opened(self, model: str, reach: int, tags: object, most: int) -> psycopg.Cursor[DictRow]:
        """Set how widely the index is searched, and count up to `most` vectors."""
        asked = {"model": model, "tags": tags, "most": most}
        width = {"width": min(reach, _WIDEST), "widest": _WIDEST, "one_in": ONE_IN_GRAPH}
        return self._execute("open_nearest", {**asked, **width})

    def _indexed(
        self, name: str, dimension: int, values: Mapping[str, object]
    ) -> psycopg.Cursor[DictRow]:
        """Run a statement that searches the index of one model.

        A type's dimension cannot be a parameter, so it is written into the statement. The statement
        is planned each time, because a plan kept for all models could not use the index.
        """
        sql = loaded_statements()[name].sql
        sized = sql.replace(_STAND_IN_DIMENSION, f"halfvec({dimension:d})")
        with gate():
            return self._execute(name, values, sized, planned_anew=True)

    def passing(self, keys: Sequence[int], wanted: Filter) -> list[int]:
        """The keys that are readable and pass the filter, in order."""
        return self.chunks.keys(keys, wanted)

    def _execute(
        self,
        name: str,
        values: Mapping[str, object],
        sql: str | None = None,
        *,
        planned_anew: bool = False,
    ) -> psycopg.Cursor[DictRow]:
        given = {**self._bound, **values}
        return execute(self._connection, name, given, sql, planned_anew=planned_anew)


def _hits(rows: Sequence[Row]) -> tuple[tuple[int, float], ...]:
    return tuple((row["key"], row["cosine"]) for row in rows)


def _best_windows(rows: Sequence[Row]) -> list[tuple[int, float]]:
    best: dict[int, float] = {}
    for row in rows:
        best[row["key"]] = max(row["cosine"], best.get(row["key"], -1.0))
    return sorted(best.items(), key=lambda hit: (-hit[1], hit[0]))
