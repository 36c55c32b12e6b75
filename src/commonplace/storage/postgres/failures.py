"""Translates the driver's errors into ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import psycopg
from psycopg import errors

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

_TENANT_UNBOUND = "CP001"
_UNREACHABLE = "The database cannot be reached now; try again in a few seconds."
_RETRY_AFTER_SECONDS = 5.0


def unreachable(message: str = _UNREACHABLE) -> StorageUnavailable:
    return StorageUnavailable(message, retry_after=_RETRY_AFTER_SECONDS)


# Most specific first, because the driver's classes are nested.
_NAMED: tuple[tuple[type[psycopg.Error], Callable[[], CommonplaceError]], ...] = (
    (errors.DiskFull, StorageFull),
    (errors.LockNotAvailable, StorageBusy),
    (errors.QueryCanceled, StorageBusy),
    (errors.DeadlockDetected, StorageBusy),
    (errors.SerializationFailure, StorageBusy),
    (errors.TooManyConnections, StorageBusy),
    (errors.DataCorrupted, StorageDamaged),
    (errors.IndexCorrupted, StorageDamaged),
    (errors.ReadOnlySqlTransaction, unreachable),
    (psycopg.OperationalError, unreachable),
    (psycopg.InterfaceError, unreachable),
)


@contextmanager
def gate() -> Iterator[None]:
    """Translate the driver's errors into ours, without their text."""
    try:
        yield
    except errors.UniqueViolation as error:
        raise Conflict("Something with that id already exists.") from error
    except psycopg.Error as error:
        if error.sqlstate == _TENANT_UNBOUND:
            raise TenantMissing from error
        named = (ours for theirs, ours in _NAMED if isinstance(error, theirs))
        failure = next(named, StorageError)()
        raise failure from error
