"""Export and import of all canonical data; an import is one transaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from commonplace.errors import InvalidArgument, NotFound
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.canonical import CanonicalTable, is_derived_row
from commonplace.model.times import Clock, to_micros
from commonplace.operations.transfer.jsonl import check_header, header, row_line
from commonplace.operations.transfer.markdown import file_name, file_text
from commonplace.operations.transfer.memory_graph import MemoryGraph
from commonplace.operations.transfer.references import ENTRIES, ORGS, FileNumbers, Row
from commonplace.operations.transfer.report import Problems, Report
from commonplace.operations.transfer.service.entry_intake import EntryIntake
from commonplace.operations.transfer.service.row_intake import RowIntake
from commonplace.storage.port.canonical import CanonicalRows, RowWriter


class _Rehearsed(Exception):
    """Rolls back the transaction of a dry run."""


class TransferService:
    """Export and import for the operator; sees every org."""

    def __init__(self, rows: CanonicalRows, clock: Clock) -> None:
        self._rows = rows
        self._clock = clock

    def lines(self, org: str | None = None) -> Iterator[str]:
        """Export all canonical rows of an org, or of all, as lines of JSON."""
        with self._rows.reading() as reader:
            numbers = FileNumbers()
            tables = reader.tables()
            _require_org(tables, reader.find, org)
            yield header(reader.schema_version)
            for table in tables:
                for row in reader.rows(table, org):
                    if not is_derived_row(table.name, row):
                        yield row_line(table, numbers.numbered(table, row))

    def files(self, org: str | None = None) -> Iterator[tuple[str, str]]:
        """Export every entry that is not deleted as a Markdown file: path and text."""
        with self._rows.reading() as reader:
            tables = reader.tables()
            _require_org(tables, reader.find, org)
            for row in reader.rows(_named(tables, ENTRIES), org):
                if row["deleted_at"] is None:
                    yield file_name(row), file_text(row)

    def erase_org(self, actor: Actor, org: str) -> int:
        """Delete everything of an org; returns the number of rows. Nobody can delete their own
        org."""
        if org in (actor.org, SYSTEM_ORG):
            raise InvalidArgument("The org that you act in cannot be deleted.", field="org")
        with self._rows.writing() as writer:
            _require_org(writer.tables(), writer.find, org)
            return writer.erase(org)

    def take_lines(self, actor: Actor, lines: Iterable[str], *, dry_run: bool) -> Report:
        """Import what `lines` exported; existing rows stay unchanged."""

        def work(writer: RowWriter) -> Report:
            intake, problems = RowIntake(writer, actor, self._now), Problems()
            for number, line in enumerate(lines, 1):
                if number == 1:
                    problems.watch(f"line {number}", check_header, line, writer.schema_version)
                    problems.stop_if_any()
                elif line.strip():
                    problems.watch(f"line {number}", intake.take, f"line {number}", line)
            problems.stop_if_any()
            for place, missing in intake.missing():
                problems.add(place, missing)
            problems.stop_if_any()
            return intake.finish()

        return self._write(work, dry_run=dry_run)

    def take_files(
        self,
        actor: Actor,
        files: Iterable[tuple[str, str]],
        read: Callable[[str, str], Row],
        *,
        dry_run: bool,
    ) -> Report:
        """Import entries from files; an entry that differs becomes a new revision."""

        def work(writer: RowWriter) -> Report:
            intake, problems = EntryIntake(writer, actor, self._now), Problems()
            for path, text in files:
                problems.watch(path, lambda p=path, t=text: intake.take(read(p, t)))
            problems.stop_if_any()
            return intake.finish()

        return self._write(work, dry_run=dry_run)

    def take_graph(self, actor: Actor, lines: Iterable[str], *, dry_run: bool) -> Report:
        """Import entries from an MCP memory server's file."""

        def work(writer: RowWriter) -> Report:
            graph, problems = MemoryGraph(), Problems()
            for number, line in enumerate(lines, 1):
                if line.strip():
                    problems.watch(f"line {number}", graph.add, line)
            problems.stop_if_any()
            intake = EntryIntake(writer, actor, self._now)
            for row in graph.rows():
                problems.watch(f"entity {row['title']}", intake.take, row)
            problems.stop_if_any()
            return intake.finish()

        return self._write(work, dry_run=dry_run)

    @property
    def _now(self) -> int:
        return to_micros(self._clock())

    def _write(self, work: Callable[[RowWriter], Report], *, dry_run: bool) -> Report:
        report = Report()
        with suppress(_Rehearsed), self._rows.writing() as writer:
            report = work(writer)
            if dry_run:
                raise _Rehearsed
        return report


def _named(tables: Iterable[CanonicalTable], name: str) -> CanonicalTable:
    return next(table for table in tables if table.name == name)


def _require_org(
    tables: Iterable[CanonicalTable],
    find: Callable[[CanonicalTable, Mapping[str, Any]], list[Row]],
    org: str | None,
) -> None:
    if org is not None and not find(_named(tables, ORGS), {"org": org}):
        raise NotFound("There is no org with that name.")
