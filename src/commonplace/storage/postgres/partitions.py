"""Partitions of their own for large orgs: when one is given, and how its rows get there.

What is moved is moved in small transactions, and a row is in exactly one partition after each of
them; so whoever is killed here leaves nothing to mend, and the next one goes on.
"""

from __future__ import annotations

import time

from commonplace.errors import StorageBusy
from commonplace.model.actor import SYSTEM_ORG
from commonplace.storage.postgres.connections import Connection, execute, one_row, owned
from commonplace.storage.session import Row

# Fewer are compared one by one quickly enough beside whatever else the shared partition holds.
LARGE_ORG = 10_000
# Writers of the org wait for one batch.
BATCH = 100
_LOOK_AGAIN_SECONDS = 60.0
_TABLES = ("vectors", "passages", "reembedding_attempts", "chunks")


class Partitions:
    """Does what there is to do about partitions, step by step; any process may, one at a time."""

    def __init__(self, url: str, large: int = LARGE_ORG) -> None:
        self._url = url
        self._large = large
        self._look_again = 0.0

    def tend(self) -> bool:
        """A step, unless there was nothing to do a moment ago; whether there may be more."""
        if time.monotonic() < self._look_again:
            return False
        try:
            if self.step():
                return True
        except StorageBusy:
            # Somebody else uses what was wanted; they go first, and the step is taken later.
            pass
        self._look_again = time.monotonic() + _LOOK_AGAIN_SECONDS
        return False

    def step(self) -> bool:
        """One step; False when there is none to take, or another process takes it."""
        with owned(self._url) as connection:
            work = one_row(execute(connection, "partition_work", {"large": self._large}))
            return bool(work["alone"]) and _done(connection, work)


def _done(connection: Connection, work: Row) -> bool:
    """The first thing that there is to do. Nobody shall wait for it longer than a moment."""
    execute(connection, "wait_for_nobody", {})
    if org := work["moving"]:
        _move(connection, org)
    elif org := work["large"]:
        if not _checked(connection):
            # What all read is to be found apart from what all write.
            chosen = org if work["system_apart"] else SYSTEM_ORG
            execute(connection, "give_partition", {"org": chosen})
            execute(connection, "make_partitions", {})
    elif number := work["left_over"]:
        dropped = ", ".join(f"{table}_{number:d}" for table in _TABLES)
        connection.execute(f"DROP TABLE {dropped}".encode())
    else:
        return False
    return True


def _move(connection: Connection, org: str) -> None:
    moved = one_row(execute(connection, "move_to_partition", {"org": org, "most": BATCH}))
    if moved["moved"] < BATCH:
        counting = one_row(execute(connection, "analyze_partition", {"org": org}))
        connection.execute(counting["command"].encode())


def _checked(connection: Connection) -> bool:
    """Whether the shared partition was to be checked: what a migration took over is read once."""
    unchecked = execute(connection, "unchecked_partitions", {}).fetchall()
    for row in unchecked:
        connection.execute(row["command"].encode())
    return bool(unchecked)
