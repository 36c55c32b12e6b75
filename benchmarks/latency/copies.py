"""Makes a large SQLite collection out of a smaller one: the same texts again, with vectors of
their own.

Words and filters keep their shares. Posting lists are copied too; the text index is not extended.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix

# The columns in which a copy differs.
_ENTRIES = {"key": "key + :shift", "id": "id || '-' || :shift"}
_CHUNKS = {"key": "key + :shift", "owner_key": "owner_key + :shift"}
_PASSAGES = {"chunk_key": "chunk_key + :shift"}
_VECTOR = """
INSERT INTO vectors (org, chunk_key, model, window, vector)
SELECT org, key, ?, 0, ? FROM chunks WHERE key = ?"""
# A block's place starts with the number of its segment; places in a list, with its first key.
_SEGMENTS = """
INSERT INTO posting_segments (segment, org, ready, first_key, last_key, chunks, tokens, blocks,
                              gone)
SELECT segment + :segments, org, ready, first_key + :shift, last_key + :shift, chunks, tokens,
       blocks, gone
FROM posting_segments WHERE segment <= :last_segment"""
_BLOCKS = """
INSERT INTO postings (place, org, data)
SELECT place + (:segments << 32), org, data FROM postings WHERE place >> 32 <= :last_segment"""
_UNPOSTED = """
INSERT INTO unposted (org, chunk_key)
SELECT org, chunk_key + :shift FROM unposted WHERE chunk_key <= :last"""


def multiply(original: Path, file: Path, vectors: Matrix, model: str) -> None:
    """As many copies as there are vectors for; the original's own vectors are replaced.

    The store's text index keeps the original's texts alone: an org of this size is searched by its
    posting lists, and indexing the copies would take most of the time.
    """
    connection = _copied(original, file)
    times = round(len(vectors) / _count(connection, "chunks"))
    connection.executescript("DELETE FROM vectors; DELETE FROM vector_removals")
    copy_rows(connection, "entries", _ENTRIES, times)
    multiply_chunks(connection, times)
    keys = [key for (key,) in connection.execute("SELECT key FROM chunks ORDER BY key")]
    stored = cycle(vectors)
    rows = ((model, next(stored).astype(np.float16).tobytes(), key) for key in keys)
    connection.executemany(_VECTOR, rows)
    connection.commit()
    print(f"  {len(keys)} chunks with vectors", flush=True)
    with _without_triggers(connection, "passages"):
        copy_rows(connection, "passages", _PASSAGES, times)
    connection.close()


def multiply_chunks(connection: sqlite3.Connection, times: int) -> None:
    """Chunks and what posting lists say of them; no texts, no vectors."""
    last = _last_chunk(connection)
    (segment,) = connection.execute("SELECT max(segment) FROM posting_segments").fetchone()
    copy_rows(connection, "chunks", _CHUNKS, times)
    for number in range(1, times):
        given = {
            "shift": number * last,
            "last": last,
            "segments": number * (segment or 0),
            "last_segment": segment,
        }
        for statement in (_SEGMENTS, _BLOCKS, _UNPOSTED):
            connection.execute(statement, given)
        connection.commit()


def copy_rows(
    connection: sqlite3.Connection, table: str, changed: Mapping[str, str], times: int
) -> None:
    """The rows of a table again and again, with keys of their own."""
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    shown = ", ".join(changed.get(column, column) for column in columns)
    last = _last_chunk(connection)
    (own,) = connection.execute(f"SELECT max({columns[0]}) FROM {table}").fetchone()
    for number in range(1, times):
        connection.execute(
            f"INSERT INTO {table} ({', '.join(columns)}) "
            f"SELECT {shown} FROM {table} WHERE {columns[0]} <= :own",
            {"shift": number * last, "own": own},
        )
        connection.commit()


def _last_chunk(connection: sqlite3.Connection) -> int:
    """The newest key of the original: of a passage, which is copied last."""
    (last,) = connection.execute("SELECT max(chunk_key) FROM passages").fetchone()
    return int(last)


@contextmanager
def _without_triggers(connection: sqlite3.Connection, table: str) -> Iterator[None]:
    """What is added is neither indexed nor queued."""
    find = "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?"
    triggers = connection.execute(find, (table,)).fetchall()
    for name, _ in triggers:
        connection.execute(f"DROP TRIGGER {name}")
    yield
    for _, sql in triggers:
        connection.execute(sql)
    connection.commit()


def _count(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


def _copied(original: Path, file: Path) -> sqlite3.Connection:
    file.unlink(missing_ok=True)
    source, connection = sqlite3.connect(original), sqlite3.connect(file)
    source.backup(connection)
    source.close()
    connection.execute("PRAGMA synchronous = OFF")
    return connection
