"""An embedder that caches its vectors in a file, so that a second run is quick.

Each vector is stored under its model and its complete text, and is identical to the original.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from commonplace.embedding.port import Embedder, Handling, ModelIdentity

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

# Several processes may write to the same file.
_PATIENCE = 60.0
_SCHEMA = "CREATE TABLE IF NOT EXISTS kept (text TEXT PRIMARY KEY, windows BLOB NOT NULL)"


class KeptVectors:
    """Implements embedding.port.Embedder."""

    def __init__(self, embedder: Embedder, folder: Path) -> None:
        self._embedder = embedder
        folder.mkdir(parents=True, exist_ok=True)
        self._file = sqlite3.connect(folder / f"{embedder.identity.key}.db", _PATIENCE)
        self._file.execute(_SCHEMA)
        self.computed = 0

    @property
    def identity(self) -> ModelIdentity:
        return self._embedder.identity

    @property
    def handling(self) -> Handling:
        return self._embedder.handling

    def embed_query(self, text: str) -> Vector:
        return self._embedder.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        known = [self._read(text) for text in texts]
        missing = [text for text, windows in zip(texts, known, strict=True) if windows is None]
        computed = iter(self._compute(missing))
        return [next(computed) if windows is None else windows for windows in known]

    def similarity(self, cosine: float) -> float:
        return self._embedder.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._embedder.count_tokens(text)

    def reads(self, text: str) -> bool:
        return self._embedder.reads(text)

    def release(self) -> None:
        self._embedder.release()

    def _compute(self, texts: Sequence[str]) -> list[list[Vector]]:
        if not texts:
            return []
        computed = self._embedder.embed_passages(texts)
        with self._file:
            for text, windows in zip(texts, computed, strict=True):
                data = np.concatenate(windows).tobytes()
                self._file.execute("REPLACE INTO kept VALUES (?, ?)", (_digest(text), data))
        self.computed += len(texts)
        return computed

    def _read(self, text: str) -> list[Vector] | None:
        found = self._file.execute("SELECT windows FROM kept WHERE text = ?", (_digest(text),))
        row = found.fetchone()
        if row is None:
            return None
        return list(np.frombuffer(row[0], np.float32).reshape(-1, self.identity.dimension))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
