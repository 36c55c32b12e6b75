"""What stores are asked with and answer with, beside the nouns of the model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from commonplace.model.chunk import (
    Urgency,
)


@dataclass(frozen=True, slots=True)
class LexicalQuery:
    """Chunks that hold any of `terms`, or all of `words`, or whose title has all of `grams`.

    One of them is given. A `gram_prefix` stands for grams where a part of a title is too short.
    """

    terms: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    grams: tuple[str, ...] = ()
    gram_prefix: str = ""


@dataclass(frozen=True, slots=True)
class Nearest:
    """(chunk key, cosine), nearest first; `exact` says that nothing was approximated."""

    hits: tuple[tuple[int, float], ...]
    exact: bool


@dataclass(frozen=True, slots=True)
class CorpusStatistics:
    """How often terms occur in an org, counted on a sample and scaled by its users."""

    chunks: int
    sampled: int
    average_length: float
    frequencies: Mapping[str, int]
    counted_at: datetime


@dataclass(frozen=True, slots=True)
class Waiting:
    """Background work that is due in an org."""

    org: str
    urgency: Urgency
    embeddings: bool
    targets: bool = False


@dataclass(frozen=True, slots=True)
class Backlog:
    """What waits in all orgs, and since when the oldest of it is due, if anything is.

    `chunks` have no vectors at all, `previewed` ones not yet their own.
    """

    chunks: int
    previewed: int
    oldest_chunk: datetime | None
    failed: int
    targets: int
    oldest_target: datetime | None


@dataclass(frozen=True, slots=True)
class PoolState:
    """Connections to the database: in use now, and as many as there may be (0: no limit)."""

    used: int
    limit: int


@dataclass(frozen=True, slots=True)
class Replication:
    """Replicas for searches: all, those that can be asked; and where searches were answered."""

    replicas: int = 0
    present: int = 0
    on_primary: int = 0
    on_replicas: int = 0


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What the database says of itself."""

    dialect: str
    version: str
    schema_version: int
    size_bytes: int
    orgs: int
