"""What the core asks of an embedding model, and how a model is identified.

Decides no model. Vectors of different identities are never compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

from commonplace.text.parts import parts_to_embed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model made a vector; any change that moves vectors is a new revision."""

    name: str
    dimension: int
    revision: str

    @property
    def key(self) -> str:
        """The one string that is stored with each vector."""
        return f"{self.name}-{self.revision}@{self.dimension}"


class Embedder(Protocol):
    """A model. Raises EmbeddingUnavailable (try later) or EmbeddingRefused (this text never)."""

    @property
    def identity(self) -> ModelIdentity:
        """The same for the whole life of the embedder, known without loading anything."""
        ...

    def embed_query(self, text: str) -> Vector:
        """One L2-normalised float32 vector."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        """One vector per window, for each text in order: at least one, more if long."""
        ...

    def similarity(self, cosine: float) -> float:
        """The cosine on a scale from 0 (unrelated) to 1 (the same), monotone."""
        ...

    def count_tokens(self, text: str) -> int:
        """How long the text is to the model; estimated, on the high side, where it cannot say."""
        ...

    def reads(self, text: str) -> bool:
        """Whether the model was made for such text; of other text its words tell more."""
        ...

    def release(self) -> None:
        """Give memory and connections back; the next use takes them again."""
        ...


@runtime_checkable
class Pinning(Protocol):
    """An embedder whose model may change between two calls."""

    def pinned(self) -> Embedder:
        """The one of this moment, which stays what it is."""
        ...

    def serves(self) -> bool:
        """Whether the one of this moment is the one that new vectors are to be of."""
        ...


def pinned(embedder: Embedder) -> Embedder:
    """A fixed embedder for a piece of work that embeds, and then says with which model."""
    return embedder.pinned() if isinstance(embedder, Pinning) else embedder


def embed_in_parts(embedder: Embedder, chunks: Sequence[tuple[str, str]]) -> list[list[Vector]]:
    """The vectors of all windows of all parts, for each context and text."""
    parts = [parts_to_embed(context, text) for context, text in chunks]
    vectors = iter(embedder.embed_passages([part for some in parts for part in some]))
    return [[window for _ in some for window in next(vectors)] for some in parts]
