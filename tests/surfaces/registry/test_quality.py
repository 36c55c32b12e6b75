"""The quality of units, to the digits of the documented formulas."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.conftest import OpenPremises
from tests.surfaces.registry.steps import contribute
from tests.unit.registry.samples import metadata, pattern, sop, steps, trace

EVERY_TYPE = ("thought", "tool_call", "observation", "tool_call", "error_recovery")


def scored(caller: Caller, unit: dict[str, Any]) -> float:
    return float(contribute(caller, unit)["quality_score"])


@pytest.mark.requirement(
    "registry.quality.trace-default",
    "registry.quality.trace-finance",
    "registry.quality.trace-other-domains",
    "registry.quality.trace-failure",
    "registry.quality.trace-recovery",
    "registry.quality.trace-many-recoveries",
    "registry.quality.trace-single-thought",
    "registry.quality.trace-one-tool",
)
def test_first_traces(premises: Premises) -> None:
    """Each in an org of its own and private, so that it is the first that its agent knows."""
    long = (*EVERY_TYPE, "error_recovery", "error_recovery", "observation")
    expected: list[tuple[dict[str, Any], float]] = [
        (trace(), 0.844),
        (trace(domain="finance", confidence=0.92), 0.849),
        (trace(domain="code"), 0.875),
        (trace(domain="medical"), 0.886),
        (trace(domain="customer_service"), 0.870),
        (trace(metadata=metadata(success=False)), 0.678),
        (trace(steps=steps(EVERY_TYPE)), 0.950),
        (trace(steps=steps(long)), 1.0),
        (trace(steps=steps(("thought",))), 0.1),
        (trace(steps=steps(tools=("grep",))), 0.684),
    ]
    for number, (unit, value) in enumerate(expected):
        caller = premises.caller("ann", f"org-{number}")
        made = contribute(caller, unit, "private")
        assert made["quality_score"] == pytest.approx(value, abs=0.005)


@pytest.mark.requirement("registry.quality.trace-novelty")
def test_what_was_said_before_is_worth_less(open_premises: OpenPremises) -> None:
    alice = open_premises().caller()
    first = scored(alice, trace("Find the leak in the connection pool"))
    again = scored(alice, trace("Find the leak in the connection pool"))
    near = scored(alice, trace("Find the leak in the thread pool"))
    assert again == pytest.approx(first - 0.35, abs=0.001)
    assert again < near < first


@pytest.mark.requirement("registry.quality.pattern")
def test_patterns_do_not_fall_with_evidence(alice: Caller) -> None:
    step = {"step": 1, "execution": "sequential", "tools": [{"name": "grep"}]}

    def valued(rate: float, uses: int, length: int) -> float:
        performance = {"avg_ms": 1, "success_rate": rate, "uses": uses}
        return scored(alice, pattern(performance=performance, tool_sequence=[step] * length))

    for rising in (
        [valued(rate, 5, 2) for rate in (0, 0.5, 1)],
        [valued(0.8, uses, 2) for uses in (0, 10, 1000)],
        [valued(0.8, 5, length) for length in (1, 3, 9)],
    ):
        assert rising == sorted(rising)
        assert all(0 <= value <= 1 for value in rising)
    assert valued(0.95, 40, 3) >= 0.75, "a good pattern passes the default filter"


@pytest.mark.requirement("registry.quality.sop")
def test_procedures_do_not_fall_with_detail(alice: Caller) -> None:
    step = {"step": 1, "instruction": "Look."}
    decided = {**step, "criteria": {"a": "b"}, "conditions": {"c": {"action": "d"}}}
    expert = {"type": "human_expert", "expert_id": "e", "credentials": []}
    case = {"input": "x", "expected_output": "y"}
    bare = sop(decision_tree=[step], source=expert, validation={})
    longer = {**bare, "decision_tree": [step] * 3}
    clearer = {**longer, "decision_tree": [decided] * 3}
    tested = {**clearer, "validation": {"test_cases": [case, case]}}
    vouched = {**tested, "source": {**expert, "credentials": ["MD", "PhD"]}}
    values = [scored(alice, unit) for unit in (bare, longer, clearer, tested, vouched)]
    assert values == sorted(set(values))
    assert all(0 <= value <= 1 for value in values)
    assert scored(alice, sop()) >= 0.75, "a good procedure passes the default filter"


@pytest.mark.requirement("registry.quality.novelty-reach")
def test_what_readers_cannot_read_makes_nothing_less_new(alice: Caller) -> None:
    leak = trace("Find the leak in the connection pool")
    private = contribute(alice, leak, "private")["quality_score"]
    assert contribute(alice, leak, "org")["quality_score"] == private
    assert contribute(alice, leak, "private")["quality_score"] < private
