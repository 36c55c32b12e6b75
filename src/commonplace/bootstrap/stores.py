"""Builds the store, and its backups, canonical rows and moves."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import InvalidArgument, StorageUnavailable
from commonplace.model.times import Clock
from commonplace.settings import Settings
from commonplace.storage.port import Store
from commonplace.storage.port.archive import Backups
from commonplace.storage.port.canonical import CanonicalRows
from commonplace.storage.port.moving import OrgMoves
from commonplace.storage.sqlite.vectors.port import VectorIndexes

if TYPE_CHECKING:
    from commonplace.operations.transfer.service.transfers import TransferService


def utc_now() -> datetime:
    return datetime.now(UTC)


def build_store(settings: Settings, clock: Clock) -> Store:
    if settings.database_url:
        from commonplace.storage.postgres.store import PostgresStore

        url = settings.database_url.get_secret_value()
        pool, replicas = settings.database_pool, settings.replica_urls
        return PostgresStore(url, clock, pool, replicas, network=settings.network)
    from commonplace.storage.sqlite.store import SqliteStore

    _make_home(settings.home)
    indexes = partial(_layered_indexes, settings)
    return SqliteStore(settings.database_file, clock, indexes, network=settings.network)


def build_backups(settings: Settings, clock: Clock = utc_now) -> Backups:
    """Backups of the database. Opens nothing: a damaged database can still be restored."""
    if settings.database_url:
        from commonplace.storage.postgres.backups import PostgresBackups

        return PostgresBackups(settings.database_url.get_secret_value(), clock)
    from commonplace.storage.sqlite.backups import SqliteBackups

    return SqliteBackups(settings.database_file, clock)


def build_canonical_rows(settings: Settings, clock: Clock) -> CanonicalRows:
    if settings.database_url:
        from commonplace.storage.postgres.canonical import PostgresRows

        return PostgresRows(settings.database_url.get_secret_value(), clock)
    from commonplace.storage.sqlite.canonical import SqliteRows

    return SqliteRows(settings.database_file, clock)


def build_moves(settings: Settings, clock: Clock = utc_now) -> OrgMoves:
    """Moves of orgs between databases; InvalidArgument for SQLite, which exports instead."""
    if not settings.database_url:
        raise InvalidArgument(
            "Orgs can be moved only between PostgreSQL databases. With SQLite, use "
            "`commonplace export --org` and `commonplace import`."
        )
    from commonplace.storage.postgres.moving import PostgresMoves

    return PostgresMoves(settings.database_url.get_secret_value(), clock)


def transfer_of_file(file: Path, clock: Clock = utc_now) -> TransferService:
    """Transfers rows of any SQLite file, such as one salvaged from a damaged database."""
    from commonplace.operations.transfer.service.transfers import TransferService
    from commonplace.storage.sqlite.canonical import SqliteRows

    return TransferService(SqliteRows(file, clock), clock)


def _make_home(home: Path) -> None:
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        message = f"The data folder (COMMONPLACE_HOME) cannot be created: {reason}."
        raise StorageUnavailable(message) from error


def _layered_indexes(settings: Settings) -> VectorIndexes:
    from commonplace.storage.sqlite.vectors.indexes import LayeredIndexes

    return LayeredIndexes(settings.home / "vectors")
