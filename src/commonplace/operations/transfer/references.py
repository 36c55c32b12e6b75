"""References between rows: numbered within an export file, resolved on import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any

from commonplace.errors import InvalidArgument, StorageDamaged
from commonplace.model.canonical import KEYS_IN_JSON, UNDECLARED_REFERENCES, CanonicalTable
from commonplace.model.entry import EntryKind

Row = dict[str, Any]
ENTRIES, CHANGES, RESOURCES, ORGS = "entries", "changes", "resources", "orgs"
# Tables that only refer to some kinds of entries.
_OF_KINDS = {
    "contributions": (EntryKind.SKILL, EntryKind.UNIT),
    "verdicts": (EntryKind.UNIT,),
}


class FileNumbers:
    """Numbers keys from one in each file, so that the same rows give the same lines."""

    def __init__(self) -> None:
        self._numbers: defaultdict[str, dict[int, int]] = defaultdict(dict)

    def numbered(self, table: CanonicalTable, row: Row) -> Row:
        if table.key:
            own, key = self._numbers[table.name], row[table.key]
            own[key] = row[table.key] = len(own) + 1
        return _translated(table, row, self._number)

    def _number(self, table: CanonicalTable, column: str, referred: str, key: int) -> int | None:
        number = self._numbers[referred].get(key)
        if number is None and column not in _loose(table):
            raise StorageDamaged(f"A row of {table.name} refers to one that is not there.")
        return number


class KnownRows:
    """Maps the numbers in a file to local rows: key, org and kind."""

    def __init__(self) -> None:
        self._rows: defaultdict[str, dict[int, tuple[int, object, object]]] = defaultdict(dict)

    def add(self, table: CanonicalTable, number: object, key: int, row: Mapping[str, Any]) -> None:
        if not isinstance(number, int):
            raise InvalidArgument(f"{table.key} must be a number.", field=table.key)
        if number in self._rows[table.name]:
            raise InvalidArgument(f"{table.key} {number} is there twice.", field=table.key)
        self._rows[table.name][number] = (key, row.get("org"), row.get("kind"))

    def resolved(self, table: CanonicalTable, row: Row) -> Row:
        org = row.get("org")

        def key_of(table: CanonicalTable, column: str, referred: str, number: object) -> int:
            found = self._rows[referred].get(number) if isinstance(number, int) else None
            if found is None:
                raise InvalidArgument(f"{column} refers to nothing in this file.", field=column)
            key, owner, kind = found
            if owner != org:
                raise InvalidArgument(f"{column} refers to a row of another org.", field=column)
            kinds = _OF_KINDS.get(table.name)
            if kinds and referred == ENTRIES and kind not in kinds:
                raise InvalidArgument(f"an entry of kind {kind} has no {table.name}.", field=column)
            return key

        return _translated(table, row, key_of)


def _translated(
    table: CanonicalTable,
    row: Row,
    translate: Callable[[CanonicalTable, str, str, Any], int | None],
) -> Row:
    for column, referred in table.references.items():
        if row.get(column) is not None or column not in _loose(table):
            row[column] = translate(table, column, referred, row.get(column))
    if table.name in KEYS_IN_JSON:
        column, name, referred = KEYS_IN_JSON[table.name]
        document = row.get(column)
        if isinstance(document, dict) and document.get(name) is not None:
            key = translate(table, column, referred, document[name])
            row[column] = {**document, name: key}
    return row


def _loose(table: CanonicalTable) -> set[str]:
    """Columns whose reference may be empty or dangling."""
    return {*UNDECLARED_REFERENCES.get(table.name, {}), *KEYS_IN_JSON.get(table.name, ())[:1]}


class NamedThings:
    """References without a key: blobs by digest, projects by id."""

    def __init__(self) -> None:
        self._given: set[tuple[str, object, object]] = set()
        self._named: dict[tuple[str, object, object], str] = {}

    def see(self, place: str, table: CanonicalTable, row: Mapping[str, Any]) -> None:
        org = row.get("org")
        if table.name in _NAMES:
            self._given.add((table.name, org, row.get(_NAMES[table.name])))
        for named, name in _named_by(table, row):
            if not isinstance(name, str):
                raise InvalidArgument(f"{named} are named by text.")
            self._named.setdefault((named, org, name), place)

    def not_given(self) -> list[tuple[str, str, Row]]:
        """The references without a row in the file: place, table, and the row that is missing."""
        return [
            (place, table, {"org": org, _NAMES[table]: name})
            for (table, org, name), place in self._named.items()
            if (table, org, name) not in self._given
        ]


_NAMES = {"blobs": "digest", "projects": "id"}


def _named_by(table: CanonicalTable, row: Mapping[str, Any]) -> list[tuple[str, object]]:
    if table.name in ("resources", "documents"):
        return [("blobs", row["digest"])] if row.get("digest") else []
    if table.name == "attachments":
        return [("projects", row["project_id"])] if row.get("project_id") else []
    if table.name == ENTRIES and row.get("kind") == EntryKind.SKILL:
        attributes = row.get("attributes")
        files = attributes.get("files") if isinstance(attributes, dict) else None
        if isinstance(files, list):
            return [("blobs", f["digest"]) for f in files if isinstance(f, dict) and "digest" in f]
    return []
