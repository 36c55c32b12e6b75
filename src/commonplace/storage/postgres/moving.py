"""Moving one org to another PostgreSQL database while its agents read, and nearly always write.

Everything is copied in bulk, then what was changed meanwhile, and the last of it while writers
wait. Keys that the target has given out already are avoided by adding one number to all of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from psycopg import IsolationLevel, sql
from psycopg.conninfo import conninfo_to_dict

from commonplace.errors import Conflict, InvalidArgument, NotFound, StorageError
from commonplace.model.actor import SYSTEM_ORG
from commonplace.model.moment import Clock, micros
from commonplace.storage.port.records import MoveReport
from commonplace.storage.postgres.catalogue import copied_columns, tables_in_order
from commonplace.storage.postgres.connections import (
    OWNER,
    Connection,
    act_as,
    connect,
    execute,
    gate,
    is_pooled,
    one_row,
)
from commonplace.storage.postgres.migrate import schema_version
from commonplace.storage.postgres.partitions import LARGE_ORG
from commonplace.storage.postgres.shifting import shifted

_MOST_ROUNDS = 5
FEW_ROWS = 2_000
# What stays: who may call the old server and be told, and what a plan of that server allows.
_STAYS = frozenset({"tokens", "org_plans", "org_partitions"})
# What the target's workers make of the rest: posting lists are made of keys.
_MADE_AGAIN = frozenset(
    {"reembedding_attempts", "posting_indexes", "posting_segments", "postings", "unposted"}
)
_KEPT_AS_TOMBSTONE = frozenset({"tokens", "orgs"})


class PostgresMoves:
    """Implements port.OrgMoves."""

    def __init__(self, url: str, clock: Clock) -> None:
        self._url = url
        self._clock = clock

    def move(self, org: str, to: str) -> MoveReport:
        if org == SYSTEM_ORG:
            raise InvalidArgument("The system's own rows cannot be moved.", field="org")
        with connect(self._url) as source, connect(to) as target, gate():
            gone = _look_at_both(source, target, org)
            report = MoveReport({}, 0.0)
            if not gone:
                report = _Move(source, target, org).run(micros(self._clock()), _place(to))
            with _owning(target):
                execute(target, "forget_move", {"moved": org})
                execute(target, "announce_work", {})
            _erase_source(source, org)
            return report


@contextmanager
def _owning(connection: Connection) -> Iterator[None]:
    """One transaction as the owner of the tables."""
    with connection.transaction():
        act_as(connection, OWNER)
        yield


@dataclass(slots=True)
class _Move:
    source: Connection
    target: Connection
    org: str
    tables: list[_Table] = field(default_factory=list)
    number: int = 0

    def run(self, now: int, place: str) -> MoveReport:
        self._begin(now)
        since: str | None = None
        for _ in range(_MOST_ROUNDS):
            since, rows = self._round(since)
            if rows < FEW_ROWS:
                break
        with _owning(self.source):
            execute(self.source, "lock_org", {"org": self.org})
            # From here on whoever writes for the org waits; who reads goes on.
            began = time.monotonic()
            with _owning(self.target):
                self._follow(since)
                counts = self._verified()
            execute(self.source, "say_gone", {"moved": self.org, "place": place, "now": now})
        return MoveReport(counts, time.monotonic() - began)

    def _begin(self, now: int) -> None:
        """Nobody may use the org at the target yet; what an interrupted try has left there goes."""
        with _owning(self.target):
            execute(self.target, "say_arriving", {"moved": self.org, "now": now})
        _erase(self.target, self.org)
        with _owning(self.source), _owning(self.target):
            used = one_row(execute(self.source, "largest_number", {}))["largest"]
            self.number = one_row(execute(self.target, "largest_number", {}))["largest"]
            execute(self.target, "reserve_numbers", {"up_to": self.number + used})
            part = self._partition()
            self.tables = _moved_tables(self.target, self.number, part)

    def _partition(self) -> int:
        held = execute(self.source, "counted_chunks", {"org": self.org}).fetchone()
        if held is None or held["chunks"] < LARGE_ORG:
            return 0
        for org in (SYSTEM_ORG, self.org):
            execute(self.target, "give_partition_once", {"org": org})
        execute(self.target, "make_partitions", {})
        return int(one_row(execute(self.target, "settle_partition", {"org": self.org}))["part"])

    def _round(self, since: str | None) -> tuple[str, int]:
        """All rows, or those that were written since; the moment that they are of, how many."""
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

    def _copy(self, table: _Table, since: str | None) -> int:
        staged = sql.Identifier(f"staged_{table.name}")
        self.target.execute(
            sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} LIMIT 0").format(
                staged, table.listed, table.whole
            )
        )
        chosen = sql.SQL("SELECT {} FROM {} WHERE org = {}").format(
            table.shifted, table.whole, sql.Literal(self.org)
        )
        if since is not None:
            recent = sql.SQL(" AND age({}.xmin) <= age({}::xid)")
            chosen += recent.format(table.whole, sql.Literal(since))
        self._pipe(chosen, staged)
        written = self.target.execute(table.upsert(staged)).rowcount
        self.target.execute(sql.SQL("DROP TABLE {}").format(staged))
        return written

    def _remove_gone(self, table: _Table) -> None:
        kept = sql.Identifier(f"kept_{table.name}")
        keys = sql.SQL(", ").join(map(sql.Identifier, table.key))
        self.target.execute(
            sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} LIMIT 0").format(
                kept, keys, table.whole
            )
        )
        present = sql.SQL("SELECT {} FROM {} WHERE org = {}").format(
            table.shifted_key, table.whole, sql.Literal(self.org)
        )
        self._pipe(present, kept)
        self.target.execute(sql.SQL("ANALYZE {}").format(kept))
        gone = sql.SQL("DELETE FROM {0} WHERE org = {1} AND NOT EXISTS (SELECT FROM {2} WHERE {3})")
        same = sql.SQL(" AND ").join(
            sql.SQL("{0}.{2} = {1}.{2}").format(table.whole, kept, sql.Identifier(column))
            for column in table.key
        )
        self.target.execute(gone.format(table.whole, sql.Literal(self.org), kept, same))
        self.target.execute(sql.SQL("DROP TABLE {}").format(kept))

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
        """How many rows of each table there are on both sides, the same in number and content."""
        counts: dict[str, int] = {}
        for table in self.tables:
            here = self._digest(self.source, table, table.shifted_texts)
            there = self._digest(self.target, table, table.texts)
            if here != there:
                raise StorageError(f"What arrived of {table.name} is not what was sent.")
            counts[table.name] = here[0]
        return counts

    def _digest(
        self, connection: Connection, table: _Table, texts: sql.Composable
    ) -> tuple[int, int]:
        query = sql.SQL(
            "SELECT count(*) AS rows,"
            " coalesce(sum(hashtextextended(row({})::text, 0)), 0) AS digest"
            " FROM {} WHERE org = {}"
        ).format(texts, table.whole, sql.Literal(self.org))
        row = one_row(connection.execute(query))
        return int(row["rows"]), int(row["digest"])


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the target, and how the source's rows are read for it."""

    name: str
    columns: Sequence[str]
    types: Sequence[str]
    key: Sequence[str]
    number: int
    part: int

    @property
    def whole(self) -> sql.Identifier:
        return sql.Identifier(self.name)

    @property
    def listed(self) -> sql.Composable:
        return sql.SQL(", ").join(map(sql.Identifier, self.columns))

    @property
    def shifted(self) -> sql.Composable:
        return sql.SQL(", ").join(self._shifted(column) for column in self.columns)

    @property
    def shifted_key(self) -> sql.Composable:
        return sql.SQL(", ").join(self._shifted(column) for column in self.key)

    @property
    def shifted_texts(self) -> sql.Composable:
        return self._as_texts([self._shifted(column) for column in self.columns])

    @property
    def texts(self) -> sql.Composable:
        return self._as_texts([sql.Identifier(column) for column in self.columns])

    def _shifted(self, column: str) -> sql.Composable:
        return shifted(self.name, column, self.number, self.part)

    def _as_texts(self, values: Sequence[sql.Composable]) -> sql.Composable:
        """Vectors are written as bytes: as numbers they take most of the time."""
        short = sql.SQL("encode(halfvec_send({}), 'hex')")
        pairs = zip(values, self.types, strict=True)
        return sql.SQL(", ").join(
            short.format(value) if kind == "halfvec" else value for value, kind in pairs
        )

    def upsert(self, staged: sql.Identifier) -> sql.Composed:
        into = f"{self.name}_{self.part}" if "part" in self.columns else self.name
        others = [column for column in self.columns if column not in self.key]
        put = sql.SQL(", ").join(
            sql.SQL("{0} = excluded.{0}").format(sql.Identifier(column)) for column in others
        )
        action = sql.SQL("DO UPDATE SET {}").format(put) if others else sql.SQL("DO NOTHING")
        return sql.SQL(
            "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {} ON CONFLICT ({}) {}"
        ).format(
            sql.Identifier(into),
            self.listed,
            self.listed,
            staged,
            sql.SQL(", ").join(map(sql.Identifier, self.key)),
            action,
        )


def _moved_tables(connection: Connection, number: int, part: int) -> list[_Table]:
    """Those that have rows of orgs, each behind what it refers to."""
    known: dict[str, dict[str, str]] = {}
    for row in execute(connection, "column_types", {}).fetchall():
        known.setdefault(row["table_name"], {})[row["column_name"]] = row["type"]
    tables = []
    for name in tables_in_order(connection):
        if name in _STAYS | _MADE_AGAIN or "org" not in known[name]:
            continue
        columns = copied_columns(connection, name)
        types = [known[name][column] for column in columns]
        key = one_row(execute(connection, "primary_key", {"table": name}))["columns"]
        tables.append(_Table(name, columns, types, key, number, part))
    return tables


def _look_at_both(source: Connection, target: Connection, org: str) -> bool:
    """Whether the org has gone already, and only the end is missing; or why it cannot be moved."""
    if is_pooled(source) or is_pooled(target):
        raise InvalidArgument("Give the addresses of the databases, not of a pooler.", field="to")
    with _owning(source), _owning(target):
        _refuse_unlike(source, target, org)
        return execute(source, "move_of", {"moved": org}).fetchone() is not None


def _refuse_unlike(source: Connection, target: Connection, org: str) -> None:
    """Locks are of one database: who has a lock already and cannot take it is in the same one."""
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
                "That is the same database, or somebody else is moving this org.", field="to"
            )
    here, there = (
        bool(one_row(execute(connection, "has_org", {"org": org}))["found"])
        for connection in (source, target)
    )
    gone, arriving = (
        execute(connection, "move_of", {"moved": org}).fetchone() for connection in (source, target)
    )
    if gone and gone["state"] != "gone":
        raise InvalidArgument(f"The org {org} is being moved to this database.", field="org")
    if not here and not gone:
        raise NotFound(f"There is no org {org} in this database.")
    if gone and not there:
        raise NotFound(f"The org {org} has been moved already, to another database.")
    if there and not arriving and not gone:
        raise Conflict(f"The target has an org {org} of its own.")


def _erase(connection: Connection, org: str, kept: frozenset[str] = frozenset()) -> None:
    with _owning(connection):
        execute(connection, "empty_partition", {"org": org})
        for table in reversed(tables_in_order(connection)):
            if "org" in copied_columns(connection, table) and table not in kept:
                command = sql.SQL("DELETE FROM {} WHERE org = %s").format(sql.Identifier(table))
                connection.execute(command, [org])


def _erase_source(connection: Connection, org: str) -> None:
    """What the old server needs to say where the org has gone stays."""
    _erase(connection, org, kept=_KEPT_AS_TOMBSTONE)


def _place(url: str) -> str:
    """Where a database is, without what opens it."""
    known = conninfo_to_dict(url)
    return f"{known.get('host', '')}:{known.get('port', '')}/{known.get('dbname', '')}"
