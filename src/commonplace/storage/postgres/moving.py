"""Moves an org to another PostgreSQL database while its agents read, and mostly write.

Copies everything, then repeatedly what changed meanwhile, finally the rest while writers wait. All
keys are shifted by one number, so that they do not clash with keys of the target.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

from psycopg import IsolationLevel, sql

from commonplace.errors import Conflict, InvalidArgument, NotFound, StorageError
from commonplace.model.actor import SYSTEM_ORG
from commonplace.model.times import Clock, to_micros
from commonplace.storage.port.moving import MoveReport
from commonplace.storage.postgres.catalogue import copied_columns, tables_in_order
from commonplace.storage.postgres.connections import (
    OWNER,
    Connection,
    act_as,
    connect,
    execute,
    is_pooled,
    one_row,
)
from commonplace.storage.postgres.failures import gate
from commonplace.storage.postgres.migrate import schema_version
from commonplace.storage.postgres.moved_table import MovedTable
from commonplace.storage.postgres.org_rows import erase_rows, partitions_of
from commonplace.storage.postgres.partitions import LARGE_ORG

_MOST_ROUNDS = 5
FEW_ROWS = 2_000
# Tables that are not moved: access to the old server, and what its plans allow.
_STAYS = frozenset({"tokens", "org_plans", "org_partitions"})
# Tables that the target's workers rebuild: posting lists depend on keys.
_MADE_AGAIN = frozenset(
    {"reembedding_attempts", "posting_indexes", "posting_segments", "postings", "unposted"}
)
_KEPT_AS_TOMBSTONE = frozenset({"tokens", "orgs"})
_SAYS_THAT_IT_COMES = frozenset({"orgs"})
_NOT_AS_SENT = "The rows of {} did not arrive as they were sent."

# For each group of keys: their number and a digest.
_Groups: TypeAlias = dict[int, tuple[int, int]]


class PostgresMoves:
    """Implements port.OrgMoves."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock

    def move(self, org: str, to: str) -> MoveReport:
        if org == SYSTEM_ORG:
            raise InvalidArgument("The system's own rows cannot be moved.", field="org")
        with connect(self._url) as source, connect(to) as target, gate():
            now = to_micros(self._clock())
            report = MoveReport({}, 0.0)
            if _agreed(source, target, org, now):
                report = _Move(source, target, org).run(now, _place(target))
            with _owning(target):
                execute(target, "forget_move", {"moved": org})
                execute(target, "announce_work", {})
            _erase_source(source, org)
            return report


@contextmanager
def _owning(connection: Connection) -> Iterator[None]:
    """A transaction as the owner of the tables."""
    with connection.transaction():
        act_as(connection, OWNER)
        yield


@dataclass(slots=True)
class _Move:
    source: Connection
    target: Connection
    org: str
    tables: list[MovedTable] = field(default_factory=list)

    def run(self, now: int, place: str) -> MoveReport:
        self._begin()
        since: str | None = None
        for _ in range(_MOST_ROUNDS):
            since, rows = self._round(since)
            if rows < FEW_ROWS:
                break
        with _owning(self.source):
            execute(self.source, "lock_org", {"org": self.org})
            # From here on, writers of the org wait; readers continue.
            began = time.monotonic()
            with _owning(self.target):
                self._follow(since)
                counts = self._verified()
            execute(self.source, "say_gone", {"moved": self.org, "place": place, "now": now})
        return MoveReport(counts, time.monotonic() - began)

    def _begin(self) -> None:
        """Remove what an interrupted attempt left at the target; prepare keys and partitions."""
        _erase(self.target, self.org, kept=_SAYS_THAT_IT_COMES)
        with _owning(self.source), _owning(self.target):
            used = one_row(execute(self.source, "largest_number", {}))["largest"]
            number = one_row(execute(self.target, "largest_number", {}))["largest"]
            execute(self.target, "reserve_numbers", {"up_to": number + used})
            parts = partitions_of(self.source, self.org)
            self.tables = _moved_tables(
                self.target, self.org, number=number, parts=parts, part=self._partition()
            )
            for model in execute(self.source, "models_held", {"org": self.org, "numbers": parts}):
                execute(self.target, "ensure_vector_index", model)

    def _partition(self) -> int:
        held = execute(self.source, "counted_chunks", {"org": self.org}).fetchone()
        if held is None or held["chunks"] < LARGE_ORG:
            return 0
        for org in (SYSTEM_ORG, self.org):
            execute(self.target, "give_partition_once", {"org": org})
        execute(self.target, "make_partitions", {})
        return int(one_row(execute(self.target, "settle_partition", {"org": self.org}))["part"])

    def _round(self, since: str | None) -> tuple[str, int]:
        """Copy all rows, or those written since; returns the snapshot they are of, and how many."""
        self.source.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        try:
            with _owning(self.source), _owning(self.target):
                moment = one_row(execute(self.source, "oldest_running", {}))["oldest"]
                return moment, self._follow(since)
        finally:
            self.source.set_isolation_level(IsolationLevel.READ_COMMITTED)

    def _follow(self, since: str | None) -> int:
        if since is not None:
            for table in reversed(self.tables):
                self._remove_gone(table)
        return sum(self._copy(table, since) for table in self.tables)

    def _copy(self, table: MovedTable, since: str | None) -> int:
        """Copy rows, and compare their hashes with those of the rows that the target stored."""
        self.target.execute(table.staging())
        self._pipe(table.written(since), table.staged)
        written = self.target.execute(table.upsert()).rowcount
        if one_row(self.target.execute(table.unlike()))["rows"]:
            raise StorageError(_NOT_AS_SENT.format(table.name))
        self.target.execute(sql.SQL("DROP TABLE {}").format(table.staged))
        return written

    def _remove_gone(self, table: MovedTable) -> None:
        here, there = self._keys(table)
        unlike = [group for group, known in there.items() if here.get(group) != known]
        if not unlike:
            return
        self.target.execute(table.keeping())
        self._pipe(table.keys_in(unlike), table.staged)
        self.target.execute(sql.SQL("ANALYZE {}").format(table.staged))
        self.target.execute(table.removal(unlike))
        self.target.execute(sql.SQL("DROP TABLE {}").format(table.staged))

    def _keys(self, table: MovedTable) -> tuple[_Groups, _Groups]:
        """The keys of both sides, in groups."""
        return (
            _groups(self.source, table.grouped_keys(table.source)),
            _groups(self.target, table.grouped_keys(table.target)),
        )

    def _pipe(self, query: sql.Composable, into: sql.Identifier) -> None:
        out = sql.SQL("COPY ({}) TO STDOUT (FORMAT BINARY)").format(query)
        put = sql.SQL("COPY {} FROM STDIN (FORMAT BINARY)").format(into)
        with (
            self.source.cursor() as reading,
            reading.copy(out) as rows,
            self.target.cursor() as writing,
            writing.copy(put) as taken,
        ):
            for block in rows:
                taken.write(block)

    def _verified(self) -> dict[str, int]:
        """The row counts of each table, after checking that both sides have the same keys.

        Contents were compared on arrival, and nobody else writes them at the target.
        """
        counts: dict[str, int] = {}
        for table in self.tables:
            here, there = self._keys(table)
            if here != there:
                raise StorageError(_NOT_AS_SENT.format(table.name))
            counts[table.name] = sum(rows for rows, _ in here.values())
        return counts


def _groups(connection: Connection, query: sql.Composed) -> _Groups:
    found = connection.execute(query).fetchall()
    return {row["number"]: (row["rows"], int(row["digest"])) for row in found}


def _moved_tables(
    connection: Connection, org: str, *, number: int, parts: Sequence[int], part: int
) -> list[MovedTable]:
    """The tables with rows of orgs, each after those that it refers to."""
    known: dict[str, dict[str, str]] = {}
    for row in execute(connection, "column_types", {}).fetchall():
        known.setdefault(row["table_name"], {})[row["column_name"]] = row["type"]
    tables = []
    for name in tables_in_order(connection):
        if name in _STAYS | _MADE_AGAIN or "org" not in known[name]:
            continue
        key = one_row(execute(connection, "primary_key", {"table": name}))["columns"]
        tables.append(MovedTable(name, known[name], key, org, number, parts, part))
    return tables


def _agreed(source: Connection, target: Connection, org: str, now: int) -> bool:
    """Announce the org at the target; raises the reason if it cannot be moved, False if it was
    moved before.

    In one transaction, so that nobody can create an org of that name meanwhile.
    """
    if is_pooled(source) or is_pooled(target):
        raise InvalidArgument("Give the addresses of the databases, not of a pooler.", field="to")
    with _owning(source), _owning(target):
        _refuse_unlike(source, target, org)
        if _has_gone(source, org):
            if not one_row(execute(target, "has_org", {"org": org}))["found"]:
                raise NotFound(f"The org {org} has been moved already, to another database.")
            return False
        execute(target, "lock_org", {"org": org})
        came_before = execute(target, "move_of", {"moved": org}).fetchone()
        taken = execute(target, "take_org_name", {"org": org, "now": now}).fetchone()
        if not taken and not came_before:
            raise Conflict(f"The target has an org {org} of its own.")
        execute(target, "say_arriving", {"moved": org, "now": now})
        return True


def _refuse_unlike(source: Connection, target: Connection, org: str) -> None:
    """Refuse different schemas, and moves within one database, which are detected by locks: they
    are per database, so one that is taken cannot be taken again."""
    versions = [schema_version(connection) for connection in (source, target)]
    if versions[0] != versions[1]:
        raise InvalidArgument(
            f"The databases have different schemas ({versions[0]} and {versions[1]}): run the same "
            "version of Commonplace on both, `commonplace status` brings a database up to date.",
            field="to",
        )
    for connection in (source, target):
        if not one_row(execute(connection, "claim_move", {"moved": org}))["claimed"]:
            raise InvalidArgument(
                "That is the same database, or another process is moving this org.", field="to"
            )


def _has_gone(source: Connection, org: str) -> bool:
    """Whether the org was moved before, with at most the last step missing."""
    moved = execute(source, "move_of", {"moved": org}).fetchone()
    if moved and moved["state"] != "gone":
        raise InvalidArgument(f"The org {org} is being moved to this database.", field="org")
    if not moved and not one_row(execute(source, "has_org", {"org": org}))["found"]:
        raise NotFound(f"There is no org {org} in this database.")
    return moved is not None


def _erase(connection: Connection, org: str, kept: frozenset[str] = frozenset()) -> None:
    with _owning(connection):
        parts = partitions_of(connection, org)
        execute(connection, "empty_partition", {"org": org})
        for table in reversed(tables_in_order(connection)):
            if "org" in copied_columns(connection, table) and table not in kept:
                erase_rows(connection, table, org, parts)


def _erase_source(connection: Connection, org: str) -> None:
    """Delete the source's rows, except those that say where the org has gone."""
    _erase(connection, org, kept=_KEPT_AS_TOMBSTONE)


def _place(connection: Connection) -> str:
    """Where a database is, without credentials."""
    known = connection.info
    return f"{known.host}:{known.port}/{known.dbname}"
