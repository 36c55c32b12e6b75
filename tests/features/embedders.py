"""Embedders for tests of what surrounds a model: small, deterministic, failing when told to.

They implement the port; what a real model finds is tested with the bundled one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from commonplace.embedding.port import Handling, ModelIdentity
from commonplace.errors import EmbeddingRefused, EmbeddingUnavailable

Vector = NDArray[np.float32]
DIMENSION = 64


class GramEmbedder:
    """Texts that share character trigrams are near each other."""

    def __init__(
        self, revision: str = "r1", compatible_with: tuple[str, ...] = (), *, sketches: bool = False
    ) -> None:
        self.identity = ModelIdentity("grams", DIMENSION, revision, compatible_with)
        self.handling = Handling(sketches=sketches)
        self.batches: list[list[str]] = []
        self.releases = 0

    def embed_query(self, text: str) -> Vector:
        return _gram_vector(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        self.batches.append(list(texts))
        return [[_gram_vector(text)] for text in texts]

    def similarity(self, cosine: float) -> float:
        return max(0.0, cosine)

    def count_tokens(self, text: str) -> int:
        return len(text.split())

    def reads(self, text: str) -> bool:
        return text.isascii()

    def release(self) -> None:
        self.releases += 1

    @property
    def embedded(self) -> list[str]:
        return [text for batch in self.batches for text in batch]


class UnreachableEmbedder(GramEmbedder):
    """Cannot be reached for the next so many calls."""

    def __init__(self, failures: int, retry_after: float | None = None) -> None:
        super().__init__()
        self.failures = failures
        self.retry_after = retry_after

    def embed_query(self, text: str) -> Vector:
        self._fail()
        return super().embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        self._fail()
        return super().embed_passages(texts)

    def _fail(self) -> None:
        if self.failures > 0:
            self.failures -= 1
            raise EmbeddingUnavailable("The model is away.", retry_after=self.retry_after)


class ChoosyEmbedder(GramEmbedder):
    """Refuses every batch that has a certain word in it."""

    def __init__(self, refused: str) -> None:
        super().__init__()
        self.refused = refused

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        if self.refused and any(self.refused in text for text in texts):
            raise EmbeddingRefused("The model does not take this text.")
        return super().embed_passages(texts)


class BrokenEmbedder(GramEmbedder):
    """Raises an error of the test's choice for whatever it is given."""

    def __init__(self, error: Exception, before: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self.error = error
        self.before = before

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        self.batches.append(list(texts))
        self.before()
        raise self.error


def _gram_vector(text: str) -> Vector:
    folded = f"  {text.casefold()}  "
    vector = np.zeros(DIMENSION, dtype=np.float32)
    for start in range(len(folded) - 2):
        gram = folded[start : start + 3].encode("utf-8", "replace")
        vector[hashlib.blake2b(gram, digest_size=2).digest()[0] % DIMENSION] += 1
    scaled: Vector = vector / np.linalg.norm(vector)
    return scaled
