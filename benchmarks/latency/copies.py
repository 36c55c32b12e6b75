"""Makes a large SQLite collection out of a smaller one: the same texts again, with vectors of
their own.

Words and filters keep their shares, so every word matches as many times more chunks.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from benchmarks.latency.texts import Matrix

# What differs in a copy, by table; the other columns stay as they are.
_CHANGED = {
    "entries": {"key": "key + :shift", "id": "id || '-' || :shift"},
    "chunks": {"key": "key + :shift", "owner_key": "owner_key + :shift"},
    "passages": {"chunk_key": "chunk_key + :shift"},
}
_VECTOR = """
INSERT INTO vectors (org, chunk_key, model, window, vector)
SELECT org, key, ?, 0, ? FROM chunks WHERE key = ?"""


def multiply(original: Path, file: Path, vectors: Matrix, model: str) -> None:
    """As many copies as there are vectors for; the original's own vectors are replaced."""
    connection = _copied(original, file)
    chunks, last = connection.execute("SELECT count(*), max(key) FROM chunks").fetchone()
    connection.executescript("DELETE FROM vectors; DELETE FROM vector_removals")
    for number in range(1, round(len(vectors) / chunks)):
        for table, changed in _CHANGED.items():
            given = {"shift": number * last, "last": last}
            connection.execute(copy_statement(connection, table, changed), given)
        connection.commit()
        print(f"  {(number + 1) * chunks} chunks", flush=True)
    keys = [key for (key,) in connection.execute("SELECT key FROM chunks ORDER BY key")]
    stored = cycle(vectors)
    rows = ((model, next(stored).astype(np.float16).tobytes(), key) for key in keys)
    connection.executemany(_VECTOR, rows)
    connection.commit()
    connection.close()


def _copied(original: Path, file: Path) -> sqlite3.Connection:
    file.unlink(missing_ok=True)
    source, connection = sqlite3.connect(original), sqlite3.connect(file)
    source.backup(connection)
    source.close()
    connection.execute("PRAGMA synchronous = OFF")
    return connection


def copy_statement(connection: sqlite3.Connection, table: str, changed: Mapping[str, str]) -> str:
    columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
    shown = ", ".join(changed.get(column, column) for column in columns)
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) "
        f"SELECT {shown} FROM {table} WHERE {columns[0]} <= :last"
    )
