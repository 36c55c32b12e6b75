"""Parameters and results of the registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.model.entry import Visibility
from commonplace.model.verdict import Peer

# The longest label: of an agent, a unit or a domain.
MAX_LABEL = 500


@dataclass(frozen=True, slots=True)
class Contributed:
    """The result of a contribution: who can read it, and which earlier versions it replaced."""

    id: str
    quality: float
    warnings: tuple[str, ...]
    readable_by: Visibility
    replaces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RegistryQuery:
    """A search request; None and empty match anything."""

    query: str
    limit: int
    min_quality: float
    domain: str | None = None
    tags: Sequence[str] = ()
    types: Sequence[str] = ()
    schema_version: str | None = None


@dataclass(frozen=True, slots=True)
class GivenVerdict:
    """A verdict as given."""

    validator: Peer
    valid: bool
    feedback: str


@dataclass(frozen=True, slots=True)
class Reputation:
    score: float
    contributions: int
