"""A model that costs nothing: a text's vector follows from its words alone, in every process.

Decides vectors, and tells who listens what was embedded; not whether they mean anything.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from commonplace.embedding.port import Handling, ModelIdentity

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_DIMENSION = 64

Listener = Callable[[Sequence[str]], None]


def _unheard(texts: Sequence[str]) -> None:
    """Nobody wants to know."""


class LightEmbedder:
    """Implements embedding.port.Embedder; texts that share words are near each other."""

    def __init__(self, before_batch: Listener = _unheard) -> None:
        self.identity = ModelIdentity("light", _DIMENSION, "r1")
        self.handling = Handling()
        self._before_batch = before_batch

    def embed_query(self, text: str) -> Vector:
        return _vector(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        self._before_batch(texts)
        return [[_vector(text)] for text in texts]

    def similarity(self, cosine: float) -> float:
        return max(0.0, min(1.0, cosine))

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def reads(self, text: str) -> bool:
        return text.isascii()

    def release(self) -> None:
        """There is nothing to give back."""


def _vector(text: str) -> Vector:
    vector: Vector = np.full(_DIMENSION, 0.01, np.float32)
    for word in text.lower().split():
        vector[zlib.crc32(word.encode()) % _DIMENSION] += 1.0
    return vector / np.float32(np.linalg.norm(vector))
