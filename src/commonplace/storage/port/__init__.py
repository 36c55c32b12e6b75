"""What the features may ask of a database, in domain values; no SQL, sessions or drivers.

A transaction is bound to the actor's org when it opens: it reads the org's own rows, `network`
rows and system rows, and writes the org's own rows only.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from commonplace.model.actor import Actor
from commonplace.storage.port.values import (
    Backlog,
    CorpusStatistics,
    LexicalQuery,
    Nearest,
    PoolState,
    Replication,
    StoreHealth,
    Waiting,
)

if TYPE_CHECKING:
    from commonplace.storage.port.accesses import Accesses
    from commonplace.storage.port.activity import CallCounts, Questions
    from commonplace.storage.port.background import Blobs, Runs, Statistics
    from commonplace.storage.port.capture import FeedbackRecord, Reviews
    from commonplace.storage.port.chunks import Chunks
    from commonplace.storage.port.codegraph import CodeFiles, CodeGraphTables
    from commonplace.storage.port.entries import Changes, Entries
    from commonplace.storage.port.limits import Replays, Usage
    from commonplace.storage.port.models import Models, Reembedding
    from commonplace.storage.port.registry import Contributions, Verdicts
    from commonplace.storage.port.sources import Sources
    from commonplace.storage.port.tokens import Allowances, Credentials, Tokens
    from commonplace.storage.port.vectors import Vectors
    from commonplace.storage.port.workspace import Attachments, Files, Projects, Resources

__all__ = [
    "Backlog",
    "CorpusStatistics",
    "LexicalQuery",
    "Nearest",
    "PoolState",
    "Replication",
    "Store",
    "StoreHealth",
    "Transaction",
    "Waiting",
]


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
    @property
    def sources(self) -> Sources: ...
    @property
    def accesses(self) -> Accesses: ...
    @property
    def questions(self) -> Questions: ...
    @property
    def call_counts(self) -> CallCounts: ...
    @property
    def feedback(self) -> FeedbackRecord: ...
    @property
    def reviews(self) -> Reviews: ...
    @property
    def contributions(self) -> Contributions: ...
    @property
    def verdicts(self) -> Verdicts: ...
    @property
    def tokens(self) -> Tokens: ...
    @property
    def allowances(self) -> Allowances: ...
    @property
    def projects(self) -> Projects: ...
    @property
    def resources(self) -> Resources: ...
    @property
    def attachments(self) -> Attachments: ...
    @property
    def files(self) -> Files: ...
    @property
    def code_files(self) -> CodeFiles: ...
    @property
    def graph(self) -> CodeGraphTables: ...
    @property
    def models(self) -> Models: ...
    @property
    def reembedding(self) -> Reembedding: ...


class Store(Protocol):
    """A database that is ready for use."""

    def read(self, actor: Actor) -> AbstractContextManager[Transaction]: ...

    def search(self, actor: Actor) -> AbstractContextManager[Transaction]:
        """Read, from a replica where there is one that shows all that was acknowledged before."""
        ...

    def write(self, actor: Actor) -> AbstractContextManager[Transaction]: ...

    def orgs(self) -> list[str]:
        """Every tenant, for background work only."""
        ...

    @property
    def credentials(self) -> Credentials:
        """Tokens of every tenant, for authentication only."""
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

    def renew_lease(self, name: str, holder: str, seconds: float) -> bool:
        """False when another has taken it since, even if it was given back."""
        ...

    def drop_lease(self, name: str, holder: str) -> None: ...

    def tend(self, model: str, /) -> bool:
        """A small piece of what makes searches by meaning fast; False when there is none to do."""
        ...

    def post(self) -> bool:
        """A small piece of what makes searches by words fast; False when there is none to do."""
        ...

    def scrub(self) -> None:
        """Overwrite what purges left behind in files, as far as the database can."""
        ...

    def health(self) -> StoreHealth: ...

    def backlog(self) -> Backlog:
        """What waits, of all tenants together."""
        ...

    def vector_indexes(self) -> int:
        """How many indexes for searches among many vectors are ready for use."""
        ...

    def pool(self) -> PoolState: ...

    def replication(self) -> Replication: ...

    @property
    def shared_by_processes(self) -> bool:
        """Whether several workers may share the work (PostgreSQL) or one at a time (SQLite)."""
        ...

    def close(self) -> None: ...
