"""Export and import of all canonical data; an import is one transaction."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from commonplace.errors import Conflict, InvalidArgument, NotFound, StorageError
from commonplace.model.actor import SYSTEM_ORG, Actor
from commonplace.model.change import Operation
from commonplace.model.moment import Clock, micros
from commonplace.model.records import CanonicalTable, is_derived_row
from commonplace.model.run import RunKind
from commonplace.operations.transfer.entries import CONTENT, checked_row
from commonplace.operations.transfer.jsonl import check_header, header, read_line, row_line
from commonplace.operations.transfer.markdown import file_name, file_text
from commonplace.operations.transfer.memory_graph import MemoryGraph
from commonplace.operations.transfer.references import (
    ENTRIES,
    FileNumbers,
    KnownRows,
    NamedThings,
    Row,
)
from commonplace.operations.transfer.report import Problem, Report, refusal
from commonplace.storage.port.records import Records, RecordWriter

CHANGES, RESOURCES, ORGS = "changes", "resources", "orgs"
_BATCH = 50
_STEP = 1000  # microseconds by which a changed entry's time is advanced, at least


class _Rehearsed(Exception):
    """Rolls back the transaction of a dry run."""


class TransferService:
    """Export and import for the operator; sees every org."""

    def __init__(self, records: Records, clock: Clock) -> None:
        self._records = records
        self._clock = clock

    def lines(self, org: str | None = None) -> Iterator[str]:
        """Export all canonical rows of an org, or of all, as lines of JSON."""
        with self._records.reading() as reader:
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
        with self._records.reading() as reader:
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
        with self._records.writing() as writer:
            _require_org(writer.tables(), writer.find, org)
            return writer.erase(org)

    def take_lines(self, actor: Actor, lines: Iterable[str], *, dry_run: bool) -> Report:
        """Import what `lines` exported; existing rows stay unchanged."""

        def work(writer: RecordWriter) -> Report:
            intake, problems = _RowIntake(writer, actor, self._now), _Problems()
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

        def work(writer: RecordWriter) -> Report:
            intake, problems = _EntryIntake(writer, actor, self._now), _Problems()
            for path, text in files:
                problems.watch(path, lambda p=path, t=text: intake.take(read(p, t)))
            problems.stop_if_any()
            return intake.finish()

        return self._write(work, dry_run=dry_run)

    def take_graph(self, actor: Actor, lines: Iterable[str], *, dry_run: bool) -> Report:
        """Import entries from an MCP memory server's file."""

        def work(writer: RecordWriter) -> Report:
            graph, problems = MemoryGraph(), _Problems()
            for number, line in enumerate(lines, 1):
                if line.strip():
                    problems.watch(f"line {number}", graph.add, line)
            problems.stop_if_any()
            intake = _EntryIntake(writer, actor, self._now)
            for row in graph.rows():
                problems.watch(f"entity {row['title']}", intake.take, row)
            problems.stop_if_any()
            return intake.finish()

        return self._write(work, dry_run=dry_run)

    @property
    def _now(self) -> int:
        return micros(self._clock())

    def _write(self, work: Callable[[RecordWriter], Report], *, dry_run: bool) -> Report:
        report = Report()
        with suppress(_Rehearsed), self._records.writing() as writer:
            report = work(writer)
            if dry_run:
                raise _Rehearsed
        return report


class _Problems:
    """Collects problems with their places instead of stopping at the first one."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def watch(self, place: str, work: Callable[..., None], *given: object) -> None:
        try:
            work(*given)
        except InvalidArgument as error:
            self.add(place, error.message)
        except StorageError as error:
            # After an error of the database, the transaction can no longer be used.
            if type(error) is not StorageError:
                raise
            self.add(place, "the database rejects a value.")
            self.stop_if_any()
        except Conflict:
            self.add(place, "it conflicts with an existing row.")
            self.stop_if_any()

    def add(self, place: str, message: str) -> None:
        self._found.append(Problem(place, message))

    def stop_if_any(self) -> None:
        if self._found:
            raise refusal(self._found)


class _Intake:
    """The common part of all imports: change records and follow-up work."""

    def __init__(self, writer: RecordWriter, actor: Actor, now: int) -> None:
        self._writer = writer
        self._actor = actor
        self._now = now
        self._tables = {table.name: table for table in writer.tables()}
        self._report = Report()
        self._entries: defaultdict[str, list[int]] = defaultdict(list)
        self._sources: defaultdict[str, list[str]] = defaultdict(list)
        self._attached: defaultdict[str, list[str]] = defaultdict(list)

    def finish(self) -> Report:
        """Queue the work that rebuilds derived data."""
        for org, keys in self._entries.items():
            batches = [{"keys": keys[at : at + _BATCH]} for at in range(0, len(keys), _BATCH)]
            self._writer.queue(org, self._actor.agent, RunKind.REBUILD.value, batches)
        for org, ids in self._sources.items():
            subjects = [{"source": id, "anew": True} for id in ids]
            self._writer.queue(org, self._actor.agent, RunKind.SOURCE.value, subjects)
        for org, ids in self._attached.items():
            subjects = [{"resource": id, "anew": False, "whole": True} for id in ids]
            self._writer.queue(org, self._actor.agent, RunKind.INGEST.value, subjects)
        return self._report

    def _record(
        self,
        org: str,
        operation: Operation,
        entity: str,
        id: str,
        revision: int,
        before: Row | None,
    ) -> None:
        self._writer.insert(
            self._tables[CHANGES],
            {
                "org": org,
                "agent": self._actor.agent,
                "client": self._actor.client,
                "at": self._now,
                "operation": operation.value,
                "entity": entity,
                "entity_id": id,
                "revision": revision,
                "before": before,
            },
        )


class _RowIntake(_Intake):
    """Imports rows of any table with their history, if they do not exist yet."""

    def __init__(self, writer: RecordWriter, actor: Actor, now: int) -> None:
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


class _EntryIntake(_Intake):
    """Imports entries by id: adds them, or revises those whose content differs."""

    def take(self, given: Row) -> None:
        row = checked_row({"org": self._actor.org, **given})
        if not isinstance(row["org"], str) or not row["org"]:
            raise InvalidArgument("org must be text.", field="org")
        table = self._tables[ENTRIES]
        identity = {name: row[name] for name in ("org", "id", "kind")}
        found = self._writer.find(table, identity)
        if not found:
            self._add(table, row)
        elif all(found[0][name] == row[name] for name in CONTENT):
            self._report.unchanged[ENTRIES] += 1
        elif found[0]["deleted_at"] is not None:
            self._report.kept[ENTRIES] += 1
        else:
            self._revise(table, found[0], row)

    def _add(self, table: CanonicalTable, row: Row) -> None:
        self._ensure_org(row["org"])
        defaults = {
            "agent": self._actor.agent,
            "revision": 1,
            "created_at": self._now,
            "updated_at": row.get("created_at") or self._now,
            "deleted_at": None,
            "superseded_by": None,
            "head": None,
        }
        whole = {**defaults, **{name: v for name, v in row.items() if name in table.columns}}
        if isinstance(whole["revision"], bool) or not isinstance(whole["revision"], int):
            raise InvalidArgument("revision must be a number.", field="revision")
        key = self._writer.insert(table, whole)
        assert key is not None, "entries are numbered"
        self._record(
            row["org"], Operation.CREATE, "entry", _entity(row), int(whole["revision"]), None
        )
        self._entries[row["org"]].append(key)
        self._report.added[ENTRIES] += 1

    def _revise(self, table: CanonicalTable, before: Row, row: Row) -> None:
        if row.get("revision", before["revision"]) != before["revision"]:
            raise InvalidArgument(
                f"the entry is at revision {before['revision']} and the file at "
                f"{row['revision']}: export it again, or remove the revision from the file."
            )
        revision = before["revision"] + 1
        changed = {name: row[name] for name in CONTENT}
        changed |= {
            "revision": revision,
            "updated_at": max(self._now, before["updated_at"] + _STEP),
        }
        self._writer.update(table, before["key"], changed)
        image = {n: before[n] for n in (*CONTENT, "deleted_at", "superseded_by", "head")}
        image["resource"] = before["resource_key"]
        self._record(row["org"], Operation.EDIT, "entry", _entity(row), revision, image)
        self._entries[row["org"]].append(before["key"])
        self._report.changed[ENTRIES] += 1

    def _ensure_org(self, org: str) -> None:
        if not self._writer.find(self._tables[ORGS], {"org": org}):
            self._writer.insert(self._tables[ORGS], {"org": org, "created_at": self._now})


def _entity(row: Mapping[str, Any]) -> str:
    return f"{row['kind']}/{row['id']}"


def _comparable(value: Any) -> Any:
    return bytes(value) if isinstance(value, memoryview) else value


def _require_columns(row: Mapping[str, Any]) -> None:
    if missing := [name for name in ("org", "id", "kind", *CONTENT) if name not in row]:
        raise InvalidArgument(f"the entry lacks {missing[0]}.", field=missing[0])


def _named(tables: Iterable[CanonicalTable], name: str) -> CanonicalTable:
    return next(table for table in tables if table.name == name)


def _require_org(
    tables: Iterable[CanonicalTable],
    find: Callable[[CanonicalTable, Mapping[str, Any]], list[Row]],
    org: str | None,
) -> None:
    if org is not None and not find(_named(tables, ORGS), {"org": org}):
        raise NotFound("There is no org with that name.")
