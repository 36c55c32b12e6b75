"""Tokens and what they grant; rates; monthly allowances of an org."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from commonplace.model.actor import Actor, Scope


@dataclass(frozen=True, slots=True)
class TokenDraft:
    """A token about to be stored; of the secret itself, only a digest is kept."""

    id: str
    agent: str
    name: str
    scopes: frozenset[Scope]
    digest: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Token:
    """A stored token. `last_used_at` is updated now and then, not on every call."""

    id: str
    org: str
    agent: str
    name: str
    scopes: frozenset[Scope]
    digest: str = field(repr=False)
    created_by: str
    created_at: datetime
    expires_at: datetime | None = None
    revoked_at: datetime | None = None
    last_used_at: datetime | None = None

    def valid_at(self, moment: datetime) -> bool:
        expired = self.expires_at is not None and self.expires_at <= moment
        return self.revoked_at is None and not expired


@dataclass(frozen=True, slots=True)
class Grant:
    """What a request may do: its org, agent and scopes, and the name its calls are counted under.

    `from_issuer` is set if an OAuth issuer granted it, where the client can request more scopes.
    """

    org: str
    agent: str
    scopes: frozenset[Scope]
    counted_as: str
    from_issuer: bool = False

    def actor(self, client: str) -> Actor:
        return Actor(self.org, self.agent, self.scopes, client)


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate limit: a bucket of `size` calls that refills evenly over `seconds`."""

    size: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """An org's monthly limits by metric; None means unlimited."""

    plan: str | None
    by_plan: Mapping[str, int | None]
    overrides: Mapping[str, int | None]
