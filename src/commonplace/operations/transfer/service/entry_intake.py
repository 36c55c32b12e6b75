"""Import of entries from files that people or other servers wrote."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from commonplace.errors import InvalidArgument
from commonplace.model.canonical import CanonicalTable
from commonplace.model.change import Operation
from commonplace.operations.transfer.entries import CONTENT, checked_row
from commonplace.operations.transfer.references import ENTRIES, ORGS, Row
from commonplace.operations.transfer.service.intake import Intake

_STEP = 1000  # microseconds by which a changed entry's time is advanced, at least


class EntryIntake(Intake):
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
