"""An SQLite transaction of one actor: runs statements and searches text and vectors."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from commonplace.model.query import Filter
from commonplace.storage.passing import PassingChunks
from commonplace.storage.port import LexicalQuery, Nearest
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.session import Binding, Row, filter_values
from commonplace.storage.sqlite.codec import SqliteCodec
from commonplace.storage.sqlite.connections import gate
from commonplace.storage.sqlite.vectors.port import VectorIndexes
from commonplace.storage.sqlite.vectors.search import NearestSearch, index_name
from commonplace.storage.statements import Statement
from commonplace.storage.tables.chunks import any_scopes, readable_scopes, scope_token

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.embedding.port import Vector

_CODEC = SqliteCodec()
_OVERFETCH = 4
# If less than this share of what matches is of the wanted kinds, others crowd them out.
_NEARLY_ALL = 0.9
_COUNT_AGAIN_SECONDS = 30.0


class CrowdedKinds:
    """Remembers for a while which kinds an org has few chunks of, beside those of others."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until: dict[tuple[str, tuple[str, ...]], float] = {}

    def known(self, org: str, kinds: Sequence[str]) -> bool:
        return self._clock() < self._until.get((org, tuple(kinds)), 0.0)

    def note(self, org: str, kinds: Sequence[str]) -> None:
        self._until[org, tuple(kinds)] = self._clock() + _COUNT_AGAIN_SECONDS


class SqliteSession:
    """Implements session.Session."""

    codec = _CODEC

    def __init__(
        self,
        connection: sqlite3.Connection,
        statements: Mapping[str, Statement],
        indexes: Callable[[], VectorIndexes],
        postings: PostingLists,
        crowded: CrowdedKinds,
        binding: Binding,
    ) -> None:
        self._connection = connection
        self._statements = statements
        self._indexes = indexes
        self._postings = postings
        self._crowded = crowded
        self._bound = binding.values()
        self._network = binding.network
        self._scopes: Sequence[str] | None = None
        self.actor = binding.actor
        self.now = binding.now
        self.work_announced = False
        self.chunks = PassingChunks(self.rows, _CODEC)

    def rows(self, statement: str, **values: object) -> list[Row]:
        with gate():
            return self._execute(statement, values).fetchall()

    def row(self, statement: str, **values: object) -> Row | None:
        with gate():
            found = self._execute(statement, values).fetchall()
        return found[0] if found else None

    def run(self, statement: str, **values: object) -> int:
        with gate():
            return self._execute(statement, values).rowcount

    def run_last(self, statement: str, **values: object) -> None:
        """Run it now: nobody else can write before this transaction ends."""
        self.run(statement, **values)

    def run_many(self, statement: str, values: Iterable[Mapping[str, object]]) -> None:
        sql = self._statements[statement].sql
        with gate():
            self._connection.executemany(sql, ({**self._bound, **each} for each in values))

    def expect_vectors(self, model: str, dimension: int) -> None:
        """Nothing to do: the indexes are in memory and follow the table."""

    def announce_work(self) -> None:
        self.work_announced = True

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Search posting lists if the org has them, else the text index."""
        posted = self._postings.search(self.actor.org, self, query, wanted, limit)
        return self._in_text_index(query, wanted, limit) if posted is None else posted

    def _in_text_index(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Query the index alone first; join the filters only if they discard too much.

        Usually all of the best pass, so the rest of what the index gave is checked only if needed.
        Kinds are matched only where others crowd them out: the list of a kind that most chunks have
        takes longer to read than those of all words.
        """
        is_crowded = self._crowded.known(self.actor.org, wanted.kinds)
        matched = wanted if is_crowded or not wanted.kinds else replace(wanted, kinds=())
        match = match_expression(query, matched, self._scopes_to_match())
        if match is None:
            return []
        reach = _OVERFETCH * limit
        best = [row["key"] for row in self.rows("lexical_best", match=match, limit=reach)]
        passing = self.passing(best[:limit], wanted)
        if len(passing) < _NEARLY_ALL * len(best[:limit]):
            self._crowded.note(self.actor.org, wanted.kinds)
        if len(passing) < limit:
            passing += self.passing(best[limit:], wanted)
        if len(passing) >= limit or len(best) < reach:
            return passing[:limit]
        if matched is not wanted and self._crowded.known(self.actor.org, wanted.kinds):
            return self._in_text_index(query, wanted, limit)
        values = filter_values(wanted, _CODEC)
        rows = self.rows("lexical_filtered", match=match, limit=limit, **values)
        return [row["key"] for row in rows]

    def unposted_matches(self, query: LexicalQuery, wanted: Filter, after: int) -> list[Row]:
        match = match_expression(query, wanted, self._scopes_to_match())
        return self.rows("unposted_matching", match=match, after=after) if match else []

    def scoped(self, wanted: Filter, most: int) -> NDArray[np.int64] | None:
        return self._postings.scoped(self.actor.org, self, wanted, most)

    def nearest(self, model: str, query: Vector, wanted: Filter, limit: int, width: int) -> Nearest:
        index = self._indexes().of(index_name(self.actor.org, self._network), model)
        return NearestSearch(self, index, model, query, wanted).run(limit, width)

    def _scopes_to_match(self) -> Sequence[str]:
        """Tokens that limit the text index to readable chunks; none needed if the org is the only
        one."""
        if self._scopes is None:
            strangers = self.row("has_strangers")
            alone = not strangers or not strangers["found"]
            self._scopes = [] if alone else readable_scopes(self.actor.org, self._network)
        return self._scopes

    def passing(self, keys: Sequence[int], wanted: Filter) -> list[int]:
        """The keys that are readable and pass the filter, in order."""
        return self.chunks.keys(keys, wanted)

    def _execute(self, name: str, values: Mapping[str, object]) -> sqlite3.Cursor:
        statement = self._statements[name]
        given = {**self._bound, **values}
        return self._connection.execute(
            statement.sql, {parameter: given[parameter] for parameter in statement.parameters}
        )


def match_expression(query: LexicalQuery, wanted: Filter, readable: Sequence[str]) -> str | None:
    """An FTS5 expression with every token quoted, so that no input acts as syntax."""
    if query.words:
        text = "words : (" + " AND ".join(map(_quoted, query.words)) + ")"
    elif query.grams:
        text = "title_grams : (" + " AND ".join(map(_quoted, query.grams)) + ")"
    elif query.gram_prefix:
        text = f"title_grams : ({_quoted(query.gram_prefix)} *)"
    elif query.terms:
        text = "{context_terms terms} : (" + " OR ".join(map(_quoted, query.terms)) + ")"
    else:
        return None
    scopes = [_any_scope(readable)] if readable else []
    scopes += [_any_scope([scope_token("t", tag)]) for tag in wanted.tags]
    scopes += [_any_scope(tokens) for tokens in any_scopes(wanted)]
    return " AND ".join([text, *scopes])


def _quoted(token: str) -> str:
    return '"' + token.replace('"', '""') + '"'


def _any_scope(tokens: Sequence[str]) -> str:
    return "scope : (" + " OR ".join(map(_quoted, tokens)) + ")"
