"""Read replicas for searches: which of them shows everything that was committed before.

Asks the databases themselves how far they are and which server they follow.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from commonplace.errors import CommonplaceError, ReplicaLost, StorageError
from commonplace.storage.port import Replication
from commonplace.storage.postgres.connections import (
    Connection,
    Connections,
    connect,
    execute,
    one_row,
)
from commonplace.storage.postgres.failures import gate
from commonplace.storage.session import Row

_LOG = logging.getLogger("commonplace.storage")
_CONNECT_SECONDS = 1.0
_PATIENCE_SECONDS = 0.1
_LOOK_SECONDS = 0.005
_PAUSE_SECONDS = 10.0
_LAGGING_SECONDS = 1.0


class LogPosition:
    """Asks one server for its log position, over a dedicated connection.

    Callers that arrive while it is being asked share the next answer.
    """

    def __init__(self, url: str, statement: str) -> None:
        self._url = url
        self._statement = statement
        self._arriving, self._asking = threading.Lock(), threading.Lock()
        self._arrived = self._answered = 0
        self._connection: Connection | None = None
        self._answer: Row = {}

    def current(self) -> Row:
        """A position requested after this call began."""
        with self._arriving:
            self._arrived += 1
            turn = self._arrived
        with self._asking:
            if self._answered < turn:
                with self._arriving:
                    covered = self._arrived
                self._answer = self._request()
                self._answered = covered
            return self._answer

    def close(self) -> None:
        with self._asking:
            self._hang_up()

    def _request(self) -> Row:
        if self._connection is not None:
            try:
                return self._ask(self._connection)
            except StorageError:
                self._hang_up()
        self._connection = connect(self._url)
        # A statement is its own transaction, and there may be a pooler.
        self._connection.prepare_threshold = None
        return self._ask(self._connection)

    def _ask(self, connection: Connection) -> Row:
        with gate():
            return one_row(execute(connection, self._statement, {}))

    def _hang_up(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


class Replica:
    """A replica: its connections, the number of searches on it, and whether it is reachable."""

    def __init__(self, url: str, pool_size: int) -> None:
        self.connections = Connections(url, pool_size, _CONNECT_SECONDS)
        self.searches = 0
        self._position = LogPosition(url, "replayed_position")
        self._ask_again = 0.0

    @property
    def is_unavailable(self) -> bool:
        return time.monotonic() < self._ask_again

    def lose(self, error: CommonplaceError) -> None:
        self._ask_again = time.monotonic() + _PAUSE_SECONDS
        _LOG.warning("replica not used", extra={"code": error.code})

    def shows(self, primary: Row) -> bool:
        """Whether it follows that primary and has replayed as far.

        Only a user with `pg_read_all_stats` is told which timeline it follows.
        """
        try:
            own = self._position.current()
        except StorageError as error:
            self.lose(error)
            return False
        follows = own["receiving"] and own["timeline"] in (None, primary["timeline"])
        return bool(follows and own["position"] >= primary["position"])

    def close(self) -> None:
        self._position.close()
        self.connections.close()


class Replicas:
    """Chooses the least busy up-to-date replica, and counts where searches were answered."""

    def __init__(self, primary_url: str, urls: Sequence[str], pool_size: int) -> None:
        self._primary = LogPosition(primary_url, "flushed_position")
        self._replicas = [Replica(url, pool_size) for url in urls]
        self._lock = threading.Lock()
        self._patient_again = 0.0
        self._answered = {True: 0, False: 0}

    @contextmanager
    def searching(self) -> Iterator[Connections | None]:
        """The connections of a replica for the duration of a search; None to use the primary."""
        replica = self._chosen()
        self._count(replica, 1)
        try:
            yield replica.connections if replica else None
        except StorageError as error:
            if replica is None:
                raise
            replica.lose(error)
            raise ReplicaLost from error
        finally:
            self._count(replica, -1)

    def state(self) -> Replication:
        away = sum(replica.is_unavailable for replica in self._replicas)
        known = len(self._replicas)
        return Replication(known, known - away, self._answered[False], self._answered[True])

    def close(self) -> None:
        self._primary.close()
        for replica in self._replicas:
            replica.close()

    def _chosen(self) -> Replica | None:
        """Choose a replica; waits briefly for one that is almost up to date, unless all just
        lagged."""
        if not any(not replica.is_unavailable for replica in self._replicas):
            return None
        wanted, deadline = self._primary.current(), time.monotonic() + _PATIENCE_SECONDS
        while (found := self._showing(wanted)) is None:
            now = time.monotonic()
            if now < self._patient_again:
                return None
            if now > deadline:
                self._patient_again = now + _LAGGING_SECONDS
                return None
            time.sleep(_LOOK_SECONDS)
        return found

    def _showing(self, wanted: Row) -> Replica | None:
        present = [replica for replica in self._replicas if not replica.is_unavailable]
        random.shuffle(present)
        present.sort(key=lambda replica: replica.searches)
        return next((replica for replica in present if replica.shows(wanted)), None)

    def _count(self, replica: Replica | None, step: int) -> None:
        with self._lock:
            if replica:
                replica.searches += step
            self._answered[replica is not None] += max(step, 0)
