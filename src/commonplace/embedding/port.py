"""What the core asks of an embedding model, and how a model is identified.

Decides no model. Vectors of different identities are never compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from commonplace.errors import EmbeddingError, EmbeddingUnavailable
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.text.parts import parts_to_embed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

# So many take a second or so; between them a call may be stopped.
_TOGETHER = 16


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Which model made a vector; any change that moves vectors is a new revision.

    `follows` are keys of earlier revisions in whose vectors this one finds its way: a question of
    this revision is compared with them until they are made anew.
    """

    name: str
    dimension: int
    revision: str
    follows: tuple[str, ...] = ()

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


class ServingModel(Protocol):
    """Whichever model serves. It embeds nothing itself: a moment later another one may serve."""

    def current(self) -> Embedder:
        """The one of this moment, which stays what it is."""
        ...

    def serves(self) -> bool:
        """Whether the one of this moment is the one that new vectors are to be of."""
        ...

    def release(self) -> None:
        """Give memory and connections of all models back; the next use takes them again."""
        ...


class Text(Protocol):
    """What can be embedded. Texts with the same hash have the same vectors."""

    @property
    def text_hash(self) -> str: ...
    @property
    def context(self) -> str: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Made:
    """Vectors by the hash of their text, never apart from the name of the model that made them.

    `refused` are texts that the model does not take, with the reason.
    """

    model: str
    windows: Mapping[str, Sequence[Vector]]
    refused: Mapping[str, str] = field(default_factory=dict)


def make_vectors(embedder: Embedder, texts: Sequence[Text], call: Call = PLAIN_CALL) -> Made:
    """Embed some together; where the model refuses something, one by one to find it."""
    distinct = list({text.text_hash: text for text in texts}.values())
    windows: dict[str, Sequence[Vector]] = {}
    refused: dict[str, str] = {}
    for start in range(0, len(distinct), _TOGETHER):
        call.check()
        call.progress(start, len(distinct), "texts embedded")
        _make_some(embedder, distinct[start : start + _TOGETHER], windows, refused)
    return Made(embedder.identity.key, windows, refused)


def _make_some(
    embedder: Embedder,
    texts: Sequence[Text],
    windows: dict[str, Sequence[Vector]],
    refused: dict[str, str],
) -> None:
    try:
        vectors = embed_in_parts(embedder, [(each.context, each.text) for each in texts])
    except EmbeddingUnavailable:
        raise
    except EmbeddingError as error:
        if len(texts) == 1:
            refused[texts[0].text_hash] = error.message
            return
        for each in texts:
            _make_some(embedder, [each], windows, refused)
    else:
        windows.update(zip((each.text_hash for each in texts), vectors, strict=True))


def embed_in_parts(embedder: Embedder, chunks: Sequence[tuple[str, str]]) -> list[list[Vector]]:
    """The vectors of all windows of all parts, for each context and text."""
    parts = [parts_to_embed(context, text) for context, text in chunks]
    vectors = iter(embedder.embed_passages([part for some in parts for part in some]))
    return [[window for _ in some for window in next(vectors)] for some in parts]
