"""The embedded store: transactions on one SQLite file that several processes may share."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from datetime import timedelta
from functools import cached_property, partial
from pathlib import Path

from commonplace.errors import StorageGone, TenantMissing
from commonplace.model.actor import Actor, upkeep_actor
from commonplace.model.chunk import Urgency
from commonplace.model.times import Clock, to_micros
from commonplace.storage import statements
from commonplace.storage.migrations import migrations_of, refuse_newer
from commonplace.storage.port import Backlog, DueWork, PoolState, Replication, StoreHealth
from commonplace.storage.postings.lists import PostingLists
from commonplace.storage.session import Binding, Row
from commonplace.storage.sqlite.connections import (
    ChangeWatch,
    ConnectionPool,
    SqliteConnection,
    damage_named,
    gate,
    transaction,
)
from commonplace.storage.sqlite.credentials import SqliteCredentials
from commonplace.storage.sqlite.erasing import empty_log, merge_tokens
from commonplace.storage.sqlite.migrate import PACKAGE, migrate, remove_copies, schema_version
from commonplace.storage.sqlite.place import DatabaseUse
from commonplace.storage.sqlite.session import CrowdedKinds, SqliteSession
from commonplace.storage.sqlite.vectors.port import VectorIndexes
from commonplace.storage.sqlite.vectors.search import SqliteVectorFeed, index_name
from commonplace.storage.tables.background import backlog_of
from commonplace.storage.transaction import SessionTransaction, opened_for_writing
from commonplace.tracing import span

_LOG = logging.getLogger("commonplace.storage")
_ACROSS_TENANTS = Actor(org="system", agent="store", client="store")
_POLL_SECONDS = 0.5
_KEY_NAME = "tokens.key"


class SqliteStore:
    """Implements port.Store."""

    shared_by_processes = False

    def __init__(
        self,
        file: Path,
        clock: Clock,
        indexes: Callable[[], VectorIndexes],
        *,
        network: bool = False,
        postings: PostingLists | None = None,
    ) -> None:
        self._file = file
        self._network = network
        self._clock = clock
        self._make_indexes = indexes
        self._postings = postings or PostingLists()
        self._crowded = CrowdedKinds()
        self._known_version = migrations_of(PACKAGE)[-1].version
        self._statements = {
            name: replace(statement, sql=statement.with_stable_plan())
            for name, statement in statements.load(PACKAGE).items()
        }
        self._work = threading.Event()
        self._one_writer = threading.Lock()
        self._use = DatabaseUse(file)
        try:
            migrate(file)
            self._watch = ChangeWatch(file)
        except BaseException:
            self._use.end()
            raise
        self._pool = ConnectionPool(file)
        across = partial(self._session, _ACROSS_TENANTS, write=False)
        self.credentials = SqliteCredentials(across, file.with_name(_KEY_NAME))

    @cached_property
    def _indexes(self) -> VectorIndexes:
        return self._make_indexes()

    @contextmanager
    def read(self, actor: Actor) -> Iterator[SessionTransaction]:
        with span("store.read"), self._session(actor, write=False) as session:
            yield SessionTransaction(session)

    def search(self, actor: Actor) -> AbstractContextManager[SessionTransaction]:
        """The same as `read`: there are no replicas."""
        return self.read(actor)

    @contextmanager
    def write(self, actor: Actor, *, derived: bool = False) -> Iterator[SessionTransaction]:
        with (
            span("store.write"),
            self._one_writer,
            self._session(actor, write=True, derived=derived) as session,
        ):
            yield opened_for_writing(session)
        # Only a check after the commit shows that it reached the file which others will open.
        self._pool.check()
        if session.work_announced:
            self._work.set()

    def orgs(self) -> list[str]:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            return [row["org"] for row in session.rows("list_orgs")]

    def due_work(self) -> list[DueWork]:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            rows = session.rows("waiting_work")
        found = [waiting for row in rows if (waiting := _due_work_of(row))]
        return sorted(found, key=lambda waiting: waiting.urgency)

    def await_work(self, seconds: float) -> bool:
        """Poll the file for changes, because other processes cannot wake this one."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self._work.wait(min(left, _POLL_SECONDS)):
                self._work.clear()
                return True
            if self._watch.changed():
                return True
        return False

    def take_lease(self, name: str, holder: str, seconds: float) -> bool:
        until = self._clock() + timedelta(seconds=seconds)
        with self._one_writer, self._session(_ACROSS_TENANTS, write=True, derived=True) as session:
            taken = session.row("take_lease", name=name, holder=holder, until=to_micros(until))
        return taken is not None

    def renew_lease(self, name: str, holder: str, seconds: float) -> bool:
        until = self._clock() + timedelta(seconds=seconds)
        with self._one_writer, self._session(_ACROSS_TENANTS, write=True, derived=True) as session:
            renewed = session.row("renew_lease", name=name, holder=holder, until=to_micros(until))
        return renewed is not None

    def drop_lease(self, name: str, holder: str) -> None:
        with self._one_writer, self._session(_ACROSS_TENANTS, write=True, derived=True) as session:
            session.run("drop_lease", name=name, holder=holder)

    def maintain_vectors(self, model: str, /) -> bool:
        """Build the vector indexes of large orgs step by step."""
        for org in self.orgs():
            with self._session(upkeep_actor(org), write=False) as session:
                name = index_name(org, self._network)
                if self._indexes.tend(name, model, SqliteVectorFeed(session, model)):
                    return True
        return False

    def maintain_postings(self) -> bool:
        return self._postings.work_waits(self) and self._postings.step(self)

    def orgs_to_post(self, least: int) -> list[str]:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            return [row["org"] for row in session.rows("orgs_to_post", least=least)]

    @contextmanager
    def upkeep_session(self, org: str, *, write: bool) -> Iterator[SqliteSession]:
        with (
            self._one_writer if write else nullcontext(),
            self._session(upkeep_actor(org), write=write) as session,
        ):
            yield session

    def scrub(self) -> None:
        """Merge the text index to drop deleted tokens, empty the log of old pages, and delete the
        copies that migrations left."""
        self._postings.erase_gone(self, self.orgs())
        merge_tokens(self._turn)
        if not empty_log(self._turn):
            # They need the old pages. The next purge, or the last to close the file, removes them.
            _LOG.warning("erased text stays in the file while others read an older state of it")
        remove_copies(self._file)
        with self._session(_ACROSS_TENANTS, write=False) as session:
            self._indexes.scrub(SqliteVectorFeed(session, model=""))

    @contextmanager
    def _turn(self) -> Iterator[SqliteConnection]:
        """A connection for writing, while no other thread writes."""
        with self._one_writer, self._pool.connection(write=True) as connection:
            yield connection

    def health(self) -> StoreHealth:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            orgs = session.row("count_orgs")
        return StoreHealth(
            dialect="sqlite",
            version=sqlite3.sqlite_version,
            schema_version=self._known_version,
            size_bytes=self._size(),
            orgs=orgs["orgs"] if orgs else 0,
        )

    def _size(self) -> int:
        try:
            return self._file.stat().st_size
        except OSError as error:
            raise StorageGone from error

    def backlog(self) -> Backlog:
        with self._session(_ACROSS_TENANTS, write=False) as session:
            row = session.row("work_waiting")
        assert row is not None, "counts always give a row"
        return backlog_of(row)

    def vector_indexes(self) -> int:
        return self._indexes.ready()

    def pool(self) -> PoolState:
        return PoolState(self._pool.used, 0)

    def replication(self) -> Replication:
        return Replication()

    def close(self) -> None:
        self._watch.close()
        self._pool.close()
        self._use.end()

    @contextmanager
    def _session(
        self, actor: Actor, *, write: bool, derived: bool = False
    ) -> Iterator[SqliteSession]:
        if not actor.org:
            raise TenantMissing
        with (
            self._pool.connection(write=write) as connection,
            damage_named(connection),
            transaction(connection, write=write, derived=derived),
        ):
            with gate():
                refuse_newer(self._known_version, schema_version(connection))
            # A writer may see data that is rolled back, which must not reach the shared indexes.
            indexes = self._make_indexes if write else lambda: self._indexes
            bound = Binding(actor, self._clock(), self._network)
            yield SqliteSession(
                connection, self._statements, indexes, self._postings, self._crowded, bound
            )


def _due_work_of(row: Row) -> DueWork | None:
    targets = bool(row["has_targets"])
    if row["urgency"] is not None:
        return DueWork(row["org"], Urgency(row["urgency"]), embeddings=True, targets=targets)
    if targets:
        return DueWork(row["org"], Urgency.BULK, embeddings=False, targets=True)
    return None
