"""Blobs, runs with their targets, and term statistics, over named statements."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import uuid4

from commonplace.model.change import Operation
from commonplace.model.entry import Entry
from commonplace.model.run import Run, RunKind, Target, TargetStatus
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.port import Backlog, CorpusStatistics
from commonplace.storage.session import Row, Session
from commonplace.storage.tables.entries import record_change


def backlog_of(row: Row) -> Backlog:
    return Backlog(
        chunks=row["chunks"],
        previewed=row["previewed"],
        oldest_chunk=from_micros(row["oldest_chunk"]),
        failed=row["failed"],
        targets=row["targets"],
        oldest_target=from_micros(row["oldest_target"]),
    )


class BlobTable:
    """Implements port.Blobs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, data: bytes, media_type: str) -> str:
        digest = hashlib.sha256(data).hexdigest()
        session = self._session
        # Repeated if another transaction adds or removes the same bytes in between.
        while self.missing([digest]):
            if session.run("put_blob", digest=digest, media_type=media_type, data=data):
                record_change(session, Operation.CREATE, "blob", digest, 1, None)
                break
        return digest

    def get(self, digest: str) -> bytes | None:
        row = self._session.row("get_blob", digest=digest)
        return bytes(row["data"]) if row else None

    def missing(self, digests: Sequence[str]) -> list[str]:
        rows = self._session.rows("renew_blobs", digests=self._session.codec.array(digests))
        kept = {row["digest"] for row in rows}
        return [digest for digest in dict.fromkeys(digests) if digest not in kept]

    def digests_of(self, entry: Entry) -> list[str]:
        rows = self._session.rows("digests_of_entry", entry_key=entry.key)
        return [row["digest"] for row in rows]

    def release(self, digests: Iterable[str]) -> None:
        wanted = self._session.codec.array(list(dict.fromkeys(digests)))
        if not self._session.rows("hold_blobs", digests=wanted):
            return
        for row in self._session.rows("remove_unused_blobs", digests=wanted):
            record_change(self._session, Operation.PURGE, "blob", row["digest"], 1, None)

    def sweep(self, before: datetime, limit: int) -> int:
        rows = self._session.rows("hold_unused_blobs", before=to_micros(before), limit=limit)
        self.release(row["digest"] for row in rows)
        return len(rows)


class RunTable:
    """Implements port.Runs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def start(self, kind: RunKind, subjects: Sequence[Mapping[str, Any]]) -> Run:
        session = self._session
        run_id = f"{kind.value}_{uuid4().hex}"
        row = session.row("insert_run", id=run_id, kind=kind.value)
        assert row is not None, "an insert returns its key"
        for subject in subjects:
            session.run(
                "insert_target", run_key=row["key"], subject=session.codec.document(subject)
            )
        session.announce_work()
        run = self.get(run_id)
        assert run is not None, "a run exists once it was inserted"
        return run

    def get(self, run_id: str) -> Run | None:
        row = self._session.row("get_run", id=run_id)
        return self._run(row) if row else None

    def recent(self, limit: int) -> list[Run]:
        return [self._run(row) for row in self._session.rows("recent_runs", limit=limit)]

    def claim(self, lease_until: datetime) -> Target | None:
        claimed = self._session.row("claim_target", lease_until=to_micros(lease_until))
        if claimed is None:
            return None
        row = self._session.row("get_target", key=claimed["key"])
        return self._target(row) if row else None

    def hold(self, target: Target, due: datetime) -> None:
        self._session.run("hold_target", key=target.key, due=to_micros(due))

    def give_back(self, target: Target, due: datetime) -> None:
        self._session.run("give_back_target", key=target.key, due=to_micros(due))

    def retry_failed(self) -> int:
        retried = self._session.run("retry_failed_targets")
        if retried:
            self._session.announce_work()
        return retried

    def finish(self, target: Target) -> None:
        self._settle(target, TargetStatus.DONE, None, None)

    def record_failure(self, target: Target, due: datetime | None, error: str) -> None:
        status = TargetStatus.QUEUED if due else TargetStatus.FAILED
        self._settle(target, status, due, error)

    def bring_forward(self, latest: datetime) -> None:
        if self._session.run("bring_targets_forward", latest=to_micros(latest)):
            self._session.announce_work()

    def _settle(
        self, target: Target, status: TargetStatus, due: datetime | None, error: str | None
    ) -> None:
        self._session.run(
            "settle_target", key=target.key, status=status.value, due=to_micros(due), error=error
        )

    def _run(self, row: Row) -> Run:
        targets = self._session.rows("targets_of_run", run_key=row["key"])
        return Run(
            id=row["id"],
            kind=RunKind(row["kind"]),
            agent=row["agent"],
            created_at=from_micros(row["created_at"]),
            targets=tuple(self._target(target) for target in targets),
        )

    def _target(self, row: Row) -> Target:
        return Target(
            key=row["key"],
            run_id=row["run_id"],
            kind=RunKind(row["kind"]),
            subject=self._session.codec.read_document(row["subject"]),
            status=TargetStatus(row["status"]),
            attempts=row["attempts"],
            due=from_micros(row["due"]),
            error=row["error"],
        )


class StatisticsTable:
    """Implements port.Statistics."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def load(self) -> CorpusStatistics | None:
        row = self._session.row("load_statistics")
        if row is None:
            return None
        return CorpusStatistics(
            chunks=row["chunks"],
            sampled=row["sampled"],
            average_length=row["average_length"],
            frequencies=self._session.codec.read_document(row["frequencies"]),
            counted_at=from_micros(row["counted_at"]),
        )

    def save(self, statistics: CorpusStatistics, instead_of: CorpusStatistics | None) -> None:
        session = self._session
        session.run(
            "save_statistics",
            chunks=statistics.chunks,
            sampled=statistics.sampled,
            average_length=statistics.average_length,
            frequencies=session.codec.document(statistics.frequencies),
            known=to_micros(instead_of.counted_at if instead_of else None),
        )

    def forget(self) -> None:
        self._session.run("forget_statistics")
