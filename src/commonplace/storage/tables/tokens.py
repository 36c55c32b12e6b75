"""Tokens and allowances, over named statements; every canonical write adds its change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from commonplace.model.access import Allowance, Token, TokenDraft
from commonplace.model.actor import Scope
from commonplace.model.change import Operation
from commonplace.model.times import from_micros, to_micros
from commonplace.storage.session import Codec, Row, Session
from commonplace.storage.tables.entries import record_change


class TokenTable:
    """Implements port.Tokens."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def add(self, draft: TokenDraft) -> Token:
        session = self._session
        session.run(
            "insert_token",
            id=draft.id,
            token_agent=draft.agent,
            name=draft.name,
            scopes=session.codec.array(sorted(draft.scopes)),
            digest=draft.digest,
            expires_at=to_micros(draft.expires_at),
        )
        record_change(session, Operation.CREATE, "token", draft.id, 1, None)
        token = self._get(draft.id)
        assert token is not None, "it was inserted above"
        return token

    def all(self) -> list[Token]:
        session = self._session
        return [token_of(row, session.codec) for row in session.rows("tokens_of_org")]

    def revoke(self, id: str) -> Token | None:
        if self._session.run("revoke_token", id=id):
            record_change(self._session, Operation.DELETE, "token", id, 2, None)
        return self._get(id)

    def note_use(self, id: str, unless_since: datetime) -> None:
        self._session.run("note_token_use", id=id, since=to_micros(unless_since))

    def _get(self, id: str) -> Token | None:
        row = self._session.row("get_token", id=id)
        return token_of(row, self._session.codec) if row else None


class AllowanceTable:
    """Implements port.Allowances."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def limit(self, metric: str, default: int | None) -> int | None:
        row = self._session.row("allowance", metric=metric)
        return row["monthly"] if row else default

    def of(self) -> Allowance:
        session = self._session
        row = session.row("plan_of")
        plan = row["plan"] if row else None
        overrides = {r["metric"]: r["monthly"] for r in session.rows("overrides_of")}
        return Allowance(plan, self.plans().get(plan, {}) if plan else {}, overrides)

    def assign(self, plan: str | None) -> None:
        session, before = self._session, self.of()
        if plan is None:
            session.run("leave_plan")
        else:
            session.run("assign_plan", plan=plan)
        record_change(session, Operation.EDIT, "plan", session.actor.org, 1, {"plan": before.plan})

    def override(self, metric: str, monthly: int | None) -> None:
        session, before = self._session, self.of().overrides
        session.run("put_override", metric=metric, monthly=monthly)
        record_change(session, Operation.EDIT, "quota", metric, 1, before)

    def withdraw(self, metric: str) -> bool:
        before = self.of().overrides
        removed = bool(self._session.run("remove_override", metric=metric))
        if removed:
            record_change(self._session, Operation.DELETE, "quota", metric, 1, before)
        return removed

    def plans(self) -> dict[str, Mapping[str, int | None]]:
        found: dict[str, dict[str, int | None]] = {}
        for row in self._session.rows("all_plans"):
            found.setdefault(row["plan"], {})[row["metric"]] = row["monthly"]
        return dict(found)

    def define(self, plan: str, metric: str, monthly: int | None) -> None:
        self._session.run("put_plan", plan=plan, metric=metric, monthly=monthly)

    def drop(self, plan: str) -> bool:
        return bool(self._session.run("drop_plan", plan=plan))


class SessionCredentials:
    """The lookups of port.Credentials that need a session."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def by_digest(self, digest: str) -> Token | None:
        return self._token("token_by_digest", digest=digest)

    def by_id(self, id: str) -> Token | None:
        return self._token("token_by_id", id=id)

    def ever_issued(self) -> bool:
        row = self._session.row("any_token")
        return bool(row and row["found"])

    def _token(self, statement: str, **values: object) -> Token | None:
        row = self._session.row(statement, **values)
        return token_of(row, self._session.codec) if row else None


def token_of(row: Row, codec: Codec) -> Token:
    return Token(
        id=row["id"],
        org=row["org"],
        agent=row["agent"],
        name=row["name"],
        scopes=frozenset(map(Scope, codec.read_array(row["scopes"]))),
        digest=row["digest"],
        created_by=row["created_by"],
        created_at=from_micros(row["created_at"]),
        expires_at=from_micros(row["expires_at"]),
        revoked_at=from_micros(row["revoked_at"]),
        last_used_at=from_micros(row["last_used_at"]),
    )
