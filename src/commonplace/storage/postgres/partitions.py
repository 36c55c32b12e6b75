"""Creates partitions for large orgs, and moves their rows there.

Rows are moved in small transactions, and each row is in exactly one partition after each of them.
If the process is killed, the next one continues.
"""

from __future__ import annotations

import time

from commonplace.errors import StorageBusy
from commonplace.model.actor import SYSTEM_ORG
from commonplace.storage.postgres.connections import Connection, execute, one_row, owned
from commonplace.storage.session import Row

# Smaller orgs can be scanned fast enough within the shared partition.
LARGE_ORG = 10_000
# Writers of the org wait while a batch is moved.
BATCH = 100
_LOOK_AGAIN_SECONDS = 60.0
_TABLES = ("vectors", "passages", "reembedding_attempts", "chunks")


class Partitions:
    """Manages partitions step by step; any process may do a step, one at a time."""

    def __init__(self, url: str, large: int = LARGE_ORG) -> None:
        self._url = url
        self._large = large
        self._look_again = 0.0

    def tend(self) -> bool:
        """Do a step, unless there was nothing to do a moment ago; True if there may be more."""
        if time.monotonic() < self._look_again:
            return False
        try:
            if self.step():
                return True
        except StorageBusy:
            # Others use what this step needs; they go first.
            pass
        self._look_again = time.monotonic() + _LOOK_AGAIN_SECONDS
        return False

    def step(self) -> bool:
        """Do one step; False if there is none, or another process is doing it."""
        with owned(self._url) as connection:
            work = one_row(execute(connection, "partition_work", {"large": self._large}))
            return bool(work["alone"]) and _done(connection, work)


def _done(connection: Connection, work: Row) -> bool:
    """Do the most urgent step, without making anybody wait for locks."""
    execute(connection, "wait_for_nobody", {})
    if org := work["moving"]:
        _move(connection, org)
    elif org := work["large"]:
        if not _checked(connection):
            # Separate what everybody reads from what everybody writes.
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
    """Validate constraints of the shared partition that a migration left unvalidated."""
    unchecked = execute(connection, "unchecked_partitions", {}).fetchall()
    for row in unchecked:
        connection.execute(row["command"].encode())
    return bool(unchecked)
