"""Import of exported rows: any table, with history."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.canonical import CanonicalTable
from commonplace.model.change import Operation
from commonplace.operations.transfer.entries import CONTENT, checked_row
from commonplace.operations.transfer.jsonl import read_line
from commonplace.operations.transfer.references import (
    CHANGES,
    ENTRIES,
    RESOURCES,
    KnownRows,
    NamedThings,
    Row,
)
from commonplace.operations.transfer.report import Report
from commonplace.operations.transfer.service.intake import Intake
from commonplace.storage.port.canonical import RowWriter


class RowIntake(Intake):
    """Imports rows of any table with their history, if they do not exist yet."""

    def __init__(self, writer: RowWriter, actor: Actor, now: int) -> None:
        super().__init__(writer, actor, now)
        self._referred = {name for t in self._tables.values() for name in t.references.values()}
        self._known_rows = KnownRows()
        self._named = NamedThings()
        self._had_history: dict[tuple[str, ...], bool] = {}
        self._orgs: set[str] = set()

    def take(self, place: str, line: str) -> None:
        table, row = read_line(self._tables, line)
        if table.name == ENTRIES:
            _require_columns(row)
            row["tags"] = checked_row(row)["tags"]
        number = row.pop(table.key, None) if table.key else None
        row = self._known_rows.resolved(table, row)
        self._named.see(place, table, row)
        key = self._add_or_keep(table, row)
        if number is not None and key is not None and table.name in self._referred:
            self._known_rows.add(table, number, key, row)

    def missing(self) -> Iterator[tuple[str, str]]:
        """References by digest or id to rows that are neither in the file nor here."""
        for place, table, wanted in self._named.not_given():
            if not self._writer.find(self._tables[table], wanted):
                yield place, f"it names something of {table} that is not in this file."

    def finish(self) -> Report:
        """Besides the imported changes, record the import itself."""
        for org in sorted(self._orgs):
            self._record(org, Operation.CREATE, "import", f"jsonl/{self._now}", 1, None)
        return super().finish()

    def _add_or_keep(self, table: CanonicalTable, row: Row) -> int | None:
        report = self._report
        if table.name == CHANGES and self._has_history(row):
            report.unchanged[table.name] += 1
            return None
        known = self._known(table, row)
        if known is not None:
            said = set(table.exported_columns) & row.keys()
            same = all(known[column] == row[column] for column in said)
            (report.unchanged if same else report.kept)[table.name] += 1
            return known[table.key] if table.key else None
        key = self._writer.insert(table, row)
        report.added[table.name] += 1
        self._orgs.add(row["org"])
        if key is not None and row.get("deleted_at") is None:
            if table.name == ENTRIES:
                self._entries[row["org"]].append(key)
            elif table.name == RESOURCES:
                of_documents = row.get("knowledge_type") is None
                waiting = self._sources if of_documents else self._attached
                waiting[row["org"]].append(row["id"])
        return key

    def _has_history(self, row: Row) -> bool:
        """Whether the entity had a history here before; two histories are never merged."""
        names = ("org", "entity", "entity_id")
        entity = tuple(str(row.get(name)) for name in names)
        if entity not in self._had_history:
            where = {name: row.get(name) for name in names}
            self._had_history[entity] = bool(self._writer.find(self._tables[CHANGES], where))
        return self._had_history[entity]

    def _known(self, table: CanonicalTable, row: Row) -> Row | None:
        if table.name == CHANGES:
            return None
        for columns in table.unique:
            where = {column: row.get(column) for column in columns}
            if None not in where.values() and (found := self._writer.find(table, where)):
                return found[0]
        if table.unique:
            return None
        plain = {column: value for column, value in row.items() if column in table.plain}
        for found_row in self._writer.find(table, plain):
            if all(_comparable(found_row[c]) == _comparable(v) for c, v in row.items()):
                return found_row
        return None


def _comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _require_columns(row: Mapping[str, Any]) -> None:
    if missing := [name for name in ("org", "id", "kind", *CONTENT) if name not in row]:
        raise InvalidArgument(f"the entry lacks {missing[0]}.", field=missing[0])
