"""PostgreSQL connections: opening, pooling, and transactions.

The only module that begins and ends transactions.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, TypeAlias

import psycopg
from psycopg import IsolationLevel, errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.errors import Diagnostic
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from commonplace.errors import (
    OrgMoved,
    StorageBusy,
    StorageError,
    StorageSetupRequired,
    StorageUnavailable,
)
from commonplace.storage import statements
from commonplace.storage.migrations import migrations_of, refuse_newer
from commonplace.storage.port import PoolState
from commonplace.storage.postgres.failures import gate, unreachable
from commonplace.storage.statements import Statement

PACKAGE = "commonplace.storage.postgres"
OWNER, APPLICATION = "commonplace_owner", "commonplace_app"
APPLICATION_NAME = "commonplace"
CONNECT_SECONDS = 10
# With several servers: skip one that does not respond, and give up one that vanished.
_OF_SEVERAL = {"target_session_attrs": "read-write", "connect_timeout": 3}
_VANISHED = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
BUSY_SECONDS = 30.0
# After that, a new request for a connection tries again, without the backoff.
_RECONNECT_SECONDS = 5.0
_IDLE_SECONDS = 300.0

_NO_PRIMARY = "The database does not accept writes now; try again in a few seconds."
# A server told to stop waiting for its standby commits nonetheless, and only warns.
_NOT_CONFIRMED = (
    "The database did not confirm in time that this was kept on its standby, too; look whether it "
    "is there, and try again."
)
_GONE = "This org was moved to another server; ask your administrator for its address."
_ARRIVING = "This org is being moved to this server; try again when it has arrived."
_MAY_NOT_VACUUM = (
    "The user of the database may not clean up after purges through a pooler. An administrator has "
    "to run this once: GRANT commonplace_owner TO that user WITH INHERIT TRUE"
)

# The fragment `held` in the driver's parameter style.
_PARTS = "parts"
_HELD = re.compile(r"%\(parts\)s::integer\[\] IS NULL OR (\w+)\.part = ANY \(%\(parts\)s\)")

Connection: TypeAlias = psycopg.Connection[DictRow]


@cache
def loaded_statements() -> Mapping[str, Statement]:
    """The statements by name, with the driver's placeholders."""
    return {
        name: replace(statement, sql=statement.percent_style())
        for name, statement in statements.load(PACKAGE).items()
    }


def execute(
    connection: Connection,
    name: str,
    values: Mapping[str, object],
    sql: str | None = None,
    *,
    planned_anew: bool = False,
) -> psycopg.Cursor[DictRow]:
    """Run a named statement; results are in binary format, from which vectors are read.

    With `planned_anew`, it is planned for its values each time, even where plans are kept.
    """
    statement = loaded_statements()[name]
    given = {parameter: values[parameter] for parameter in statement.parameters}
    written = sql or statement.sql
    if _PARTS in given:
        parts = given.pop(_PARTS)
        written = with_partitions(written, tuple(parts) if isinstance(parts, list) else None)
    prepare = False if planned_anew else None
    return connection.execute(written.encode(), given, binary=True, prepare=prepare)


@lru_cache(maxsize=1000)
def with_partitions(sql: str, parts: tuple[int, ...] | None) -> str:
    """The statement restricted to the partitions that it reads; None means all.

    The plan then covers only these partitions and can be reused.
    """
    if parts is None:
        return _HELD.sub("true", sql)
    numbers = ", ".join(f"{number:d}" for number in sorted(set(parts)))
    return _HELD.sub(rf"\1.part IN ({numbers})", sql)


@cache
def newest_version() -> int:
    """The schema version that this program knows."""
    return migrations_of(PACKAGE)[-1].version


def reaching(url: str) -> dict[str, Any]:
    """Connection parameters: those in the URL, plus defaults for what it does not set.

    Of several servers, the one that accepts writes is used.
    """
    with gate():
        given = conninfo_to_dict(url)
    told = {"application_name": APPLICATION_NAME, "connect_timeout": CONNECT_SECONDS, **_VANISHED}
    if "," in str(given.get("host", "")):
        told |= _OF_SEVERAL
    return told | given


def connect(url: str) -> Connection:
    """A dedicated connection in autocommit mode."""
    told = reaching(url)
    with gate():
        return psycopg.Connection[DictRow].connect(autocommit=True, row_factory=dict_row, **told)


def act_as(connection: Connection, role: str, *, locally: bool = True) -> None:
    """Assume a role until the end of the transaction: a pooler lends the session to others."""
    path = one_row(execute(connection, "search_path", {}))["path"]
    execute(connection, "become", {"role": role, "path": path, "locally": locally})


def is_pooled(connection: Connection) -> bool:
    """Whether there is a pooler: the process that answers is not the one that connected."""
    with gate():
        answering = one_row(execute(connection, "answering_process", {}))["process"]
    return bool(answering != connection.info.backend_pid)


def keep_no_session(connection: Connection) -> None:
    """Disable prepared statements behind a pooler, because they would stay in a shared session."""
    if is_pooled(connection):
        connection.prepare_threshold = None


def _at_once(connection: Connection) -> AbstractContextManager[object]:
    """Sends statements together, the end of the transaction included; not behind a pooler.

    At its end, the driver sends messages that the server does not answer. If the pooler gets them
    after it has lent the session on, it lends this client another one until its next transaction.
    """
    return connection.pipeline() if connection.prepare_threshold is not None else nullcontext()


@contextmanager
def owned(url: str, *, write: bool = True) -> Iterator[Connection]:
    """A transaction as the owner of the tables, not bound to a tenant."""
    with connect(url) as connection, gate():
        keep_no_session(connection)
        set_kind(connection, write=write)
        with connection.transaction():
            act_as(connection, OWNER)
            yield connection


def set_kind(connection: Connection, *, write: bool) -> None:
    """Set the mode of the next transactions; readers see one snapshot throughout."""
    connection.set_read_only(not write)
    connection.set_isolation_level(
        IsolationLevel.READ_COMMITTED if write else IsolationLevel.REPEATABLE_READ
    )


@contextmanager
def transaction(connection: Connection, *, write: bool) -> Iterator[None]:
    """Commit when the block ends, roll back if it raises."""
    with gate():
        set_kind(connection, write=write)
    try:
        yield
    except BaseException:
        # A connection that cannot roll back is discarded when it is returned.
        with suppress(psycopg.Error):
            connection.rollback()
        raise
    commit(connection)


def commit(connection: Connection, last: Sequence[Callable[[], object]] = ()) -> None:
    """Run `last` and commit, unless that was done; without a pooler, in one round trip.

    What those statements lock is then held for as long as the server takes to commit, and no
    longer because this process is busy.
    """
    with gate():
        if connection.info.transaction_status == TransactionStatus.INERROR:
            connection.rollback()
            raise StorageError("A statement of the transaction had failed; nothing was written.")
        with _warned(connection) as warnings, _at_once(connection) if last else nullcontext():
            for run in last:
                run()
            connection.commit()
    if warnings:
        raise unreachable(_NOT_CONFIRMED)


@contextmanager
def _warned(connection: Connection) -> Iterator[list[str]]:
    """Collects the codes of warnings from the server."""
    warnings: list[str] = []

    def note(diagnostic: Diagnostic) -> None:
        if diagnostic.severity_nonlocalized == "WARNING":
            warnings.append(diagnostic.sqlstate or "")

    connection.add_notice_handler(note)
    try:
        yield warnings
    finally:
        connection.remove_notice_handler(note)


def vacuum(url: str, tables: Sequence[str]) -> None:
    """Make the space of dead rows reusable. Outside a transaction, a pooled connection has no
    role."""
    named = ", ".join(f"commonplace.{table}" for table in tables)
    with connect(url) as connection, gate(), _warned(connection) as warnings:
        if not is_pooled(connection):
            act_as(connection, OWNER, locally=False)
        connection.execute(f"VACUUM (INDEX_CLEANUP ON) {named}".encode())
    if warnings:
        raise StorageSetupRequired(_MAY_NOT_VACUUM)


class Connections:
    """The process's connections in the application's role; opened on first use."""

    def __init__(self, url: str, size: int, connect_seconds: float | None = None) -> None:
        self._url = url
        self._connect_seconds = connect_seconds
        self._places = threading.BoundedSemaphore(size)
        self._opening = threading.Lock()
        self._closed = False
        self._path = ""
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            connection_class=psycopg.Connection[DictRow],
            kwargs={"row_factory": dict_row, **reaching(url)},
            min_size=0,
            max_size=size,
            open=False,
            configure=self._look_around,
            reconnect_timeout=_RECONNECT_SECONDS,
            max_idle=_IDLE_SECONDS,
        )

    @contextmanager
    def transaction(self, *, write: bool, org: str = "") -> Iterator[Connection]:
        """A transaction in the application's role; without an org, it can read no content."""
        with self.bound(write=write, org=org) as (connection, _places):
            yield connection

    @contextmanager
    def bound(
        self,
        *,
        write: bool,
        org: str = "",
        network: bool = False,
        plans_kept: bool = False,
        derived: bool = False,
    ) -> Iterator[tuple[Connection, Mapping[str, object]]]:
        """A transaction bound to an org, and the partitions that it reads and writes.

        Binding shows whether the server is still there, so nothing is asked for that alone. If the
        connection is lost, nothing was done yet, and a new one is tried. The idle ones are closed
        unasked: each would wait for the lost server as long as this one did.
        """
        tenant = {"org": org, "network": network, "plans_kept": plans_kept, "derived": derived}
        for is_last in (False, True):
            connection, is_bound = self._take(), False
            try:
                with transaction(connection, write=write):
                    places = self._bind(connection, tenant, write=write)
                    is_bound = True
                    yield connection, places
                return
            except StorageUnavailable:
                # The next connection may reach the server that replaced this one.
                connection.close()
                if is_bound or is_last:
                    raise
            finally:
                self._pool.putconn(connection)
                self._places.release()
            self._pool.drain()

    def state(self) -> PoolState:
        known = self._pool.get_stats()
        used = known.get("pool_size", 0) - known.get("pool_available", 0)
        return PoolState(used, self._pool.max_size)

    def close(self) -> None:
        with self._opening:
            self._closed = True
            self._pool.close()

    def _bind(
        self, connection: Connection, tenant: Mapping[str, object], *, write: bool
    ) -> Mapping[str, object]:
        """Bind the org in the round trip that begins the transaction, and until its end only.

        A writer learns where rows belong at a point after which nobody can move them.
        """
        role = {"role": APPLICATION, "path": self._path, "locally": True}
        with gate():
            try:
                with connection.pipeline():
                    execute(connection, "become", role)
                    if write and tenant["org"]:
                        execute(connection, "hold_place", tenant)
                    bound = execute(connection, "bind_tenant", tenant)
            except errors.FeatureNotSupported as error:
                raise unreachable(_NO_PRIMARY) from error
            home = one_row(bound)
        refuse_newer(newest_version(), home["version"])
        if home["away"]:
            raise OrgMoved(_GONE if home["away"] == "gone" else _ARRIVING)
        return {"part": home["part"], "parts": home["parts"]}

    def _look_around(self, connection: Connection) -> None:
        keep_no_session(connection)
        self._path = one_row(execute(connection, "search_path", {}))["path"]
        connection.commit()

    def _take(self) -> Connection:
        """Take a connection: waits long for a free slot, but briefly for the database."""
        if not self._places.acquire(timeout=BUSY_SECONDS):
            raise StorageBusy("All connections to the database are in use.")
        try:
            return self._connected()
        except BaseException:
            self._places.release()
            raise

    def _connected(self) -> Connection:
        with self._opening:
            if self._closed:
                raise StorageUnavailable("The store is closed.")
            if self._pool.closed:
                self._pool.open()
        try:
            with gate():
                return self._pool.getconn(self._connect_seconds or CONNECT_SECONDS)
        except StorageUnavailable as error:
            if not isinstance(error.__cause__, PoolTimeout):
                raise
            connect(self._url).close()
            raise StorageBusy("The database answers too slowly.") from error


def one_row(cursor: psycopg.Cursor[DictRow]) -> dict[str, Any]:
    row = cursor.fetchone()
    assert row is not None, "the statement always gives a row"
    return row
