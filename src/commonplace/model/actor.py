"""Who is calling: an agent acting in an org, with what it may do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

SYSTEM_ORG = "system"


class Scope(StrEnum):
    READ = "knowledge:read"
    WRITE = "knowledge:write"
    WRITE_OTHERS = "knowledge:write_others"
    AUDIT = "audit:read"
    ADMIN = "admin"


ALL_SCOPES = frozenset(Scope)
# Of an agent that comes without a token: it is not the person whose machine it is.
AGENT_SCOPES = ALL_SCOPES - {Scope.WRITE_OTHERS}


@dataclass(frozen=True, slots=True)
class Actor:
    """One caller of one call; `client` is the program it speaks through."""

    org: str
    agent: str
    scopes: frozenset[Scope] = ALL_SCOPES
    client: str = "commonplace"


def upkeep_actor(org: str) -> Actor:
    """The actor of background work inside one org."""
    return Actor(org=org, agent="upkeep", client="worker")
