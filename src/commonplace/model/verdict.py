"""Verdicts of agents on each other's units, and what an agent has contributed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from commonplace.model.entry import EntryKind


@dataclass(frozen=True, slots=True, order=True)
class Peer:
    """An agent as others know it: its name means something only together with its org."""

    org: str
    agent: str


@dataclass(frozen=True, slots=True)
class UnitVerdict:
    """What one agent found of a unit."""

    validator: Peer
    valid: bool
    feedback: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an agent is credited with; `superseded` marks an earlier version of something."""

    key: int
    contributor: Peer
    kind: EntryKind
    quality: float
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """One live verdict, with what it is about and whose work that is."""

    contribution: int
    contributor: Peer
    validator: Peer
    valid: bool
