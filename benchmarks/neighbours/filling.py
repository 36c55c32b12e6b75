"""Orgs of any size in a PostgreSQL database: synthetic texts and vectors, copied in as rows.

Decides what they hold; not where it lies, which is the store's business.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np
import psycopg

from commonplace.model.chunk import ChunkMetadata
from commonplace.storage.postgres.tokens import search_vector
from commonplace.storage.tables.chunks import scope_of

MODEL = "synthetic-384"
DIMENSION = 384
_WORDS = 5_000
_WORDS_OF_A_CHUNK = 40
_BATCH = 10_000
_CHUNKS = """
COPY chunks (key, part, org, owner_type, owner_key, ordinal, kind, agent, visibility, tags,
             superseded, trust, char_start, char_end, token_count, text_hash, embedding_model,
             embedding_urgency) FROM STDIN"""
_PASSAGES = """
COPY passages (chunk_key, part, org, shared, text, context, terms, context_terms, words, search)
FROM STDIN"""
_MADE_HERE = 20_000
_REPEATED = (
    """INSERT INTO chunks (key, part, org, owner_type, owner_key, ordinal, kind, agent, visibility,
           tags, superseded, trust, char_start, char_end, token_count, text_hash, embedding_model,
           embedding_urgency)
       SELECT key + %(ahead)s, part, org, owner_type, owner_key + %(ahead)s, ordinal, kind, agent,
           visibility, tags, superseded, trust, char_start, char_end, token_count,
           to_hex(key + %(ahead)s), embedding_model, embedding_urgency
       FROM chunks WHERE part = %(part)s AND key BETWEEN %(from)s AND %(to)s""",
    """INSERT INTO passages (chunk_key, part, org, shared, text, context, terms, context_terms,
           words, search)
       SELECT chunk_key + %(ahead)s, part, org, shared, text, context, terms, context_terms, words,
           search
       FROM passages WHERE part = %(part)s AND chunk_key BETWEEN %(from)s AND %(to)s""",
    """INSERT INTO vectors (part, org, shared, chunk_key, model, "window", vector)
       SELECT v.part, v.org, v.shared, v.chunk_key + %(ahead)s, v.model, v."window",
           v.vector + other.vector
       FROM vectors v JOIN vectors other ON other.part = v.part AND other.chunk_key =
           %(from)s + (v.chunk_key * 31 + %(ahead)s / 7) %% (%(to)s + 1 - %(from)s)
       WHERE v.part = %(part)s AND v.chunk_key BETWEEN %(from)s AND %(to)s""",
)
_VECTORS = """
COPY vectors (part, org, shared, chunk_key, model, "window", vector) FROM STDIN (FORMAT BINARY)"""


def words_of(number: int, count: int = _WORDS_OF_A_CHUNK) -> list[str]:
    """Words of one chunk: a few are frequent and most are rare, as in any language."""
    ranks = np.random.default_rng(number).zipf(1.3, count)
    return [f"word{rank % _WORDS}" for rank in ranks]


def vectors_of(first: int, count: int) -> np.ndarray:
    rows = np.random.default_rng(first + 1).normal(size=(count, DIMENSION))
    scaled: np.ndarray = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled


def fill(connection: psycopg.Connection, org: str, part: int, first: int, count: int) -> None:
    """So many chunks of an org in a partition, with keys from `first` on.

    Those behind the first 20,000 repeat their texts and mix their vectors, inside the server.
    """
    connection.execute("INSERT INTO orgs VALUES (%s, 0) ON CONFLICT DO NOTHING", [org])
    made = min(count, _MADE_HERE)
    for begin in range(first, first + made, _BATCH):
        keys = range(begin, min(begin + _BATCH, first + made))
        _copy(connection, _CHUNKS, (_chunk(org, part, key) for key in keys))
        _copy(connection, _PASSAGES, _passages(org, part, keys))
        _copy_vectors(connection, org, part, keys)
    for begin in range(first + made, first + count, made):
        ahead = {"ahead": begin - first, "from": first, "part": part}
        ahead["to"] = min(made, first + count - begin) + first - 1
        for statement in _REPEATED:
            connection.execute(statement.encode(), ahead)
        connection.commit()
    connection.execute(
        "INSERT INTO statistics VALUES (%s, %s, %s, 40, '{}', 0)", [org, count, count]
    )
    connection.commit()


def _chunk(org: str, part: int, key: int) -> tuple[object, ...]:
    fixed: tuple[object, ...] = (
        "entry",
        key,
        0,
        "note",
        "agent",
        "org",
        [],
        False,
        "operational",
        0,
        200,
        40,
    )
    return (key, part, org, *fixed, f"{key:x}", MODEL, 0)


def _passages(org: str, part: int, keys: range) -> Iterator[tuple[object, ...]]:
    scope = scope_of(org, ChunkMetadata(kind="note", agent="agent"))
    for key in keys:
        terms = " ".join(words_of(key))
        fields = {"scope": scope, "terms": terms, "words": "", "context_terms": ""}
        search = search_vector(fields | {"title_grams": ""})
        yield (key, part, org, False, terms, "", terms, "", "", search)


def _copy(connection: psycopg.Connection, command: str, rows: Iterator[tuple[object, ...]]) -> None:
    with connection.cursor() as cursor, cursor.copy(command.encode()) as copy:
        for row in rows:
            copy.write_row(row)


def _copy_vectors(connection: psycopg.Connection, org: str, part: int, keys: range) -> None:
    """In the server's binary format: the text form of a vector takes most of the time."""
    halves = vectors_of(keys.start, len(keys)).astype(">f2").tobytes()
    size = 2 * DIMENSION
    head = struct.pack("!hiii", 7, 4, part, len(org.encode())) + org.encode()
    head += struct.pack("!i?", 1, False)
    tail = struct.pack("!i", len(MODEL)) + MODEL.encode() + struct.pack("!iq", 8, 0)
    tail += struct.pack("!ihh", 4 + size, DIMENSION, 0)
    with connection.cursor() as cursor, cursor.copy(_VECTORS.encode()) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0))
        for number, key in enumerate(keys):
            vector = halves[number * size : (number + 1) * size]
            copy.write(head + struct.pack("!iq", 8, key) + tail + vector)
        copy.write(struct.pack("!h", -1))
