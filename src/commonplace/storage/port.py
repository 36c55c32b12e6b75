"""What the features may ask of a database, in domain values; no SQL, sessions or drivers.

A transaction is bound to the actor's org when it opens: it reads the org's own rows, `network`
rows and system rows, and writes the org's own rows only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Protocol

from commonplace.model.actor import Actor
from commonplace.model.change import Change, Operation
from commonplace.model.chunk import (
    Chunk,
    ChunkCounts,
    ChunkDraft,
    ChunkTerms,
    EmbeddingState,
    Owner,
    PendingChunk,
    Standing,
    Urgency,
)
from commonplace.model.entry import Entry, EntryDraft, EntryKind
from commonplace.model.query import Filter
from commonplace.model.run import Run, RunKind, Target

if TYPE_CHECKING:
    from commonplace.embedding.port import Vector


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


@dataclass(frozen=True, slots=True)
class StoreHealth:
    """What the database says of itself."""

    dialect: str
    version: str
    schema_version: int
    size_bytes: int
    orgs: int


class Entries(Protocol):
    """Entries, each write with its change in the same transaction."""

    def insert(self, draft: EntryDraft) -> Entry: ...

    def get(self, id: str, kind: EntryKind | None = None) -> Entry | None:
        """Deleted entries are returned too, to those who may write them."""
        ...

    def by_keys(self, keys: Sequence[int]) -> dict[int, Entry]: ...

    def lock(self, keys: Sequence[int]) -> list[Entry]:
        """Read the org's own entries so that nobody changes them before this transaction ends."""
        ...

    def update(self, entry: Entry, operation: Operation) -> Entry:
        """Replace the row of the same revision; else RevisionConflict."""
        ...

    def hold_chains(self) -> None:
        """Wait until nobody else changes who supersedes whom in the org, and keep it so."""
        ...

    def with_head(self, kind: EntryKind, head: str) -> list[Entry]:
        """Entries whose newest successor is `head`, held like those of `lock`."""
        ...

    def page(self, wanted: Filter, limit: int, offset: int) -> list[Entry]:
        """Newest first."""
        ...

    def count(self, wanted: Filter) -> int: ...

    def keys_after(self, key: int, limit: int) -> list[int]:
        """The org's own undeleted entries in key order, to walk through all of them."""
        ...

    def erase(self, entry: Entry) -> None:
        """Remove the entry and blank what the change record remembers of its content."""
        ...


class Chunks(Protocol):
    """What search finds."""

    def replace(self, owner: Owner, standing: Standing, drafts: Sequence[ChunkDraft]) -> int:
        """Make these the owner's chunks; unchanged text keeps its row and vectors.

        Returns how many chunks now wait for an embedding that did not before.
        """
        ...

    def remove(self, owner: Owner) -> int: ...

    def lexical(self, query: LexicalQuery, wanted: Filter, limit: int) -> list[int]:
        """Keys of matching chunks, by the store's own ranking."""
        ...

    def terms(self, keys: Sequence[int], wanted: Filter) -> list[ChunkTerms]:
        """Like `fetch`, with what scoring reads only."""
        ...

    def words(self, keys: Sequence[int]) -> dict[int, str]:
        """The exact words of chunks; of an entry, the first chunk has them all."""
        ...

    def fetch(self, keys: Sequence[int], wanted: Filter) -> list[Chunk]:
        """Those of the keys that pass the filter, in key order."""
        ...

    def state(self, owner: Owner) -> EmbeddingState | None:
        """The least finished state of the owner's chunks."""
        ...

    def counts(self) -> ChunkCounts:
        """Of the org's own chunks."""
        ...

    def pending(self, most: int, kinds: Sequence[str] = ()) -> int:
        """How many of the org's chunks wait for an embedding, counted up to `most`."""
        ...

    def sample(self, limit: int) -> list[str]:
        """Terms of an even sample of the org's chunks, the same on every store."""
        ...

    def failures(self, limit: int) -> list[tuple[Owner, str]]:
        """Owners of chunks whose embedding was given up, with the reason."""
        ...


class Vectors(Protocol):
    """Embeddings: the queue of what lacks them, and search among them."""

    def claim(self, urgency: Urgency, limit: int, lease_until: datetime) -> list[PendingChunk]:
        """Due chunks; nobody else gets them before the lease runs out."""
        ...

    def put(self, model: str, chunk: PendingChunk, windows: Sequence[Vector]) -> bool:
        """False when the chunk has changed or gone meanwhile: nothing is stored then."""
        ...

    def postpone(self, keys: Sequence[int], due: datetime) -> None:
        """Give claimed chunks back, not to be claimed before `due`."""
        ...

    def record_failure(self, chunk: PendingChunk, due: datetime | None, error: str) -> None:
        """Count an attempt; without `due` the chunk is given up, visibly."""
        ...

    def nearest(
        self, model: str, query: Vector, wanted: Filter, limit: int, width: int
    ) -> Nearest: ...

    def cosines(self, model: str, query: Vector, keys: Sequence[int]) -> dict[int, float]:
        """Best window of each of these chunks; chunks without vectors are left out."""
        ...

    def reopen(self, model: str, limit: int) -> int:
        """Make chunks wait again whose vectors are of another model; how many."""
        ...

    def retry_failed(self) -> int: ...


class Changes(Protocol):
    """The record of canonical writes."""

    def history(self, entry: Entry) -> list[Change]:
        """Oldest first."""
        ...

    def since(self, sequence: int, limit: int) -> list[Change]: ...


class Blobs(Protocol):
    """Uploaded bytes, addressed by their SHA-256."""

    def put(self, data: bytes, media_type: str) -> str: ...

    def get(self, digest: str) -> bytes | None: ...

    def remove(self, digest: str) -> bool: ...


class Runs(Protocol):
    """Background work on targets."""

    def start(self, kind: RunKind, subjects: Sequence[Mapping[str, Any]]) -> Run: ...

    def get(self, run_id: str) -> Run | None: ...

    def recent(self, limit: int) -> list[Run]: ...

    def claim(self, lease_until: datetime) -> Target | None: ...

    def finish(self, target: Target) -> None: ...

    def record_failure(self, target: Target, due: datetime | None, error: str) -> None: ...


class Statistics(Protocol):
    """What scoring needs to know about an org as a whole."""

    def load(self) -> CorpusStatistics | None: ...

    def save(self, statistics: CorpusStatistics) -> None: ...


class Replays(Protocol):
    """Calls that carry a token and must act once, however often they are repeated."""

    def claim(self, operation: str, token: str, until: datetime) -> Mapping[str, Any] | None:
        """None for the first caller with the token; else the answer that the first one got.

        Whoever comes second while the first is still at work waits for it to end.
        """
        ...

    def settle(self, operation: str, token: str, answer: Mapping[str, Any]) -> None: ...


class Usage(Protocol):
    """How much an org has used of what is limited."""

    def spend(self, metric: str, period: str, limit: int | None) -> bool:
        """Use one more, unless that would exceed the limit."""
        ...

    def used(self, metric: str, period: str) -> int: ...


class Transaction(Protocol):
    """One unit of work of one actor, at one moment."""

    @property
    def actor(self) -> Actor: ...
    @property
    def now(self) -> datetime: ...
    @property
    def entries(self) -> Entries: ...
    @property
    def chunks(self) -> Chunks: ...
    @property
    def vectors(self) -> Vectors: ...
    @property
    def changes(self) -> Changes: ...
    @property
    def blobs(self) -> Blobs: ...
    @property
    def runs(self) -> Runs: ...
    @property
    def statistics(self) -> Statistics: ...
    @property
    def replays(self) -> Replays: ...
    @property
    def usage(self) -> Usage: ...


class Store(Protocol):
    """A database that is ready for use."""

    def read(self, actor: Actor) -> AbstractContextManager[Transaction]: ...

    def write(self, actor: Actor) -> AbstractContextManager[Transaction]: ...

    def orgs(self) -> list[str]:
        """Every tenant, for background work only."""
        ...

    def waiting(self) -> list[Waiting]:
        """Orgs with background work that is due, most urgent first, across tenants."""
        ...

    def await_work(self, seconds: float) -> bool:
        """Sleep until somebody adds work, or the time is over."""
        ...

    def take_lease(self, name: str, holder: str, seconds: float) -> bool:
        """Take or renew; False while another holder has it."""
        ...

    def drop_lease(self, name: str, holder: str) -> None: ...

    def tend(self, model: str, /) -> bool:
        """A small piece of what makes searches by meaning fast; False when there is none to do."""
        ...

    def scrub(self) -> None:
        """Overwrite what purges left behind in files, as far as the database can."""
        ...

    def health(self) -> StoreHealth: ...

    @property
    def shared_by_processes(self) -> bool:
        """Whether several workers may share the work (PostgreSQL) or one at a time (SQLite)."""
        ...

    def close(self) -> None: ...
