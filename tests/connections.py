"""Reuses PostgreSQL connections across the stores of different tests.

They keep no state between transactions, as poolers require, and opening one takes longer than most
tests use it. Only for databases that `tests/stores.py` lends to one test after another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import pytest

from commonplace.errors import StorageUnavailable
from commonplace.storage.port import PoolState
from tests.stores import is_lent

if TYPE_CHECKING:
    from commonplace.storage.postgres.connections import Connections


class IdleConnections:
    """Idle connection pools, by address and size."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, int], list[Connections]] = defaultdict(list)

    def lend(self, url: str, size: int) -> LentConnections:
        from commonplace.storage.postgres.connections import Connections

        idle = self._idle[url, size]
        return LentConnections(idle.pop() if idle else Connections(url, size), idle)

    def end(self) -> None:
        for idle in self._idle.values():
            for connections in idle:
                connections.close()


class LentConnections:
    """A pool lent to one store; when the store closes it, it becomes idle again."""

    def __init__(self, lent: Connections, idle: list[Connections]) -> None:
        self._lent = lent
        self._idle = idle
        self._closed = False

    def transaction(self, *, write: bool, org: str = "") -> AbstractContextManager[Any]:
        return self._open().transaction(write=write, org=org)

    def bound(
        self, *, write: bool, **binding: Any
    ) -> AbstractContextManager[tuple[Any, Mapping[str, object]]]:
        return self._open().bound(write=write, **binding)

    def state(self) -> PoolState:
        return self._lent.state()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._idle.append(self._lent)

    def _open(self) -> Connections:
        if self._closed:
            raise StorageUnavailable("The store is closed.")
        return self._lent


@pytest.fixture(scope="session")
def idle_connections() -> Iterator[IdleConnections]:
    connections = IdleConnections()
    yield connections
    connections.end()


@pytest.fixture(scope="module")
def kept_connections(idle_connections: IdleConnections) -> Iterator[None]:
    """Reuse connections, and do not migrate a lent database again."""
    from commonplace.storage.postgres import store
    from commonplace.storage.postgres.connections import Connections, newest_version
    from commonplace.storage.postgres.migrate import migrate

    def lend_or_open(url: str, size: int) -> Any:
        return idle_connections.lend(url, size) if is_lent(url) else Connections(url, size)

    def migrate_unless_known(url: str) -> int:
        return newest_version() if is_lent(url) else migrate(url)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(store, "Connections", lend_or_open)
        patched.setattr(store, "migrate", migrate_unless_known)
        yield
