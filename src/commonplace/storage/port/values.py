"""Parameters and results of the storage port that are not part of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from commonplace.model.chunk import Urgency


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """Chunks with any of `terms`, or all of `words`, or whose title has all of `grams`.

    Exactly one of them is given. `gram_prefix` replaces grams if the part of a title is too short.
    """

    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    grams: tuple[str, ...] = ()
    gram_prefix: str = ""

    @property
    def is_by_terms(self) -> bool:
        """Whether any of several terms is enough."""
        return not (self.words or self.grams or self.gram_prefix)


@dataclass(frozen=True, slots=True)
class Nearest:
    """Chunk keys with their cosines, nearest first; `exact` is set if nothing was approximated."""

    hits: tuple[tuple[int, float], ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """How often terms occur in an org, counted on a sample and scaled up."""

    chunks: int
    sampled: int
    average_length: float
    frequencies: Mapping[str, int]
    counted_at: datetime


@dataclass(frozen=True, slots=True)
class DueWork:
    """An org with background work that is due."""

    org: str
    urgency: Urgency
    embeddings: bool
    targets: bool = False


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in all orgs, and since when the oldest of it has been due.

    `chunks` have no vectors at all, `previewed` ones none of their own.
    """

    chunks: int
    previewed: int
    oldest_chunk: datetime | None
    failed: int
    targets: int
    oldest_target: datetime | None


@dataclass(frozen=True, slots=True)
class PoolState:
    """Connections to the database: in use, and the limit (0: none)."""

    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class Replication:
    """Replicas for searches: configured, available, and where searches were answered."""

    replicas: int = 0
    present: int = 0
    on_primary: int = 0
    on_replicas: int = 0


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What the database reports about itself."""

    dialect: str
    version: str
    schema_version: int
    size_bytes: int
    orgs: int
