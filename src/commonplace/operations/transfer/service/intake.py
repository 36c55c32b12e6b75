"""The common part of all imports: change records and follow-up work."""

from __future__ import annotations

from collections import defaultdict

from commonplace.model.actor import Actor
from commonplace.model.change import Operation
from commonplace.model.run import RunKind
from commonplace.operations.transfer.references import CHANGES, Row
from commonplace.operations.transfer.report import Report
from commonplace.storage.port.canonical import RowWriter

_BATCH = 50


class Intake:
    """Writes the records of an import and queues the work that it leaves."""

    def __init__(self, writer: RowWriter, actor: Actor, now: int) -> None:
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
