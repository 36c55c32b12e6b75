"""PostgreSQL connections: how they are opened and shared, and how their errors are named.

The only module that begins and ends transactions.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import psycopg
from psycopg import IsolationLevel, errors
from psycopg.pq import TransactionStatus
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from commonplace.errors import (
    CommonplaceError,
    Conflict,
    StorageBusy,
    StorageDamaged,
    StorageError,
    StorageFull,
    StorageUnavailable,
    TenantMissing,
)
from commonplace.storage import statements
from commonplace.storage.port import PoolState
from commonplace.storage.statements import Statement

PACKAGE = "commonplace.storage.postgres"
OWNER, APPLICATION = "commonplace_owner", "commonplace_app"
APPLICATION_NAME = "commonplace"
TENANT_UNBOUND = "CP001"
CONNECT_SECONDS = 10
BUSY_SECONDS = 30.0
_RECONNECT_SECONDS = 5.0  # then whoever needs a connection tries anew, without the backoff
_IDLE_SECONDS = 300.0

Connection: TypeAlias = psycopg.Connection[DictRow]

# Most specific first: the driver's classes are nested.
_NAMED: tuple[tuple[type[psycopg.Error], type[CommonplaceError]], ...] = (
    (errors.DiskFull, StorageFull),
    (errors.LockNotAvailable, StorageBusy),
    (errors.QueryCanceled, StorageBusy),
    (errors.DeadlockDetected, StorageBusy),
    (errors.SerializationFailure, StorageBusy),
    (errors.TooManyConnections, StorageBusy),
    (errors.DataCorrupted, StorageDamaged),
    (errors.IndexCorrupted, StorageDamaged),
    (psycopg.OperationalError, StorageUnavailable),
    (psycopg.InterfaceError, StorageUnavailable),
)


@contextmanager
def gate() -> Iterator[None]:
    """The one place where the driver's errors become ours, without their words."""
    try:
        yield
    except errors.UniqueViolation as error:
        raise Conflict("Something with that id exists already.") from error
    except psycopg.Error as error:
        if error.sqlstate == TENANT_UNBOUND:
            raise TenantMissing from error
        named = (ours for theirs, ours in _NAMED if isinstance(error, theirs))
        raise next(named, StorageError) from error


@cache
def loaded_statements() -> Mapping[str, Statement]:
    """The statements by name, in the driver's own style of placeholders."""
    return {
        name: replace(statement, sql=statement.percent_style())
        for name, statement in statements.load(PACKAGE).items()
    }


def execute(
    connection: Connection, name: str, values: Mapping[str, object], sql: str | None = None
) -> psycopg.Cursor[DictRow]:
    """Run a named statement; results come in binary form, which vectors are read from."""
    statement = loaded_statements()[name]
    given = {parameter: values[parameter] for parameter in statement.parameters}
    return connection.execute((sql or statement.sql).encode(), given, binary=True)


def connect(url: str, role: str | None = None) -> Connection:
    """A connection of one's own, which commits each statement by itself."""
    with gate():
        connection = psycopg.connect(
            url,
            autocommit=True,
            row_factory=dict_row,
            connect_timeout=CONNECT_SECONDS,
            application_name=APPLICATION_NAME,
        )
        try:
            if role:
                execute(connection, "become", {"role": role})
        except BaseException:
            connection.close()
            raise
        return connection


@contextmanager
def transaction(connection: Connection, *, write: bool) -> Iterator[None]:
    """Commit what the block did, or nothing of it. Readers see one moment throughout."""
    with gate():
        connection.set_read_only(not write)
        connection.set_isolation_level(
            IsolationLevel.READ_COMMITTED if write else IsolationLevel.REPEATABLE_READ
        )
    try:
        yield
    except BaseException:
        # A connection that cannot even roll back is discarded when it is given back.
        with suppress(psycopg.Error):
            connection.rollback()
        raise
    with gate():
        if connection.info.transaction_status == TransactionStatus.INERROR:
            connection.rollback()
            raise StorageError("A statement of the transaction had failed; nothing was written.")
        connection.commit()


class Connections:
    """The process's connections in the application's role; opened when first needed."""

    def __init__(self, url: str, size: int, connect_seconds: float | None = None) -> None:
        self._url = url
        self._connect_seconds = connect_seconds
        self._places = threading.BoundedSemaphore(size)
        self._opening = threading.Lock()
        self._closed = False
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            connection_class=psycopg.Connection[DictRow],
            kwargs={
                "row_factory": dict_row,
                "connect_timeout": CONNECT_SECONDS,
                "application_name": APPLICATION_NAME,
            },
            min_size=0,
            max_size=size,
            open=False,
            configure=_enter_application_role,
            check=ConnectionPool.check_connection,
            reconnect_timeout=_RECONNECT_SECONDS,
            max_idle=_IDLE_SECONDS,
        )

    @contextmanager
    def transaction(self, *, write: bool) -> Iterator[Connection]:
        connection = self._take()
        try:
            with transaction(connection, write=write):
                yield connection
        finally:
            self._pool.putconn(connection)
            self._places.release()

    def state(self) -> PoolState:
        known = self._pool.get_stats()
        used = known.get("pool_size", 0) - known.get("pool_available", 0)
        return PoolState(used, self._pool.max_size)

    def close(self) -> None:
        with self._opening:
            self._closed = True
            self._pool.close()

    def _take(self) -> Connection:
        """Wait long for a place among those who have a connection, and shortly for the database."""
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


def _enter_application_role(connection: Connection) -> None:
    execute(connection, "become", {"role": APPLICATION})
    execute(connection, "settle_connection", {})
    connection.commit()


def one_row(cursor: psycopg.Cursor[DictRow]) -> dict[str, Any]:
    row = cursor.fetchone()
    assert row is not None, "the statement always gives a row"
    return row
