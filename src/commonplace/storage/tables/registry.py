"""Contributions and verdicts, over named statements."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.change import Operation
from commonplace.model.entry import Entry, EntryKind, Visibility
from commonplace.model.times import from_micros
from commonplace.model.verdict import Contribution, Judgement, Peer, UnitVerdict
from commonplace.storage.session import Row, Session
from commonplace.storage.tables.entries import record_change


class ContributionTable:
    """Implements port.Contributions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, entry: Entry, contributor: str, lineage: str | None = None) -> None:
        self._session.run(
            "insert_contribution", entry_key=entry.key, contributor=contributor, lineage=lineage
        )

    def versions(self, lineage: str) -> list[int]:
        return [row["key"] for row in self._session.rows("versions_of", lineage=lineage)]

    def contributor_of(self, entry: Entry) -> str | None:
        row = self._session.row("contribution_of", entry_key=entry.key)
        return row["contributor"] if row else None

    def of(self, contributor: str) -> list[Contribution]:
        rows = self._session.rows("contributions_of", contributor=contributor)
        return [
            Contribution(
                key=row["key"],
                contributor=Peer(row["org"], row["contributor"]),
                kind=EntryKind(row["kind"]),
                quality=row["confidence"],
                superseded=bool(row["superseded"]),
            )
            for row in rows
        ]


class VerdictTable:
    """Implements port.Verdicts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def put(self, entry: Entry, validator: Peer, *, valid: bool, feedback: str) -> None:
        self._session.run(
            "put_verdict",
            entry_key=entry.key,
            shared=entry.content.visibility is Visibility.NETWORK,
            validator_org=validator.org,
            validator=validator.agent,
            valid=valid,
            feedback=feedback,
        )

    def record(self, entry: Entry, validator: Peer, before: UnitVerdict | None) -> None:
        image = {"valid": before.valid, "feedback": before.feedback} if before else None
        operation = Operation.EDIT if before else Operation.CREATE
        entity_id = f"{entry.id}/{validator.org}/{validator.agent}"
        record_change(self._session, operation, "verdict", entity_id, entry.revision, image)

    def about(self, keys: Sequence[int]) -> dict[int, list[UnitVerdict]]:
        rows = self._session.rows("verdicts_about", keys=self._session.codec.array(keys))
        found: dict[int, list[UnitVerdict]] = {key: [] for key in keys}
        for row in rows:
            valid, at = bool(row["valid"]), from_micros(row["at"])
            verdict = UnitVerdict(_validator(row), valid, row["feedback"], at)
            found[row["entry_key"]].append(verdict)
        return found

    def readable(self) -> list[Judgement]:
        return [
            Judgement(
                contribution=row["entry_key"],
                contributor=Peer(row["org"], row["contributor"]),
                validator=_validator(row),
                valid=bool(row["valid"]),
            )
            for row in self._session.rows("readable_verdicts")
        ]


def _validator(row: Row) -> Peer:
    return Peer(row["validator_org"], row["validator"])
