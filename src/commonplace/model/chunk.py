"""A chunk: the unit that search finds. It belongs to an entry or a document."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import IntEnum, StrEnum

from commonplace.model.entry import Place, Visibility


class OwnerType(StrEnum):
    ENTRY = "entry"
    DOCUMENT = "document"


class TrustTier(StrEnum):
    CANONICAL = "canonical"
    OPERATIONAL = "operational"
    MEMORY = "memory"


class EmbeddingState(StrEnum):
    """How far a chunk's embedding is.

    PREVIEWED chunks are found through an approximate vector until they have their own: a preview,
    or the vector of the same text under an earlier context. LEFT_OUT chunks are boilerplate and
    only found by words.
    """

    PENDING = "pending"
    PREVIEWED = "previewed"
    READY = "ready"
    FAILED = "failed"
    LEFT_OUT = "left_out"


class Urgency(IntEnum):
    """The order in which chunks are embedded: what people need soonest comes first.

    All bulk text gets a preview before any of it is completed.
    """

    # Somebody waits for it: just written or edited, or wanted by a search that lacked it.
    FRESH = 0
    # Documentation and source code.
    BULK = 1
    # Tests, generated code and third-party code.
    ASIDE = 2
    REST_OF_BULK = 3
    REST_OF_ASIDE = 4
    # Boilerplate, which is never embedded.
    NEVER = 9

    @property
    def rest(self) -> Urgency:
        """The urgency of completing a chunk that has a preview."""
        later = {Urgency.BULK: Urgency.REST_OF_BULK, Urgency.ASIDE: Urgency.REST_OF_ASIDE}
        return later.get(self, self)


@dataclass(frozen=True, slots=True)
class Owner:
    type: OwnerType
    key: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where a chunk's text is in its owner."""

    char_start: int = 0
    char_end: int = 0
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Indexed:
    """The searchable forms of a chunk: tokens of the analyser, joined by spaces."""

    terms: str
    context_terms: str
    words: str
    title_grams: str = ""


@dataclass(frozen=True, slots=True)
class ChunkMetadata:
    """What filters and access rules look at, copied from the chunk's owner."""

    kind: str
    agent: str
    visibility: Visibility = Visibility.ORG
    place: Place = Place()
    tags: tuple[str, ...] = ()
    superseded: bool = False
    expires_at: datetime | None = None
    trust: TrustTier = TrustTier.OPERATIONAL
    language: str | None = None
    path: str | None = None
    category: str | None = None
    domain: str | None = None
    confidence: float | None = None


def passage(context: str, text: str) -> str:
    """The text that is embedded: the context, then the text."""
    return f"{context}\n\n{text}" if context else text


@dataclass(frozen=True, slots=True)
class SymbolMark:
    """The symbol that a chunk of code defines, or the one that encloses it."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk about to be stored. `text` is shown; `context` is only indexed and embedded."""

    ordinal: int
    text: str
    context: str
    position: Position
    token_count: int
    text_hash: str
    indexed: Indexed
    urgency: Urgency = Urgency.FRESH
    headings: tuple[str, ...] = ()
    symbol: SymbolMark | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Chunk:
    """A stored chunk, as search reads it."""

    key: int
    org: str
    owner: Owner
    ordinal: int
    metadata: ChunkMetadata
    text: str
    context: str
    position: Position
    token_count: int
    state: EmbeddingState
    headings: tuple[str, ...] = ()
    symbol: SymbolMark | None = None
    urgency: Urgency = Urgency.FRESH

    @property
    def can_be_expedited(self) -> bool:
        """Whether the chunk waits for its own vectors behind more urgent ones."""
        waits = self.state in (EmbeddingState.PENDING, EmbeddingState.PREVIEWED)
        return waits and self.urgency > Urgency.FRESH


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """What scoring needs of a chunk, and no more: it reads many chunks that are never shown."""

    key: int
    owner: Owner
    terms: str
    context_terms: str
    place: Place = Place()
    path: str | None = None
    kind: str = ""
    category: str | None = None


@dataclass(frozen=True, slots=True)
class PendingChunk:
    """A chunk that waits for its vectors; `attempts` includes the current one.

    `language` is the programming language; None for prose.
    """

    key: int
    text_hash: str
    text: str
    context: str
    attempts: int
    token_count: int
    error: str | None = None
    language: str | None = None
    urgency: Urgency = Urgency.FRESH
    owner_key: int = 0


# Counting waiting chunks stops here, so that it costs little while a large folder is embedded.
MOST_UNEMBEDDED_COUNTED = 1_000


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Counts of chunks without vectors of their own: waiting, given up, or with a preview only."""

    pending: int = 0
    failed: int = 0
    previewed: int = 0


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """Counts of chunks by embedding state.

    `outdated` counts those of the `previewed` whose preview is the vector of an earlier context.
    """

    total: int = 0
    ready: int = 0
    pending: int = 0
    failed: int = 0
    previewed: int = 0
    left_out: int = 0
    outdated: int = 0


@dataclass(frozen=True, slots=True)
class NearInTime:
    """When entries count as neighbours in time: each has at most `tokens` tokens, they were written
    at most `span` apart and lie at most `steps` entries apart."""

    tokens: int
    span: timedelta
    steps: int


@dataclass(frozen=True, slots=True)
class InSequence:
    """Two neighbours in time: `other` comes `distance` entries after `key` (before, if
    negative)."""

    key: int
    other: int
    distance: int
