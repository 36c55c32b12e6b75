"""Tokens, and what limits the use of an org."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from commonplace.model.access import Allowance, Token, TokenDraft


class Tokens(Protocol):
    """The tokens of the actor's org, each write with its change in the same transaction."""

    def add(self, draft: TokenDraft) -> Token: ...

    def all(self) -> list[Token]:
        """Oldest first; revoked and expired ones too."""
        ...

    def revoke(self, id: str) -> Token | None:
        """None when the org has no such token; a second time changes nothing."""
        ...

    def note_use(self, id: str, unless_since: datetime) -> None:
        """Remember that it is used now, unless that was noted since then."""
        ...


class Credentials(Protocol):
    """Tokens across tenants, for those who do not know yet which tenant a caller belongs to."""

    def by_digest(self, digest: str) -> Token | None: ...

    def by_id(self, id: str) -> Token | None: ...

    def ever_made(self) -> bool:
        """Whether any token was ever made, also one that is not valid any more."""
        ...

    def server_key(self) -> bytes:
        """A secret of this installation, made on first use, the same in all its processes."""
        ...


class Allowances(Protocol):
    """Plans, which all orgs may be on, and the actor's own org's plan and exceptions from it."""

    def limit(self, metric: str, default: int | None) -> int | None:
        """The exception, else what the plan says, else the default; None is no limit."""
        ...

    def of(self) -> Allowance: ...

    def assign(self, plan: str | None) -> None: ...

    def override(self, metric: str, monthly: int | None) -> None: ...

    def withdraw(self, metric: str) -> bool:
        """Take an exception back; False when there is none."""
        ...

    def plans(self) -> dict[str, Mapping[str, int | None]]: ...

    def define(self, plan: str, metric: str, monthly: int | None) -> None: ...

    def drop(self, plan: str) -> bool:
        """False when there is no such plan, or an org is still on it."""
        ...
