"""A database of generated vectors: topics in groups, as texts have them, and queries like them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from commonplace.model.chunk import ChunkMetadata
from commonplace.storage.sqlite.connections import open_connection
from commonplace.storage.sqlite.migrate import migrate
from commonplace.storage.tables.chunks import scope_of

ORG = "acme"
MODEL = "generated-384"
DIMENSION = 384
RARE_EVERY = 100
_BLOCK = 10_000
_CHUNKS_PER_TOPIC = 50

_CHUNK = """
INSERT INTO chunks (org, owner_type, owner_key, ordinal, kind, agent, visibility, tags, superseded,
                    trust, char_start, char_end, token_count, text_hash, embedding_model,
                    embedding_urgency)
VALUES ('acme', 'document', ?, 0, 'note', 'alice', 'org', ?, 0, 'own', 0, 1, 1, ?, ?, 1)"""
_PASSAGE = """
INSERT INTO passages (chunk_key, org, text, context, terms, context_terms, tokens)
VALUES (?, 'acme', '', '', '', '', packed('', '', ?, ''))"""
_VECTOR = "INSERT INTO vectors (org, chunk_key, model, window, vector) VALUES ('acme', ?, ?, 0, ?)"


class Topics:
    """Draws vectors around topics, and topics around a few fields."""

    def __init__(self, count: int, seed: int = 0) -> None:
        source = np.random.default_rng(seed)
        fields = _noise(source, 64)
        topics = max(64, count // _CHUNKS_PER_TOPIC)
        self._centres = _unit(fields[source.integers(0, 64, topics)] + _noise(source, topics))

    def draw(self, count: int, seed: int) -> NDArray[np.float32]:
        source = np.random.default_rng(seed)
        chosen = self._centres[source.integers(0, len(self._centres), count)]
        return _unit(chosen + 1.2 * _noise(source, count))


def vectors(count: int) -> Iterator[NDArray[np.float16]]:
    """All of them, block by block; the same on every run."""
    topics = Topics(count)
    for seed, start in enumerate(range(0, count, _BLOCK), start=1):
        yield topics.draw(min(_BLOCK, count - start), seed).astype(np.float16)


def queries(count: int, corpus: int) -> NDArray[np.float32]:
    return Topics(corpus).draw(count, seed=10_000_000)


def fill(file: Path, count: int) -> None:
    """Rows as the store writes them, without texts; every hundredth chunk is tagged as rare."""
    migrate(file)
    connection = open_connection(file)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("INSERT INTO orgs (org, created_at) VALUES (?, 0)", (ORG,))
    key = 0
    for block in vectors(count):
        keys = range(key + 1, key + 1 + len(block))
        connection.execute("BEGIN IMMEDIATE")
        connection.executemany(_CHUNK, [(k, _tags(k), str(k), MODEL) for k in keys])
        connection.executemany(_PASSAGE, [(k, _scope(k)) for k in keys])
        rows = zip(keys, block, strict=True)
        connection.executemany(_VECTOR, [(k, MODEL, row.tobytes()) for k, row in rows])
        connection.execute("COMMIT")
        key += len(block)
    connection.close()


def _tags(key: int) -> str:
    return '["all", "rare"]' if key % RARE_EVERY == 0 else '["all"]'


def _scope(key: int) -> str:
    shown = ChunkMetadata(kind="note", agent="alice", tags=tuple(json.loads(_tags(key))))
    return scope_of(ORG, shown)


def _noise(source: np.random.Generator, count: int) -> NDArray[np.float32]:
    return _unit(source.standard_normal((count, DIMENSION), np.float32))


def _unit(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    scaled: NDArray[np.float32] = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return scaled
