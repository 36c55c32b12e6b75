"""The quality of a contribution from 0 to 1, by its content; peers' verdicts adjust it later.

Declared scores are ignored. docs/explain/reputation.md explains the formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from commonplace.registry.skill import Skill
from commonplace.registry.units import Document, UnitType, domain_of, tools_of, type_of
from commonplace.text.markdown import shape_of

_DIGITS = 4
_STEP_TYPES = 4
_LONG_TRACE = 20
_FEW_TOOLS = 3
_MANY_RECOVERIES = 2


@dataclass(frozen=True, slots=True)
class TraceWeights:
    """The weights of complexity, novelty, tool diversity and outcome; their sum is 1."""

    complexity: float
    novelty: float
    diversity: float
    outcome: float


DEFAULT_WEIGHTS = TraceWeights(0.25, 0.35, 0.15, 0.25)
WEIGHTS_BY_DOMAIN: Mapping[str, TraceWeights] = {
    "finance": TraceWeights(0.20, 0.25, 0.10, 0.45),
    "code": TraceWeights(0.20, 0.30, 0.30, 0.20),
    "medical": TraceWeights(0.15, 0.20, 0.10, 0.55),
    "customer_service": TraceWeights(0.20, 0.30, 0.20, 0.30),
}


def unit_quality(unit: Document, novelty: float) -> float:
    match type_of(unit):
        case UnitType.TRACE:
            return trace_quality(unit, novelty)
        case UnitType.PATTERN:
            return pattern_quality(unit)
        case UnitType.SOP:
            return sop_quality(unit)


def trace_quality(trace: Document, novelty: float) -> float:
    """Weighted parts, then adjustments for a single thought, a hard-won success and a single
    tool."""
    steps, tools = trace["steps"], set(tools_of(trace))
    types = [step["type"] for step in steps]
    recoveries = types.count("error_recovery")
    success = trace["metadata"]["success"]
    if types == ["thought"]:
        return 0.1
    weights = WEIGHTS_BY_DOMAIN.get(domain_of(trace), DEFAULT_WEIGHTS)
    score = (
        weights.complexity * _complexity(types, recoveries)
        + weights.novelty * novelty
        + weights.diversity * min(1.0, _FEW_TOOLS * len(tools) / len(steps))
        + weights.outcome * trace["outcome"]["confidence"] * (1.0 if success else 0.3)
    )
    if recoveries > _MANY_RECOVERIES and success:
        score += 0.1
    if len(tools) == 1:
        score -= 0.1
    return _share(score)


def _complexity(types: list[str], recoveries: int) -> float:
    variety = len(set(types)) / _STEP_TYPES * 0.5
    length = len(types) / _LONG_TRACE * 0.2
    return min(1.0, variety + (0.3 if recoveries else 0.0) + length)


def pattern_quality(pattern: Document) -> float:
    """How often it worked, with how much evidence, and how long its sequence is."""
    performance = pattern["performance"]
    uses = performance["uses"]
    return _share(
        0.2
        + 0.4 * performance["success_rate"]
        + 0.25 * uses / (uses + 5)
        + 0.15 * _up_to(len(pattern["tool_sequence"]), 4)
    )


def sop_quality(sop: Document) -> float:
    """How complete the procedure is, how it decides, and what supports it."""
    steps = sop["decision_tree"]
    decisions = sum(
        len(step.get(part) or {}) for step in steps for part in ("criteria", "conditions")
    )
    cases = (sop.get("validation") or {}).get("test_cases") or []
    return _share(
        0.3
        + 0.25 * _up_to(len(steps), 4)
        + 0.2 * _up_to(decisions, 3)
        + 0.15 * _up_to(len(cases), 2)
        + 0.1 * _up_to(len(sop["source"]["credentials"]), 1)
    )


def skill_quality(skill: Skill) -> float:
    """Half for being a valid skill; the rest for what makes it easy to find and to follow."""
    shape = shape_of(skill.body)
    return _share(
        0.5
        + 0.08 * _up_to(len(skill.description), 40)
        + 0.07 * _up_to(len(skill.tags), 1)
        + 0.05 * (skill.domain is not None)
        + 0.12 * _up_to(shape.sections, 2)
        + 0.10 * _up_to(shape.words, 100)
        + 0.08 * _up_to(shape.steps, 3)
    )


def _up_to(count: int, enough: int) -> float:
    return min(1.0, count / enough)


def _share(score: float) -> float:
    return round(min(1.0, max(0.0, score)), _DIGITS)
