"""The SQL for moving one table of an org: reading the source's rows, and comparing both sides.

Only builds SQL; the move decides when and on which side to run it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from psycopg import sql

from commonplace.storage.postgres.org_rows import rows_of_org
from commonplace.storage.postgres.shifting import shifted

# The number of groups in which keys are compared; equal groups need not be sent.
_GROUPS = 4096
_AND, _COMMA = sql.SQL(" AND "), sql.SQL(", ")


@dataclass(frozen=True, slots=True)
class Side:
    """The org's rows in one database, with the values that they have at the target."""

    table: sql.Identifier
    values: Mapping[str, sql.Composable]
    rows: sql.Composable

    def listed(self, columns: Sequence[str]) -> sql.Composed:
        return _COMMA.join(self.values[column] for column in columns)


@dataclass(frozen=True, slots=True)
class MovedTable:
    """A table with its columns' types, in order; `parts` are the source's partitions."""

    name: str
    types: Mapping[str, str]
    key: Sequence[str]
    org: str
    number: int
    parts: Sequence[int]
    part: int

    @property
    def source(self) -> Side:
        values = {one: shifted(self.name, one, self.number, self.part) for one in self.types}
        rows = rows_of_org(self.name, self.org, self.parts)
        return Side(sql.Identifier(self.name), values, rows)

    @property
    def target(self) -> Side:
        name = f"{self.name}_{self.part}" if "part" in self.types else self.name
        values = {one: sql.Identifier(name, one) for one in self.types}
        table = sql.Identifier(name)
        return Side(table, values, rows_of_org(self.name, self.org, [self.part], table))

    @property
    def staged(self) -> sql.Identifier:
        return sql.Identifier(f"staged_{self.name}")

    def staging(self) -> sql.Composed:
        """Create a table for incoming rows, each with a hash of its content."""
        return sql.SQL(
            "CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {}, 0::bigint AS hash_of_row FROM {}"
            " LIMIT 0"
        ).format(self.staged, _identifiers(list(self.types)), self.target.table)

    def written(self, since: str | None) -> sql.Composed:
        """The rows written since a transaction, or all, in the form of the staging table."""
        side = self.source
        chosen = sql.SQL("SELECT {}, {} FROM {} WHERE {}").format(
            side.listed(list(self.types)), self._content(side), side.table, side.rows
        )
        if since is None:
            return chosen
        recent = sql.SQL(" AND age({}.xmin) <= age({}::xid)")
        return chosen + recent.format(side.table, sql.Literal(since))

    def upsert(self) -> sql.Composed:
        others = [column for column in self.types if column not in self.key]
        put = _COMMA.join(
            sql.SQL("{0} = excluded.{0}").format(sql.Identifier(column)) for column in others
        )
        action = sql.SQL("DO UPDATE SET {}").format(put) if others else sql.SQL("DO NOTHING")
        listed = _identifiers(list(self.types))
        return sql.SQL(
            "INSERT INTO {} ({}) OVERRIDING SYSTEM VALUE SELECT {} FROM {} ON CONFLICT ({}) {}"
        ).format(self.target.table, listed, listed, self.staged, _identifiers(self.key), action)

    def unlike(self) -> sql.Composed:
        """Count the staged rows that are not in the target as they were sent."""
        side = self.target
        return sql.SQL(
            "SELECT count(*) AS rows FROM {0} LEFT JOIN {1} ON {2}"
            " WHERE {0}.hash_of_row IS DISTINCT FROM {3}"
        ).format(self.staged, side.table, self._same_key(self.staged), self._content(side))

    def grouped_keys(self, side: Side) -> sql.Composed:
        """The number of keys and a digest for each group of keys."""
        return sql.SQL(
            "SELECT key_hash & {0} AS number, count(*) AS rows, sum(key_hash) AS digest"
            " FROM (SELECT {1} AS key_hash FROM {2} WHERE {3}) AS hashed GROUP BY 1"
        ).format(sql.Literal(_GROUPS - 1), self._key_hash(side), side.table, side.rows)

    def keys_in(self, groups: Sequence[int]) -> sql.Composed:
        side = self.source
        return sql.SQL("SELECT {} FROM {} WHERE {}").format(
            side.listed(self.key), side.table, self._among(side, groups)
        )

    def keeping(self) -> sql.Composed:
        """Create a table for incoming keys."""
        return sql.SQL("CREATE TEMP TABLE {} ON COMMIT DROP AS SELECT {} FROM {} LIMIT 0").format(
            self.staged, _identifiers(self.key), self.target.table
        )

    def removal(self, groups: Sequence[int]) -> sql.Composed:
        """Delete the target's rows, in some groups, whose keys did not come."""
        side = self.target
        return sql.SQL("DELETE FROM {} WHERE {} AND NOT EXISTS (SELECT FROM {} WHERE {})").format(
            side.table, self._among(side, groups), self.staged, self._same_key(self.staged)
        )

    def _among(self, side: Side, groups: Sequence[int]) -> sql.Composed:
        return sql.SQL("{} AND {} & {} = ANY ({})").format(
            side.rows, self._key_hash(side), sql.Literal(_GROUPS - 1), sql.Literal(list(groups))
        )

    def _same_key(self, staged: sql.Identifier) -> sql.Composed:
        table = self.target.table
        same = sql.SQL("{0}.{2} = {1}.{2}")
        return _AND.join(same.format(table, staged, sql.Identifier(one)) for one in self.key)

    def _key_hash(self, side: Side) -> sql.Composed:
        return _hash(side.listed(self.key))

    def _content(self, side: Side) -> sql.Composed:
        """A hash of a row; vectors are hashed as bytes, because formatting them would dominate the
        time."""
        short, plain = sql.SQL("encode(halfvec_send({}), 'hex')"), sql.SQL("{}")
        return _hash(
            _COMMA.join(
                (short if kind == "halfvec" else plain).format(side.values[column])
                for column, kind in self.types.items()
            )
        )


def _hash(values: sql.Composable) -> sql.Composed:
    return sql.SQL("hashtextextended(row({})::text, 0)").format(values)


def _identifiers(names: Sequence[str]) -> sql.Composed:
    return _COMMA.join(map(sql.Identifier, names))
