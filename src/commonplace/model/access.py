"""Tokens and what they grant, and how much of something an org may use in a month."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from commonplace.model.actor import Actor, Scope


@dataclass(frozen=True, slots=True)
class TokenDraft:
    """A token as it is stored: what the caller shows is known by its digest only."""

    id: str
    agent: str
    name: str
    scopes: frozenset[Scope]
    digest: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Token:
    """`last_used_at` is written now and then, not at each call."""

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
    """Whom a request speaks for, and under which name its calls are counted.

    `from_issuer`: whoever bears it got it from an issuer, and can ask there for more scopes.
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
    """So many in so many seconds: a bucket of that size which fills up evenly."""

    size: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """What an org may use in a month by metric; None stands for as much as it likes."""

    plan: str | None
    by_plan: Mapping[str, int | None]
    overrides: Mapping[str, int | None]
