"""The port for embedding models, and how a model is identified.

Does not choose a model. Vectors of different model identities are never compared.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol, TypeAlias

from commonplace.errors import EmbeddingError, EmbeddingUnavailable
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import PendingChunk, Urgency, passage
from commonplace.text.parts import SHORT_TOKENS, parts_to_embed, preview_of_code, preview_of_prose

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]

# How many tokens of neighbouring code chunks share one preview.
_STRETCH_TOKENS = 700


@dataclass(frozen=True, slots=True)
class Handling:
    """How a model should be fed.

    `at_once` texts take about a second; a call can be stopped between two such batches. `sketches`
    is set if the model's time is scarce: long code is then embedded as a sketch, and bulk text gets
    previews first.
    """

    at_once: int = 16
    sketches: bool = False


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """Identifies the model that made a vector; any change that moves vectors is a new revision.

    `compatible_with` has the keys of earlier revisions whose vectors are still comparable: queries
    of this revision are compared with them until those vectors are recomputed.
    """

    name: str
    dimension: int
    revision: str
    compatible_with: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The identity as one string, stored with each vector."""
        return f"{self.name}-{self.revision}@{self.dimension}"


class Embedder(Protocol):
    """An embedding model. Raises EmbeddingUnavailable (try later) or EmbeddingRefused (never
    retry)."""

    @property
    def identity(self) -> ModelIdentity:
        """The model's identity; it never changes, and reading it loads nothing."""
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
        """Map a cosine monotonically to a scale from 0 (unrelated) to 1 (the same)."""
        ...

    def count_tokens(self, text: str) -> int:
        """The length of a text in the model's tokens; an upper estimate if it cannot count them."""
        ...

    def reads(self, text: str) -> bool:
        """Whether the model was made for text of this kind; otherwise words are the better
        evidence."""
        ...

    def release(self) -> None:
        """Free memory and connections; the next use acquires them again."""
        ...


class ServingModel(Protocol):
    """Gives access to the model that serves. Embeds nothing itself, because that model may
    change."""

    def current(self) -> Embedder:
        """The model that serves now; the returned embedder never changes."""
        ...

    def serves(self) -> bool:
        """Whether the current model is the one for which new vectors must be computed."""
        ...

    def release(self) -> None:
        """Free memory and connections of all models; the next use acquires them again."""
        ...


class Text(Protocol):
    """Something that can be embedded. Texts with the same hash have the same vectors.

    `language` is the programming language; None for prose.
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
class ComputedVectors:
    """Vectors by text hash, together with the key of the model that made them.

    `refused` has the texts that the model rejects, with the reason. Texts in `previewed` only have
    a preview so far.
    """

    model: str
    windows: Mapping[str, Sequence[Vector]]
    refused: Mapping[str, str] = field(default_factory=dict)
    previewed: Collection[str] = frozenset()


def make_vectors(
    embedder: Embedder, texts: Sequence[Text], call: Call = PLAIN_CALL
) -> ComputedVectors:
    """Embed all texts in batches; if the model refuses a batch, one by one to find the culprit."""
    distinct = list({text.text_hash: text for text in texts}.values())
    windows: dict[str, Sequence[Vector]] = {}
    refused: dict[str, str] = {}
    together = embedder.handling.at_once
    for start in range(0, len(distinct), together):
        call.check()
        call.progress(start, len(distinct), "texts embedded")
        _make_some(embedder, distinct[start : start + together], windows, refused)
    return ComputedVectors(embedder.identity.key, windows, refused)


def make_beginning(embedder: Embedder, texts: Sequence[Text], call: Call) -> ComputedVectors:
    """Embed one batch; for the remaining texts, the first text's vector serves as preview."""
    together = embedder.handling.at_once
    made = make_vectors(embedder, texts[:together], call)
    others = {text.text_hash for text in texts[together:]} - made.windows.keys()
    first = next(iter(made.windows.values()), None)
    if first is None or not others:
        return made
    windows = {**made.windows, **dict.fromkeys(others, first[:1])}
    return ComputedVectors(made.model, windows, made.refused, others)


def make_previews(embedder: Embedder, chunks: Sequence[PendingChunk]) -> ComputedVectors:
    """Make a text findable early: previews from the start of prose, from a sketch of code.

    A preview is final for a text that is short or does not deserve more.
    """
    stretches = list(_stretches(chunks))
    texts = [_preview_of(stretch) for stretch in stretches]
    vectors = embedder.embed_passages(texts) if texts else []
    windows: dict[str, Sequence[Vector]] = {}
    previewed: set[str] = set()
    for stretch, text, made in zip(stretches, texts, vectors, strict=True):
        windows.update((chunk.text_hash, made[:1]) for chunk in stretch)
        previewed |= {chunk.text_hash for chunk in stretch if not _is_enough(chunk, text)}
    return ComputedVectors(embedder.identity.key, windows, previewed=previewed)


def _stretches(chunks: Sequence[PendingChunk]) -> Iterator[list[PendingChunk]]:
    """Group neighbouring chunks of one code file; prose is never grouped."""
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
    """The text to embed as preview; one chunk by itself has the text that it keeps, if it can."""
    first = stretch[0]
    if len(stretch) > 1:
        return preview_of_code([(chunk.context, chunk.text) for chunk in stretch])
    if first.language is None and first.token_count > SHORT_TOKENS:
        return preview_of_prose(passage(first.context, first.text))
    return parts_to_embed(first.context, first.text, first.language)[0]


def _is_enough(chunk: PendingChunk, preview: str) -> bool:
    """Whether the preview is final: for tests and third-party code it is good enough."""
    if chunk.language is not None and chunk.urgency is Urgency.ASIDE:
        return True
    return parts_to_embed(chunk.context, chunk.text, chunk.language) == [preview]


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
