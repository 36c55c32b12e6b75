"""Questions and call counts, over named statements."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from commonplace.model.activity import AskedQuestion, CallCount, Outcome, QuestionDraft
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import Codec, Row, Session

# Greater than every key.
_LAST_KEY = 2**62


class QuestionTable:
    """Implements port.Questions."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, drafts: Iterable[QuestionDraft]) -> None:
        array = self._session.codec.array
        self._session.run_many(
            "insert_question",
            [
                {
                    "asker": draft.agent,
                    "client": draft.client,
                    "at": to_micros(draft.at),
                    "tool": draft.tool,
                    "question": draft.question,
                    "outcome": draft.outcome.value,
                    "given": array(draft.given),
                }
                for draft in drafts
            ],
        )

    def newest(
        self, limit: int, before: int | None = None, outcome: Outcome | None = None
    ) -> list[AskedQuestion]:
        start = _LAST_KEY if before is None else before
        if outcome is None:
            rows = self._session.rows("questions_before", before=start, limit=limit)
        else:
            rows = self._session.rows(
                "questions_ended_so", before=start, limit=limit, outcome=outcome.value
            )
        return [_question(row, self._session.codec) for row in rows]

    def get(self, key: int) -> AskedQuestion | None:
        row = self._session.row("get_question", key=key)
        return _question(row, self._session.codec) if row else None

    def tally(self, since: datetime) -> dict[Outcome, int]:
        rows = self._session.rows("tally_questions", since=to_micros(since))
        return {Outcome(row["outcome"]): row["times"] for row in rows}

    def forget(self, before: datetime) -> None:
        self._session.run("forget_questions", before=to_micros(before))


class CallCountTable:
    """Implements port.CallCounts."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, counts: Iterable[CallCount]) -> None:
        self._session.run_many(
            "add_calls",
            [
                {
                    "hour": to_micros(one.hour),
                    "tool": one.tool,
                    "status": one.status,
                    "step": one.step,
                    "count": one.count,
                }
                for one in counts
            ],
        )

    def since(self, hour: datetime) -> list[CallCount]:
        rows = self._session.rows("calls_since", since=to_micros(hour))
        return [
            CallCount(from_micros(r["hour"]), r["tool"], r["status"], r["step"], r["count"])
            for r in rows
        ]

    def forget(self, before: datetime) -> None:
        self._session.run("forget_calls", before=to_micros(before))


def _question(row: Row, codec: Codec) -> AskedQuestion:
    return AskedQuestion(
        key=row["key"],
        agent=row["agent"],
        client=row["client"],
        at=from_micros(row["at"]),
        tool=row["tool"],
        question=row["question"],
        outcome=Outcome(row["outcome"]),
        given=tuple(codec.read_array(row["given"])),
    )
