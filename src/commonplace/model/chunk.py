"""A chunk: the unit that search finds; it belongs to an entry or a document."""

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
    """`previewed` is found by a few words of it until it has its own vectors; `left_out` is
    boilerplate, found by its words alone."""

    PENDING = "pending"
    PREVIEWED = "previewed"
    READY = "ready"
    FAILED = "failed"
    LEFT_OUT = "left_out"


class Urgency(IntEnum):
    """What is embedded first: in the order in which people ask for it.

    Bulk text is previewed before any of it is completed.
    """

    # Somebody waits: it was just written or edited, or a search wanted it and lacked it.
    FRESH = 0
    # Docs and sources.
    BULK = 1
    # Tests, and what tools or other people made.
    ASIDE = 2
    REST_OF_BULK = 3
    REST_OF_ASIDE = 4
    # Boilerplate is not embedded at all.
    NEVER = 9

    @property
    def rest(self) -> Urgency:
        """How urgent it is to complete what was previewed."""
        later = {Urgency.BULK: Urgency.REST_OF_BULK, Urgency.ASIDE: Urgency.REST_OF_ASIDE}
        return later.get(self, self)


@dataclass(frozen=True, slots=True)
class Owner:
    type: OwnerType
    key: int


@dataclass(frozen=True, slots=True)
class Position:
    """Where the text stands in its owner."""

    char_start: int = 0
    char_end: int = 0
    line_start: int | None = None
    line_end: int | None = None
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Indexed:
    """What search structures hold of a chunk: tokens of the analyser, joined by spaces."""

    terms: str
    context_terms: str
    words: str
    title_grams: str = ""


@dataclass(frozen=True, slots=True)
class ChunkMetadata:
    """The metadata of a chunk that filters and access rules look at; copied from the owner."""

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
    """What is embedded: the context sets the scene for the text."""
    return f"{context}\n\n{text}" if context else text


@dataclass(frozen=True, slots=True)
class SymbolMark:
    """The symbol that a chunk of code shows, or the one that encloses it."""

    kind: str
    path: str


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """`text` is shown; `context` (title, tags, headings) is indexed and embedded only."""

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
    """A chunk as search reads it back."""

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
    def could_be_sooner(self) -> bool:
        """Whether it waits for vectors of its own behind others."""
        waits = self.state in (EmbeddingState.PENDING, EmbeddingState.PREVIEWED)
        return waits and self.urgency > Urgency.FRESH


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """What scoring reads of a chunk, and no more: it reads many that are never shown."""

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
    """A chunk that waits for its vectors; `attempts` counts the one that has begun, too.

    `language` is that of a program; prose has none.
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


@dataclass(frozen=True, slots=True)
class Unembedded:
    """Chunks without vectors of their own: those that wait, those that have a preview meanwhile,
    and those that were given up."""

    pending: int = 0
    failed: int = 0
    previewed: int = 0


@dataclass(frozen=True, slots=True)
class ChunkCounts:
    """`left_out` is boilerplate that is found by its words alone."""

    total: int = 0
    ready: int = 0
    pending: int = 0
    failed: int = 0
    previewed: int = 0
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class NearInTime:
    """Which entries came one after another: each at most `tokens` long and `span` away, and not
    more than `steps` before or after."""

    tokens: int
    span: timedelta
    steps: int


@dataclass(frozen=True, slots=True)
class InSequence:
    """A chunk and one that came `distance` entries after it; before it where that is negative."""

    key: int
    other: int
    distance: int
