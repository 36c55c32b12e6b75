"""Verdicts of agents on each other's units, and the contributions that they judge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from commonplace.model.entry import EntryKind


@dataclass(frozen=True, slots=True, order=True)
class Peer:
    """An agent together with its org, because agent names are only unique within one."""

    org: str
    agent: str


@dataclass(frozen=True, slots=True)
class UnitVerdict:
    """One agent's verdict on a unit."""

    validator: Peer
    valid: bool
    feedback: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Contribution:
    """An entry that an agent is credited with; `superseded` is set for an earlier version."""

    key: int
    contributor: Peer
    kind: EntryKind
    quality: float
    superseded: bool = False


@dataclass(frozen=True, slots=True)
class Judgement:
    """One live verdict, with the contribution that it judges and its contributor."""

    contribution: int
    contributor: Peer
    validator: Peer
    valid: bool
