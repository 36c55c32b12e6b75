"""The port for databases: what features may ask of a store, in domain values.

A transaction is bound to the actor's org when it opens. It reads the org's own rows, `network` rows
and system rows, and writes only the org's own.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from commonplace.model.actor import Actor
from commonplace.storage.port.values import (
    Backlog,
    CorpusStatistics,
    DueWork,
    LexicalQuery,
    Nearest,
    PoolState,
    Replication,
    StoreHealth,
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
    "DueWork",
    "LexicalQuery",
    "Nearest",
    "PoolState",
    "Replication",
    "Store",
    "StoreHealth",
    "Transaction",
]


class Transaction(Protocol):
    """One transaction of one actor; `now` is the same throughout."""

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
        """Open a read transaction, on a replica if one shows everything that was committed
        before."""
        ...

    def write(self, actor: Actor, *, derived: bool = False) -> AbstractContextManager[Transaction]:
        """Open a write transaction; what it wrote is on disk when it ends.

        With `derived`, nobody waits for the disk: a power failure may lose the last seconds, so it
        must be something that is computed again or that may be lost.
        """
        ...

    def orgs(self) -> list[str]:
        """All orgs; for background work only."""
        ...

    @property
    def credentials(self) -> Credentials:
        """The tokens of all orgs; for authentication only."""
        ...

    def due_work(self) -> list[DueWork]:
        """Orgs with background work that is due, most urgent first."""
        ...

    def await_work(self, seconds: float) -> bool:
        """Sleep until work is added or the time is over; True if there was work."""
        ...

    def take_lease(self, name: str, holder: str, seconds: float) -> bool:
        """Take or renew a lease; False while another holder has it."""
        ...

    def renew_lease(self, name: str, holder: str, seconds: float) -> bool:
        """Renew a lease; False if another holder has had it meanwhile, even if it was released
        since."""
        ...

    def drop_lease(self, name: str, holder: str) -> None: ...

    def maintain_vectors(self, model: str, /) -> bool:
        """Do one small step of building the vector index; False if nothing is left to do."""
        ...

    def maintain_postings(self) -> bool:
        """Do one small step of building posting lists; False if nothing is left to do."""
        ...

    def scrub(self) -> None:
        """Overwrite what purges left in the database files, as far as the database can."""
        ...

    def health(self) -> StoreHealth: ...

    def backlog(self) -> Backlog:
        """The work that waits, of all orgs together."""
        ...

    def vector_indexes(self) -> int:
        """How many indexes for large vector searches are ready for use."""
        ...

    def pool(self) -> PoolState: ...

    def replication(self) -> Replication: ...

    @property
    def shared_by_processes(self) -> bool:
        """Whether several workers may share the work (PostgreSQL) or only one may run (SQLite)."""
        ...

    def close(self) -> None: ...
