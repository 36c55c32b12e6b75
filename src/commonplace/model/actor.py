"""The caller: an agent that acts in an org, with its scopes."""

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
# Scopes of an agent without a token: it is not the person who owns the machine.
AGENT_SCOPES = ALL_SCOPES - {Scope.WRITE_OTHERS}


@dataclass(frozen=True, slots=True)
class Actor:
    """The caller of one call; `client` is the program that the agent uses."""

    org: str
    agent: str
    scopes: frozenset[Scope] = ALL_SCOPES
    client: str = "commonplace"


def upkeep_actor(org: str) -> Actor:
    """The actor of background work inside one org."""
    return Actor(org=org, agent="upkeep", client="worker")
