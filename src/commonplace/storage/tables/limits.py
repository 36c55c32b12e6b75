"""Idempotency records and quota usage, over named statements."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from commonplace.model.times import to_micros
from commonplace.storage.session import Session


class ReplayTable:
    """Implements port.Replays."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def claim(self, operation: str, token: str, until: datetime) -> Mapping[str, Any] | None:
        session = self._session
        session.run("forget_replays")
        values = {"operation": operation, "token": token}
        claimed = session.run("claim_replay", until=to_micros(until), **values)
        if claimed:
            return None
        row = session.row("get_replay", **values)
        assert row is not None, "a token that cannot be claimed has an answer"
        return session.codec.read_document(row["answer"])

    def settle(self, operation: str, token: str, answer: Mapping[str, Any]) -> None:
        encoded = self._session.codec.document(answer)
        self._session.run("settle_replay", operation=operation, token=token, answer=encoded)

    def drop(self, operation: str, token: str) -> None:
        self._session.run("drop_replay", operation=operation, token=token)


class UsageTable:
    """Implements port.Usage."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def spend(self, metric: str, period: str, limit: int | None, amount: int = 1) -> bool:
        if limit is not None and limit < amount:
            return False
        session = self._session
        given = {"metric": metric, "period": period, "limit": limit, "amount": amount}
        return bool(session.run("spend_usage", **given))

    def spend_last(self, metric: str, period: str, amount: int = 1) -> None:
        given = {"metric": metric, "period": period, "limit": None, "amount": amount}
        self._session.run_last("spend_usage", **given)

    def used(self, metric: str, period: str) -> int:
        row = self._session.row("get_usage", metric=metric, period=period)
        return row["used"] if row else 0
