"""What the core asks of an embedding model, and how a model is identified.

Decides no model. Vectors of different identities are never compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from commonplace.errors import EmbeddingError, EmbeddingUnavailable
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import PendingChunk, Urgency, passage
from commonplace.text.parts import (
    SHORT_TOKENS,
    parts_to_embed,
    preview_of_code,
    preview_of_prose,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

# Neighbours in a file of code that one preview stands for.
_STRETCH_TOKENS = 700


@dataclass(frozen=True, slots=True)
class Handling:
    """What a model wants to be given.

    `at_once` texts take a second or so; between them a call may be stopped. With `sketches` its
    time is dear: long code is embedded as a sketch, and bulk text is previewed first.
    """

    at_once: int = 16
    sketches: bool = False


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

    @property
    def handling(self) -> Handling: ...

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
    """What can be embedded. Texts with the same hash have the same vectors.

    `language` is that of a program; prose has none.
    """

    @property
    def text_hash(self) -> str: ...
    @property
    def context(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def language(self) -> str | None: ...


@dataclass(frozen=True, slots=True)
class Made:
    """Vectors by the hash of their text, never apart from the name of the model that made them.

    `refused` are texts that the model does not take, with the reason. What is only `previewed`
    is to be completed.
    """

    model: str
    windows: Mapping[str, Sequence[Vector]]
    refused: Mapping[str, str] = field(default_factory=dict)
    previewed: Collection[str] = frozenset()


def make_vectors(embedder: Embedder, texts: Sequence[Text], call: Call = PLAIN_CALL) -> Made:
    """Embed some together; where the model refuses something, one by one to find it."""
    distinct = list({text.text_hash: text for text in texts}.values())
    windows: dict[str, Sequence[Vector]] = {}
    refused: dict[str, str] = {}
    together = embedder.handling.at_once
    for start in range(0, len(distinct), together):
        call.check()
        call.progress(start, len(distinct), "texts embedded")
        _make_some(embedder, distinct[start : start + together], windows, refused)
    return Made(embedder.identity.key, windows, refused)


def make_beginning(embedder: Embedder, texts: Sequence[Text], call: Call) -> Made:
    """The vectors of as many as the model takes at once; the first one stands for the others."""
    together = embedder.handling.at_once
    made = make_vectors(embedder, texts[:together], call)
    others = {text.text_hash for text in texts[together:]} - made.windows.keys()
    first = next(iter(made.windows.values()), None)
    if first is None or not others:
        return made
    windows = {**made.windows, **dict.fromkeys(others, first[:1])}
    return Made(made.model, windows, made.refused, others)


def make_previews(embedder: Embedder, chunks: Sequence[PendingChunk]) -> Made:
    """What finds bulk text soon: the beginning of prose, a sketch of some neighbours in code.

    What is short, or not worth more, has with this what it gets.
    """
    stretches = list(_stretches(chunks))
    texts = [_preview_of(stretch) for stretch in stretches]
    vectors = embedder.embed_passages(texts) if texts else []
    windows: dict[str, Sequence[Vector]] = {}
    previewed: set[str] = set()
    for stretch, text, made in zip(stretches, texts, vectors, strict=True):
        windows.update((chunk.text_hash, made[:1]) for chunk in stretch)
        previewed |= {chunk.text_hash for chunk in stretch if not _is_enough(chunk, text)}
    return Made(embedder.identity.key, windows, previewed=previewed)


def _stretches(chunks: Sequence[PendingChunk]) -> Iterator[list[PendingChunk]]:
    """Code of one file as far as it goes together; each piece of prose by itself."""
    stretch: list[PendingChunk] = []
    tokens = 0
    for chunk in chunks:
        tokens += chunk.token_count
        apart = not stretch or chunk.language is None or stretch[0].owner_key != chunk.owner_key
        if apart or tokens > _STRETCH_TOKENS:
            if stretch:
                yield stretch
            stretch, tokens = [], chunk.token_count
        stretch.append(chunk)
    if stretch:
        yield stretch


def _preview_of(stretch: Sequence[PendingChunk]) -> str:
    """A short text is its own preview."""
    texts = [passage(chunk.context, chunk.text) for chunk in stretch]
    if len(stretch) == 1 and stretch[0].token_count <= SHORT_TOKENS:
        return texts[0]
    return preview_of_code(texts) if stretch[0].language else preview_of_prose(texts[0])


def _is_enough(chunk: PendingChunk, preview: str) -> bool:
    """Whether the chunk needs no more: tests, and what others made, are found well enough so."""
    if chunk.language is not None and chunk.urgency is Urgency.ASIDE:
        return True
    return preview == passage(chunk.context, chunk.text)


def _make_some(
    embedder: Embedder,
    texts: Sequence[Text],
    windows: dict[str, Sequence[Vector]],
    refused: dict[str, str],
) -> None:
    try:
        vectors = _embed_all(embedder, _parts_of(embedder, texts))
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


def _parts_of(embedder: Embedder, texts: Sequence[Text]) -> list[list[str]]:
    sketches = embedder.handling.sketches
    return [parts_to_embed(t.context, t.text, t.language if sketches else None) for t in texts]


def _embed_all(embedder: Embedder, parts: Sequence[Sequence[str]]) -> list[list[Vector]]:
    vectors = iter(embedder.embed_passages([part for some in parts for part in some]))
    return [[window for _ in some for window in next(vectors)] for some in parts]
