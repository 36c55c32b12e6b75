"""Who may see what, said as plainly as possible; it knows nothing of the product."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from tests.tenancy.steps import Agent, Observer, Reach, Shape, Step

_SEAL = re.compile(r"zs\d{6}")
_FOR_ONE_PLACE = ("knowledge.search", "knowledge.list")


def may_see(viewer: Agent, step: Step) -> bool:
    """Whether the viewer may see what a step left behind."""
    assert step.trace is not None
    if step.trace.reach is Reach.EVERYONE:
        return True
    if step.agent.org != viewer.org:
        return False
    return step.trace.reach is Reach.ORG or step.agent == viewer


def without_network(step: Step) -> Step:
    """The same step where orgs are no network: what it shares reaches its own org."""
    trace = step.trace
    contributed = trace is not None and trace.shape in (Shape.SKILL, Shape.UNIT)
    if trace is None or not contributed or trace.reach is not Reach.EVERYONE:
        return step
    return replace(step, trace=replace(trace, reach=Reach.ORG))


def concerns(observer: Observer, step: Step, past: Mapping[int, Step]) -> bool:
    """Whether anything that the observer sees may depend on whether a step was done."""
    if step.trace is not None:
        return any(may_see(viewer, step) for viewer in observer.agents)
    if step.agent.org == observer.agents[0].org:
        return True
    return any(
        made.trace is not None and made.trace.reach is Reach.EVERYONE
        for made in (past[ref.step] for ref in step.refs if ref.step in past)
    )


def hidden_subject(asked: Step, past: Mapping[int, Step]) -> int | None:
    """The step that made something which the call names and its agent may not see."""
    made = (past[ref.step] for ref in asked.refs if ref.step in past)
    return next((step.number for step in made if not may_see(asked.agent, step)), None)


def within_asked_place(asked: Step, shown: Step) -> bool:
    """Whether an answer that is about one place may hold what another step left behind."""
    trace, given = shown.trace, asked.arguments
    assert trace is not None
    if asked.action in _FOR_ONE_PLACE and trace.reach is not Reach.EVERYONE:
        here = trace.workspace == given["workspaceId"]
        return here and trace.space in (None, given.get("spaceId"))
    wanted = given.get("project")
    return not (wanted and trace.project) or trace.project == wanted


def seals_in(sent: str) -> list[int]:
    """The steps whose content an answer holds."""
    return sorted({int(seal[2:]) for seal in _SEAL.findall(sent)})


def leaked(asked: Step, sent: str, steps: Mapping[int, Step]) -> Sequence[Step]:
    """The steps whose content the answer should not hold."""
    shown = [steps[number] for number in seals_in(sent)]
    return [
        step
        for step in shown
        if not may_see(asked.agent, step) or not within_asked_place(asked, step)
    ]
