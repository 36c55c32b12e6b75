"""The team store: transactions on a PostgreSQL database that any number of processes share."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from functools import partial
from uuid import uuid4

from commonplace.errors import StorageError, TenantMissing
from commonplace.model.actor import SYSTEM_ORG, Actor, upkeep_actor
from commonplace.model.chunk import Urgency
from commonplace.model.times import Clock, to_micros
from commonplace.storage.port import Backlog, DueWork, PoolState, Replication, StoreHealth
from commonplace.storage.postgres.connections import Connections, newest_version, vacuum
from commonplace.storage.postgres.credentials import PostgresCredentials
from commonplace.storage.postgres.listen import WorkListener
from commonplace.storage.postgres.migrate import migrate
from commonplace.storage.postgres.partitions import Partitions
from commonplace.storage.postgres.replicas import Replicas
from commonplace.storage.postgres.session import ManyVectors, PostgresSession
from commonplace.storage.postings import plan
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.session import Binding, Row
from commonplace.storage.tables.background import backlog_of
from commonplace.storage.transaction import SessionTransaction, opened_for_writing
from commonplace.tracing import span

_LOG = logging.getLogger("commonplace.storage")
_POSTING, _POSTING_SECONDS = "postings", 60.0
_ACROSS_TENANTS = Actor(org=SYSTEM_ORG, agent="store", client="store")
_HOLD_TENANT_CONTENT = ("entries", "chunks", "passages", "postings", "vectors", "changes", "blobs")


class PostgresStore:
    """Implements port.Store."""

    shared_by_processes = True

    def __init__(
        self,
        url: str,
        clock: Clock,
        pool_size: int,
        replica_urls: Sequence[str] = (),
        *,
        network: bool = False,
        postings: PostingLists | None = None,
    ) -> None:
        self._url = url
        self._network = network
        self._clock = clock
        self._indexed_models: set[str] = set()
        self._postings = postings or PostingLists(plan.POSTGRES_THRESHOLDS)
        self._many = ManyVectors()
        self._poster = uuid4().hex
        migrate(url)
        self._connections = Connections(url, pool_size)
        self._replicas = Replicas(url, replica_urls, pool_size)
        self._bell = WorkListener(url)
        self._partitions = Partitions(url)
        self.credentials = PostgresCredentials(partial(self._session, _ACROSS_TENANTS))

    @contextmanager
    def read(self, actor: Actor) -> Iterator[SessionTransaction]:
        with span("store.read"), self._session(actor, write=False) as session:
            yield SessionTransaction(session)

    @contextmanager
    def search(self, actor: Actor) -> Iterator[SessionTransaction]:
        with (
            self._replicas.searching() as replica,
            self._session(actor, write=False, searches=replica or self._connections) as session,
        ):
            yield SessionTransaction(session)

    @contextmanager
    def write(self, actor: Actor, *, derived: bool = False) -> Iterator[SessionTransaction]:
        with span("store.write"), self._session(actor, write=True, derived=derived) as session:
            yield opened_for_writing(session)
        self._index(session.dimensions)

    def orgs(self) -> list[str]:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            return [row["org"] for row in session.rows("list_orgs")]

    def due_work(self) -> list[DueWork]:
        self._bell.listen()
        with self._session(_ACROSS_TENANTS, write=False) as session:
            rows = session.rows("waiting_work")
        found = [waiting for row in rows if (waiting := _due_work_of(row))]
        return sorted(found, key=lambda waiting: waiting.urgency)

    def await_work(self, seconds: float) -> bool:
        """Check for work that was announced before this process listened, then wait."""
        if self._bell.listen() and self.due_work():
            return True
        return self._bell.wait(seconds)

    def take_lease(self, name: str, holder: str, seconds: float) -> bool:
        until = self._clock() + timedelta(seconds=seconds)
        with self._session(_ACROSS_TENANTS, write=True) as session:
            taken = session.row("take_lease", name=name, holder=holder, until=to_micros(until))
        return taken is not None

    def renew_lease(self, name: str, holder: str, seconds: float) -> bool:
        until = self._clock() + timedelta(seconds=seconds)
        with self._session(_ACROSS_TENANTS, write=True) as session:
            renewed = session.row("renew_lease", name=name, holder=holder, until=to_micros(until))
        return renewed is not None

    def drop_lease(self, name: str, holder: str) -> None:
        with self._session(_ACROSS_TENANTS, write=True) as session:
            session.run("drop_lease", name=name, holder=holder)

    def maintain_vectors(self, _model: str, /) -> bool:
        """Manage partitions of large orgs; PostgreSQL maintains its indexes itself."""
        return self._partitions.tend()

    def maintain_postings(self) -> bool:
        """Do a step, in one worker at a time."""
        if not self._postings.work_waits(self):
            return False
        if not self.take_lease(_POSTING, self._poster, _POSTING_SECONDS):
            return False
        return self._postings.step(self)

    def orgs_to_post(self, least: int) -> list[str]:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            return [row["org"] for row in session.rows("orgs_to_post", least=least)]

    def upkeep_session(self, org: str, *, write: bool) -> AbstractContextManager[PostgresSession]:
        return self._session(upkeep_actor(org), write=write)

    def scrub(self) -> None:
        """Make the space of dead rows reusable; the server's log and backups keep theirs."""
        self._postings.erase_gone(self, self.orgs())
        vacuum(self._url, _HOLD_TENANT_CONTENT)

    def health(self) -> StoreHealth:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            orgs = session.row("count_orgs")
            facts = session.row("database_facts")
        assert orgs is not None, "a count always gives a row"
        assert facts is not None, "facts always give a row"
        return StoreHealth(
            dialect="postgresql",
            version=facts["version"],
            schema_version=newest_version(),
            size_bytes=facts["size_bytes"],
            orgs=orgs["orgs"],
        )

    def backlog(self) -> Backlog:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            row = session.row("work_waiting")
        assert row is not None, "counts always give a row"
        return backlog_of(row)

    def vector_indexes(self) -> int:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            row = session.row("count_vector_indexes")
        return row["indexes"] if row else 0

    def pool(self) -> PoolState:
        return self._connections.state()

    def replication(self) -> Replication:
        return self._replicas.state()

    def close(self) -> None:
        self._bell.close()
        self._connections.close()
        self._replicas.close()

    @contextmanager
    def _session(
        self,
        actor: Actor,
        *,
        write: bool,
        searches: Connections | None = None,
        derived: bool = False,
    ) -> Iterator[PostgresSession]:
        """Open a session; a search runs the same few statements each time, so their plans are
        kept."""
        if not actor.org:
            raise TenantMissing
        opened = (searches or self._connections).bound(
            write=write,
            org=actor.org,
            network=self._network,
            plans_kept=searches is not None,
            derived=derived,
        )
        with opened as (connection, places):
            bound = Binding(actor, self._clock(), self._network)
            session = PostgresSession(connection, bound, self._postings, self._many, places)
            yield session
            session.finish()

    def _index(self, dimensions: Mapping[str, int]) -> None:
        """Create the indexes of models whose vectors were just written.

        In separate transactions, since creating an index blocks all who write vectors, and one of
        them may hold what the vectors' transaction waits for.
        """
        for model, dimension in dimensions.items():
            if model in self._indexed_models:
                continue
            try:
                with self._session(_ACROSS_TENANTS, write=True) as session:
                    session.row("wait_for_nobody")
                    session.row("ensure_vector_index", model=model, dimension=dimension)
            except StorageError as error:
                # The vectors are stored and can be found; the next write tries again.
                _LOG.info("vector index not created yet", extra={"code": error.code})
            else:
                self._indexed_models.add(model)


def _due_work_of(row: Row) -> DueWork | None:
    targets = bool(row["has_targets"])
    if row["urgency"] is not None:
        return DueWork(row["org"], Urgency(row["urgency"]), embeddings=True, targets=targets)
    if targets:
        return DueWork(row["org"], Urgency.BULK, embeddings=False, targets=True)
    return None
