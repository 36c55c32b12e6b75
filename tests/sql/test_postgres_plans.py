"""Hot operations on PostgreSQL use indexes, as the application's role and inside functions.

What counts is what the server did: its own count of sequential scans in the transaction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import cast

import psycopg
import pytest

from commonplace.model.capture import ReviewStatus
from commonplace.model.chunk import Owner, OwnerType, Urgency
from commonplace.model.entry import EntryKind, Place, Visibility
from commonplace.model.query import Filter, ListPosition
from commonplace.storage.port import LexicalQuery, Store, Transaction
from commonplace.storage.postgres.connections import Connection
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.postgres.tokens import search_vector
from commonplace.storage.tables.chunks import scope_of
from commonplace.storage.transaction import SessionTransaction
from tests.generate import ALICE, DIMENSION, MODEL, axis, metadata
from tests.stores import START, PostgresDatabases, SteppingClock, open_store

MANY = 12_000
LARGE = {
    "reviews",
    "questions",
    "entries",
    "chunks_0",
    "passages_0",
    "vectors_0",
    "changes",
    "blobs",
    "runs",
    "targets",
}
# Twenty orgs of equal size, one of which is acme; one row in a hundred is shared with all.
FILL = f"""
SET search_path = commonplace, public;
CREATE TEMP TABLE made AS
SELECT n, CASE n % 20 WHEN 0 THEN 'acme' ELSE 'org' || n % 20 END AS org,
       CASE WHEN n % 100 = 7 THEN 'network' ELSE 'org' END AS visibility,
       CASE WHEN n % 500 = 0 THEN ARRAY['rare', 'red'] ELSE ARRAY['red'] END AS tags,
       CASE WHEN n % 500 = 0 THEN 'rare' END AS project, 2000000000 + n AS moment
FROM generate_series(1, {MANY}) AS n;
INSERT INTO orgs SELECT DISTINCT org, 1 FROM made;
INSERT INTO entries (org, id, kind, title, body, tags, visibility, project, confidence, attributes,
                     source, agent, revision, created_at, updated_at, head)
SELECT org, 'n-' || n, 'note', 'title', repeat('body ', 50), tags, visibility, project, 0.5, '{{}}',
       'agent', 'alice', 1, moment, moment, CASE WHEN n % 10 = 3 THEN 'head-' || n % 50 END
FROM made ORDER BY n;
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, agent, visibility, project, tags,
                    superseded, trust, char_start, char_end, token_count, text_hash,
                    embedding_model, embedding_due, embedding_urgency)
SELECT org, 'entry', n, 0, 'note', 'alice', visibility, project, tags, false, 'operational', 0, 9,
       9, md5(n::text), '{MODEL}', CASE WHEN n % 30 = 0 THEN 1 END, 0
FROM made ORDER BY n;
INSERT INTO vectors (org, shared, chunk_key, model, "window", vector)
SELECT org, visibility = 'network', key, '{MODEL}', 0,
       (SELECT array_agg(sin(key * i) ORDER BY i) FROM generate_series(1, {DIMENSION}) AS i)::real[]
           ::vector::halfvec
FROM chunks;
INSERT INTO changes (org, agent, client, at, operation, entity, entity_id, revision)
SELECT org, 'alice', 'test', 1, 'create', 'entry', 'note/n-' || n, 1 FROM made ORDER BY n;
INSERT INTO runs (org, id, kind, agent, created_at)
SELECT org, 'run-' || n, 'rebuild', 'alice', moment FROM made ORDER BY n;
INSERT INTO targets (org, run_key, subject, status, due)
SELECT org, key, '{{}}', 'done', CASE WHEN key % 30 = 0 THEN 1 END FROM runs;
INSERT INTO reviews (org, id, fingerprint, agent, moment, confidence, level, reason, status,
                     created_at)
SELECT org, 'rv-' || n, md5(n::text), 'alice', '{{}}', 0.5, 'low', '', 'waiting', moment FROM made;
INSERT INTO questions (org, agent, client, at, tool, question, outcome, given)
SELECT org, 'alice', '', moment, 'recall', 'What is ' || n, 'found', '{{}}' FROM made ORDER BY n;
"""

Operation = Callable[[Transaction], object]
TERMS = LexicalQuery(terms=("word7", "word9"))
READS: dict[str, Operation] = {
    "get": lambda tx: tx.entries.get("n-20"),
    "get by kind": lambda tx: tx.entries.get("n-20", EntryKind.NOTE),
    "by keys": lambda tx: tx.entries.by_keys([20, 40, 60]),
    "page": lambda tx: tx.entries.page(Filter(), 20, 0),
    "page by tag": lambda tx: tx.entries.page(Filter(tags=("rare",)), 20, 0),
    "older": lambda tx: tx.entries.page(Filter(), 50, 0, ListPosition(START, 6000)),
    "latest changes": lambda tx: tx.changes.latest(6000, 30),
    "keys after": lambda tx: tx.entries.keys_after(6000, 50),
    "history": lambda tx: tx.changes.history(tx.entries.by_keys([20])[20]),
    "changes since": lambda tx: tx.changes.since(MANY - 50, 20),
    "words": lambda tx: tx.chunks.lexical(TERMS, Filter(), 20),
    "words by tag": lambda tx: tx.chunks.lexical(TERMS, Filter(tags=("rare",)), 20),
    "words by project": lambda tx: tx.chunks.lexical(TERMS, Filter(place=Place(project="rare")), 5),
    "fetch": lambda tx: tx.chunks.fetch([20, 40, 60], Filter()),
    "terms": lambda tx: tx.chunks.terms([20, 40, 60], Filter()),
    "owners": lambda tx: tx.chunks.without_terms([20, 40, 60], Filter()),
    "state": lambda tx: tx.chunks.state(Owner(OwnerType.ENTRY, 20)),
    "pending": lambda tx: tx.chunks.unembedded(1000),
    "sample": lambda tx: tx.chunks.sample(20),
    "cosines": lambda tx: tx.vectors.cosines(MODEL, axis(1), [20, 40, 60]),
    "means": lambda tx: tx.vectors.mean_cosines(MODEL, axis(1), [20, 40], 8),
    "nearest": lambda tx: tx.vectors.nearest(MODEL, axis(1), Filter(), 10, 64),
    "nearest by tag": lambda tx: tx.vectors.nearest(MODEL, axis(1), Filter(tags=("rare",)), 10, 64),
    "page by author": lambda tx: tx.entries.page(Filter(agent="alice"), 20, 0),
    "page of skills": lambda tx: tx.entries.page(Filter(kinds=("skill",)), 50, 0),
    "waiting moments": lambda tx: tx.reviews.page(ReviewStatus.WAITING, 50, 0),
    "questions": lambda tx: tx.questions.newest(25),
    "recent runs": lambda tx: tx.runs.recent(10),
}
WRITES: dict[str, Operation] = {
    "lock": lambda tx: tx.entries.lock([20, 40]),
    "with head": lambda tx: tx.entries.with_head(EntryKind.NOTE, "head-13"),
    "claim": lambda tx: tx.vectors.claim(Urgency.FRESH, 8, START + timedelta(minutes=5)),
    "postpone": lambda tx: tx.vectors.postpone([20, 40], START),
    "reopen": lambda tx: tx.vectors.reopen("another", 50),
    "remove": lambda tx: tx.chunks.remove(Owner(OwnerType.ENTRY, 60)),
    "claim target": lambda tx: tx.runs.claim(START),
}


@pytest.fixture(scope="module")
def store(postgres_databases: PostgresDatabases) -> Iterator[Store]:
    address = postgres_databases.migrated()
    store = open_store(address, SteppingClock())
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(FILL.encode())
        _add_passages(connection)
        connection.execute("ANALYZE")
    yield store
    store.close()


def _add_passages(connection: psycopg.Connection) -> None:
    """Tokens as the store writes them, of some of a hundred words."""
    rows = connection.execute("SELECT key, org, visibility, tags FROM chunks").fetchall()
    columns = "chunk_key, org, shared, text, context, terms, context_terms, words, search"
    into = f"COPY passages ({columns}) FROM STDIN"
    with connection.cursor() as cursor, cursor.copy(into.encode()) as copy:
        for key, org, visibility, tags in rows:
            terms = f"word{key % 50} word{50 + key % 47}"
            shown = metadata(visibility=Visibility(visibility), tags=tuple(tags))
            fields = {"scope": scope_of(org, shown), "terms": terms, "words": terms}
            search = search_vector(fields | {"context_terms": "", "title_grams": ""})
            copy.write_row((key, org, visibility == "network", terms, "", terms, "", terms, search))


@pytest.mark.parametrize("name", READS)
def test_a_read_scans_no_large_table(store: Store, name: str) -> None:
    with store.read(ALICE) as tx:
        assert not scanned_by(READS[name], tx) & LARGE


@pytest.mark.parametrize("name", WRITES)
def test_a_write_scans_no_large_table(store: Store, name: str) -> None:
    with store.write(ALICE) as tx:
        assert not scanned_by(WRITES[name], tx) & LARGE


def test_a_scan_would_be_noticed(store: Store) -> None:
    def scan(tx: Transaction) -> None:
        for setting in ("enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan"):
            _connection(tx).execute(f"SET LOCAL {setting} = off".encode())
        tx.entries.get("n-20")

    with store.read(ALICE) as tx:
        assert scanned_by(scan, tx) == {"entries"}


def scanned_by(operation: Operation, tx: Transaction) -> set[str]:
    before = _scans(tx)
    operation(tx)
    return {table for table, scans in _scans(tx).items() if scans > before.get(table, 0)}


def _scans(tx: Transaction) -> dict[str, int]:
    rows = _connection(tx).execute("SELECT relname, seq_scan FROM pg_stat_xact_user_tables")
    return {row["relname"]: row["seq_scan"] for row in rows}


def _connection(tx: Transaction) -> Connection:
    session = cast(PostgresSession, cast(SessionTransaction, tx)._session)
    return session._connection
