"""What a generated run is made of: who does what, in which order, and what each step leaves behind.

Steps are symbols: the same ones can be done in several worlds, or some of them left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias
from uuid import UUID

from commonplace.model.actor import Scope

PLACES = (("ws-1", None), ("ws-1", "sp-1"), ("ws-1", "sp-2"), ("ws-2", None), ("ws-2", "sp-1"))
PROJECTS = ("atlas", "borealis")
_READING = Scope.READ.value


@dataclass(frozen=True, slots=True)
class Agent:
    org: str
    name: str
    scopes: str = ""


# Two orgs have an agent of the same name; one agent may only read; one may change what others own.
AGENTS = (
    Agent("acme", "alice"),
    Agent("acme", "bob"),
    Agent("acme", "reader", _READING),
    Agent("umbrella", "alice"),
    Agent("umbrella", "carol", ",".join(Scope)),
    Agent("press", "dora"),
)
ORGS = tuple(dict.fromkeys(agent.org for agent in AGENTS))


@dataclass(frozen=True, slots=True)
class Observer:
    """One agent, or all agents of an org together, who hide nothing from each other then."""

    agents: tuple[Agent, ...]


OBSERVERS = (
    *(Observer(tuple(agent for agent in AGENTS if agent.org == org)) for org in ORGS),
    *(Observer((agent,)) for agent in AGENTS),
)


class Shape(StrEnum):
    """The kinds of ids that there are."""

    NOTE = "note"
    ITEM = "item"
    UNIT = "unit"
    SKILL = "skill"
    SOURCE = "source"
    REVIEW = "review"
    RECORD = "record"


@dataclass(frozen=True, slots=True)
class Ref:
    """The id that came of an earlier step; a made-up one where that step was never done."""

    step: int
    shape: Shape

    @property
    def made_up(self) -> str:
        number = UUID(int=self.step + 1)
        return {
            Shape.NOTE: str(number),
            Shape.ITEM: f"ki-{self.step:013d}-madeup",
            Shape.UNIT: f"kp:trace:{number}",
            Shape.SKILL: f"kp:skill:{number}",
            Shape.SOURCE: f"ks_{number.hex}",
            Shape.REVIEW: f"rv-{self.step:013d}-madeup",
            Shape.RECORD: f"ent_{number.hex}",
        }[self.shape]


class Reach(StrEnum):
    """Who may see what a step leaves behind."""

    AGENT = "private"
    ORG = "org"
    EVERYONE = "network"


@dataclass(frozen=True, slots=True)
class Trace:
    """What a step leaves behind: who may see it, under which id, and where it is.

    `seal` is a word that nobody ever asks for: whoever is shown it was shown the content.
    """

    shape: Shape
    reach: Reach
    seal: str
    id: str | None = None
    workspace: str | None = None
    space: str | None = None
    project: str | None = None


Arguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that one agent does."""

    number: int
    agent: Agent
    action: str
    arguments: Arguments = field(default_factory=dict)
    trace: Trace | None = None

    @property
    def refs(self) -> list[Ref]:
        return _refs_in(self.arguments)


def _refs_in(value: Any) -> list[Ref]:
    if isinstance(value, Ref):
        return [value]
    parts = value.values() if isinstance(value, Mapping) else value
    if isinstance(value, str) or not hasattr(parts, "__iter__"):
        return []
    return [ref for part in parts for ref in _refs_in(part)]
