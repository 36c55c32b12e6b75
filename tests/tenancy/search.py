"""Looks for leaks in generated runs, and makes a run in which one was found as short as possible.

A run is done as a whole, and without all that an observer may not see, who must be sent the same:
so a difference in a score, a count or an error is found as well as a text in the wrong hands.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from commonplace.surfaces.catalog import ALL_SURFACES
from tests.tenancy import generators
from tests.tenancy.model import concerns, hidden_subject, leaked
from tests.tenancy.steps import AGENTS, ORGS, Agent, Observer, Step
from tests.tenancy.world import OpenWorld, observed, refused
from tests.tenancy.writing import Scene

_BETWEEN_WORK = 13
_FAVOUR = 8
_MOST_TRIALS = 150


@dataclass(frozen=True, slots=True)
class Leak:
    """An answer that says too much."""

    step: Step
    reason: str

    def __str__(self) -> str:
        who = f"{self.step.agent.org}/{self.step.agent.name}"
        return f"{who} at step {self.step.number} ({self.step.action}): {self.reason}"


def generated(seed: int, length: int, favoured: Collection[str] = ()) -> list[Step]:
    """So many calls of agents, with background work in between; of some tools more than usual."""
    random = Random(seed)
    offered = {tool.name for surface in ALL_SURFACES for tool in surface.load().tools}
    names = [n for n in generators.GENERATORS if n in offered or n in generators.BESIDES]
    weights = [
        generators.OFTEN.get(name, 1) * (_FAVOUR if name in favoured else 1) for name in names
    ]
    steps: list[Step] = []
    for number in range(length):
        agent, action = random.choice(AGENTS), random.choices(names, weights)[0]
        steps.append(_step(random, agent, action, len(steps), steps))
        if number % _BETWEEN_WORK == _BETWEEN_WORK - 1:
            steps += _background(random, steps)
    return steps


def _step(random: Random, agent: Agent, action: str, number: int, past: Sequence[Step]) -> Step:
    scene = Scene(random, agent, number, past)
    arguments = generators.GENERATORS[action](scene)
    return Step(number, agent, action, arguments, scene.trace)


def _background(random: Random, past: Sequence[Step]) -> list[Step]:
    """Each org writes something, so that its words are counted again in every world."""
    first = {org: next(agent for agent in AGENTS if agent.org == org) for org in ORGS}
    steps: list[Step] = []
    for agent in first.values():
        number = len(past) + len(steps)
        steps.append(_step(random, agent, "capture_knowledge", number, [*past, *steps]))
    return [*steps, Step(len(past) + len(steps), AGENTS[0], generators.WORK)]


def leak_in(open_world: OpenWorld, steps: Sequence[Step], observer: Observer) -> Leak | None:
    """The first leak that is found."""
    past = {step.number: step for step in steps}
    whole = observed(open_world, steps)
    for step in steps:
        if shown := leaked(step, whole[step.number], past):
            told = ", ".join(f"step {other.number} ({other.action})" for other in shown)
            return Leak(step, f"shown the content of {told}")
        hidden = hidden_subject(step, past)
        if hidden is not None and not refused(whole[step.number]):
            return Leak(step, f"told that what step {hidden} made exists")
    kept = [s for s in steps if s.action == generators.WORK or concerns(observer, s, past)]
    without = observed(open_world, kept)
    for step in kept:
        if step.agent in observer.agents and without[step.number] != whole[step.number]:
            both = f"{whole[step.number]}\nbut without the rest\n{without[step.number]}"
            return Leak(step, f"the answer depends on what is hidden:\n{both}")
    return None


def shortened(
    open_world: OpenWorld, steps: Sequence[Step], observer: Observer, leak: Leak
) -> list[Step]:
    """Leave out as many steps as can be left out without losing the leak.

    A reference to a step that was left out is one to something that does not exist.
    """
    kept, trials = list(steps[: steps.index(leak.step) + 1]), 0
    size = len(kept) // 2
    while size and trials < _MOST_TRIALS:
        start = 0
        while start < len(kept) and trials < _MOST_TRIALS:
            fewer = kept[:start] + kept[start + size :]
            trials += 1
            if leak_in(open_world, fewer, observer):
                kept = fewer
            else:
                start += size
        size //= 2
    return kept
