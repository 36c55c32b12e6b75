"""Whose processor time it is: parts of the product that are watched while it runs, nothing changed.

A part is what one function computes without the parts that it asks in turn, in all threads of this
process: the machine may be busy with other things.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.recall import judging, naming
from commonplace.recall.service import recall
from commonplace.retrieval.service import candidates, hits, legs, search
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.postgres.store import PostgresStore
from commonplace.storage.sqlite.session import SqliteSession
from commonplace.storage.sqlite.store import SqliteStore
from commonplace.storage.tables.chunks import ChunkTable
from commonplace.storage.tables.entries import EntryTable
from commonplace.storage.tables.vectors import VectorTable
from commonplace.surfaces.institutional import wire as institutional
from commonplace.surfaces.notes import wire as notes

EMBEDDING, NEAREST, WORDS = "embedding", "nearest", "words"
TERMS, TEXTS, COSINES, WAITING = "terms", "texts", "cosines", "waiting"
SCORING, JUDGING, SNIPPETS, EXAMINING = "scoring", "judging", "snippets", "examining"
MODEL, TRANSACTION, REST = "which model", "transaction", "the rest"
PARTS = (
    *(EMBEDDING, NEAREST, WORDS, TERMS, TEXTS, COSINES, WAITING),
    *(SCORING, JUDGING, SNIPPETS, EXAMINING, MODEL, TRANSACTION, REST),
)
_WATCHED: tuple[tuple[Any, str, str], ...] = (
    (BundledEmbedder, "embed_query", EMBEDDING),
    (ServingEmbedder, "current", MODEL),
    (SqliteSession, "nearest", NEAREST),
    (PostgresSession, "nearest", NEAREST),
    (SqliteSession, "lexical", WORDS),
    (PostgresSession, "lexical", WORDS),
    (ChunkTable, "terms", TERMS),
    (ChunkTable, "without_terms", TERMS),
    (ChunkTable, "words", WORDS),
    (ChunkTable, "fetch", TEXTS),
    (ChunkTable, "around", COSINES),
    (ChunkTable, "unembedded", WAITING),
    (EntryTable, "by_keys", TEXTS),
    (VectorTable, "cosines", COSINES),
    (VectorTable, "pair_cosines", COSINES),
    (candidates.Candidates, "gather", SCORING),
    (legs.TermLeg, "scores", SCORING),
    (search, "fuse", SCORING),
    (search, "_ranked", SCORING),
    (hits, "snippet", SNIPPETS),
    (recall, "fitted", SNIPPETS),
    (judging.Judge, "rank", JUDGING),
    (notes, "warnings_of", EXAMINING),
    (naming, "warnings_of", EXAMINING),
    (institutional, "warnings_of", EXAMINING),
)
# Their opening and closing is the part; what happens in between is not.
_OPENED: tuple[tuple[Any, str, str], ...] = (
    (SqliteStore, "search", TRANSACTION),
    (PostgresStore, "search", TRANSACTION),
)


class Attribution:
    """Seconds of processor time by part, of one call after the other."""

    def __init__(self) -> None:
        self.calls: list[dict[str, float]] = []
        self._now: dict[str, float] = {}
        self._parts: list[str] = []
        self._since = 0.0

    @contextmanager
    def call(self) -> Iterator[None]:
        self._now, self._since = {}, time.process_time()
        with self.part(REST):
            yield
        # What the floor asks of the same functions between two calls is none of theirs.
        self.calls.append(self._now)
        self._now = {}

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Whoever asked is charged until here, and from the end on again."""
        self._charge()
        self._parts.append(name)
        try:
            yield
        finally:
            self._charge()
            self._parts.pop()

    def _charge(self) -> None:
        now = time.process_time()
        if self._parts:
            part = self._parts[-1]
            self._now[part] = self._now.get(part, 0.0) + now - self._since
        self._since = now


@contextmanager
def attributed(attribution: Attribution) -> Iterator[None]:
    """Functions of the product are watched inside; one thread at a time may ask for them."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in (*_WATCHED, *_OPENED)]
    for owner, name, part in _WATCHED:
        setattr(owner, name, _watched(getattr(owner, name), part, attribution))
    for owner, name, part in _OPENED:
        setattr(owner, name, _opened(getattr(owner, name), part, attribution))
    try:
        yield
    finally:
        for owner, name, function in before:
            setattr(owner, name, function)


def _watched(function: Any, part: str, attribution: Attribution) -> Any:
    @wraps(function)
    def watched(*given: Any, **named: Any) -> Any:
        with attribution.part(part):
            return function(*given, **named)

    return watched


def _opened(function: Any, part: str, attribution: Attribution) -> Any:
    @wraps(function)
    @contextmanager
    def opened(*given: Any, **named: Any) -> Iterator[Any]:
        with ExitStack() as stack:
            with attribution.part(part):
                value = stack.enter_context(function(*given, **named))
            yield value
            with attribution.part(part):
                stack.close()

    return opened
