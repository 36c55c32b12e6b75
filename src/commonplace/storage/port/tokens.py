"""The ports for tokens and for an org's allowances."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from commonplace.model.access import Allowance, Token, TokenDraft


class Tokens(Protocol):
    """Tokens of the actor's org. Each write adds its change in the same transaction."""

    def add(self, draft: TokenDraft) -> Token: ...

    def all(self) -> list[Token]:
        """All tokens, oldest first, including revoked and expired ones."""
        ...

    def revoke(self, id: str) -> Token | None:
        """Revoke a token; None if the org has none with that id. Revoking twice changes nothing."""
        ...

    def note_use(self, id: str, unless_since: datetime) -> None:
        """Record that the token is being used, unless that was recorded after `unless_since`."""
        ...


class Credentials(Protocol):
    """Tokens of all orgs, for authentication: the caller's org is not known yet."""

    def by_digest(self, digest: str) -> Token | None: ...

    def by_id(self, id: str) -> Token | None: ...

    def ever_issued(self) -> bool:
        """Whether any token was ever created, valid or not."""
        ...

    def server_key(self) -> bytes:
        """A secret of this installation, created on first use and shared by all its processes."""
        ...


class Allowances(Protocol):
    """Plans, which are the same for all orgs, and the actor's own org's plan and exceptions."""

    def limit(self, metric: str, default: int | None) -> int | None:
        """The org's exception, else its plan's limit, else the default; None means no limit."""
        ...

    def of(self) -> Allowance: ...

    def assign(self, plan: str | None) -> None: ...

    def override(self, metric: str, monthly: int | None) -> None: ...

    def withdraw(self, metric: str) -> bool:
        """Remove an exception; False if there is none."""
        ...

    def plans(self) -> dict[str, Mapping[str, int | None]]: ...

    def define(self, plan: str, metric: str, monthly: int | None) -> None: ...

    def drop(self, plan: str) -> bool:
        """Delete a plan; False if it does not exist or an org uses it."""
        ...
