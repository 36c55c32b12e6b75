"""Follows which model serves a database, as that may change while a process runs.

A process knows the configured model and the bundled one. It searches with the serving model, or a
later revision of it, or else with the previous one; otherwise embedding is unavailable.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from commonplace.embedding.port import Embedder, Handling, ModelIdentity
from commonplace.errors import EmbeddingUnavailable

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector

_LOOK_AGAIN_SECONDS = 1.0


class ServingEmbedder:
    """Implements port.ServingModel.

    `known` begins with the configured model. `searchable` returns the keys of the models that have
    vectors, the serving one first.
    """

    def __init__(
        self,
        known: Sequence[Embedder],
        searchable: Callable[[], Sequence[str]],
        seconds: float = _LOOK_AGAIN_SECONDS,
    ) -> None:
        self._known = {embedder.identity.key: embedder for embedder in reversed(known)}
        self._configured = known[0]
        self._searchable = searchable
        self._seconds = seconds
        self._lock = threading.Lock()
        self._chosen: Embedder | None = None
        self._serves = False
        self._until = 0.0

    def current(self) -> Embedder:
        with self._lock:
            now = time.monotonic()
            if self._chosen is None or now >= self._until:
                self._chosen = self._choose()
                self._until = now + self._seconds
            return self._chosen

    def serves(self) -> bool:
        self.current()
        return self._serves

    def release(self) -> None:
        for embedder in self._known.values():
            embedder.release()

    def _choose(self) -> Embedder:
        keys = self._searchable()
        found = [self._embedder_for(key) for key in keys]
        self._serves = not keys or found[0] is not None
        for embedder in found:
            if embedder is not None:
                return embedder
        return AbsentEmbedder(keys[0], self._configured) if keys else self._configured

    def _embedder_for(self, key: str) -> Embedder | None:
        """The model with this key, or a later revision that can replace it."""
        if key in self._known:
            return self._known[key]
        for embedder in self._known.values():
            if key in embedder.identity.compatible_with:
                return EarlierRevision(key, embedder)
        return None


class EarlierRevision:
    """An earlier revision of a model, replaced by a later one whose vectors are close enough.

    New vectors are stored under the earlier key, so that they are recomputed with all its others.
    """

    def __init__(self, key: str, later: Embedder) -> None:
        self.identity = identity_of(key)
        self._later = later

    @property
    def handling(self) -> Handling:
        return self._later.handling

    def embed_query(self, text: str) -> Vector:
        return self._later.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        return self._later.embed_passages(texts)

    def similarity(self, cosine: float) -> float:
        return self._later.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._later.count_tokens(text)

    def reads(self, text: str) -> bool:
        return self._later.reads(text)

    def release(self) -> None:
        self._later.release()


class AbsentEmbedder:
    """Stands for a model that this process lacks: embedding fails, and the rest is estimated by
    `stand_in`."""

    def __init__(self, key: str, stand_in: Embedder) -> None:
        self.identity = identity_of(key)
        self._stand_in = stand_in

    @property
    def handling(self) -> Handling:
        return self._stand_in.handling

    def embed_query(self, text: str) -> Vector:  # noqa: ARG002 - whatever it is
        raise self._missing()

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:  # noqa: ARG002
        raise self._missing()

    def similarity(self, cosine: float) -> float:
        return self._stand_in.similarity(cosine)

    def count_tokens(self, text: str) -> int:
        return self._stand_in.count_tokens(text)

    def reads(self, text: str) -> bool:
        return self._stand_in.reads(text)

    def release(self) -> None:
        """Does nothing, as nothing is held."""

    def _missing(self) -> EmbeddingUnavailable:
        return EmbeddingUnavailable(
            f"The stored vectors are of the model {self.identity.key}, which this process is not "
            "set up for; `commonplace reembed` makes new ones."
        )


def identity_of(key: str) -> ModelIdentity:
    """Parse ModelIdentity.key back into an identity."""
    rest, _, dimension = key.rpartition("@")
    name, _, revision = rest.rpartition("-")
    return ModelIdentity(name, int(dimension) if dimension.isdigit() else 0, revision)
