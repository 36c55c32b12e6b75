"""A read replica for searches: used only once it shows all that was acknowledged before the search.

Where it lags, is away or is no replica of this database, the database itself is asked.
"""

from __future__ import annotations

import logging
import time

from commonplace.errors import StorageError
from commonplace.storage.postgres.connections import Connections, execute, gate, one_row

_LOG = logging.getLogger("commonplace.storage")
_CONNECT_SECONDS = 1.0
_PATIENCE_SECONDS = 0.1
_LOOK_SECONDS = 0.005
_AWAY_SECONDS = 10.0


class Replica:
    """The connections to a replica, and whether they can be used now."""

    def __init__(self, url: str, pool_size: int) -> None:
        self.connections = Connections(url, pool_size, _CONNECT_SECONDS)
        self._ask_again = 0.0

    def shows(self, position: str) -> bool:
        """Whether it has come as far as a position of the database's log, or does so soon."""
        if time.monotonic() < self._ask_again:
            return False
        deadline = time.monotonic() + _PATIENCE_SECONDS
        try:
            while not self._caught_up(position):
                if time.monotonic() > deadline:
                    return False
                time.sleep(_LOOK_SECONDS)
        except StorageError as error:
            self._ask_again = time.monotonic() + _AWAY_SECONDS
            _LOG.warning("replica not used", extra={"code": error.code})
            return False
        return True

    def _caught_up(self, position: str) -> bool:
        with self.connections.transaction(write=False) as connection, gate():
            row = one_row(execute(connection, "has_replayed", {"position": position}))
        return bool(row["caught_up"])


def flushed_position(connections: Connections) -> str:
    with connections.transaction(write=False) as connection, gate():
        position: str = one_row(execute(connection, "flushed_position", {}))["position"]
    return position
