"""Knowledge units: their schema, what is filled in, how they are valued and judged."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import pytest

from commonplace.errors import InvalidArgument
from commonplace.model.entry import Visibility
from commonplace.model.verdict import Peer, UnitVerdict
from commonplace.registry.contribution import check_depth
from commonplace.registry.novelty import novelty
from commonplace.registry.quality import pattern_quality, sop_quality, trace_quality, unit_quality
from commonplace.registry.units import (
    SCHEMA,
    Filled,
    credited_agent,
    filled,
    is_current_version,
    revalued,
    text_of,
    title_of,
)
from commonplace.registry.verdicts import CONTENT_WEIGHT, member_of, opinion
from commonplace.surfaces.registry.units import checked_unit
from tests.unit.registry.samples import metadata, pattern, sop, steps, trace
from tools.docs.schemas import PAGES

NOW = datetime(2030, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
ALL_TYPES = ("thought", "tool_call", "observation", "tool_call", "error_recovery")


def faults(unit: dict[str, Any]) -> list[tuple[str | int, ...]]:
    with pytest.raises(InvalidArgument) as refused:
        checked_unit(unit)
    assert refused.value.field == "unit"
    return [issue.path for issue in refused.value.issues]


def test_every_fault_is_named_by_its_path() -> None:
    wrong = trace(metadata={"success": "yes"}, steps=[{"step_id": -1, "type": "guess"}])
    assert faults(wrong) == [
        ("metadata", "task_domain"),
        ("metadata", "success"),
        ("steps", 0, "step_id"),
        ("steps", 0, "type"),
    ]
    assert faults(trace(id="kp:sop:1")) == [("id",)]
    assert faults({"@type": "Note"}) == [("@type",)]
    assert faults({}) == [("@type",)]


@pytest.mark.parametrize("unit", [trace(), pattern(), sop()], ids=lambda unit: unit["@type"])
def test_the_published_schema_says_what_is_checked(unit: dict[str, Any]) -> None:
    validator = import_module("jsonschema").Draft202012Validator
    published = json.loads(PAGES[f"{unit['@type']}.schema.json"]())
    validator.check_schema(published)
    assert list(validator(published).iter_errors(unit)) == []
    whole = filled(unit, Filled("kp:x", NOW, Visibility.ORG, 0.5, "ann"))
    assert list(validator(published).iter_errors(whole)) == []
    broken = {**unit, "metadata": {"task_domain": ""}, "@context": "elsewhere"}
    assert len(list(validator(published).iter_errors(broken))) == 3
    assert len(faults(broken)) == 3


def test_a_unit_is_given_back_as_it_was_with_unknown_keys() -> None:
    unit = trace(note={"kept": [1, None]})
    assert checked_unit(unit) is unit
    assert checked_unit(trace(steps=[{"step_id": 1.0, "type": "thought"}]))


def test_what_the_server_knows_is_filled_in() -> None:
    given = trace(metadata=metadata(quality_score=1, validated_by=["kp:validator:me"]))
    whole = filled(given, Filled("kp:trace:1", NOW, Visibility.ORG, 0.5, "ann"))
    assert (whole["@context"], whole["id"]) == (SCHEMA, "kp:trace:1")
    assert whole["metadata"] == {
        "task_domain": "code-review",
        "success": True,
        "created_at": "2030-01-02T03:04:05.678Z",
        "privacy_level": "aggregated",
        "agent_id": "ann",
        "visibility": "org",
        "quality_score": 0.5,
    }
    dated = filled(
        trace(metadata=metadata(created_at="2020-01-01T00:00:00Z")),
        Filled("x", NOW, Visibility.ORG, 0.5, "ann"),
    )
    assert dated["metadata"]["created_at"] == "2020-01-01T00:00:00Z"


def test_credit_goes_to_the_named_agent_the_caller_or_nobody() -> None:
    assert credited_agent(trace(metadata=metadata(agent_id="zoe")), "ann") == "zoe"
    assert credited_agent(trace(metadata=metadata(agent_id="")), "ann") == "ann"
    assert credited_agent(trace(), " ") == "anonymous"


@pytest.mark.parametrize(
    ("given", "known"), [("1", True), ("1.0", True), ("v1", True), ("V1 ", True), ("9.9", False)]
)
def test_spellings_of_the_version(given: str, known: bool) -> None:
    assert is_current_version(given) is known


def test_what_units_are_found_by() -> None:
    assert "Look at part 3." in text_of(trace())
    assert text_of(pattern()).startswith("Search before reading\nNarrow")
    assert text_of(sop()).startswith("Incident triage\noperations\nLook at the graphs.")
    assert title_of(trace(objective="x" * 300)) == "x" * 199 + "…"


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        (trace(), 0.844),
        (trace(domain="finance", confidence=0.92), 0.849),
        (trace(domain="code"), 0.875),
        (trace(domain="medical"), 0.886),
        (trace(domain="customer_service"), 0.870),
        (trace(metadata=metadata(success=False)), 0.678),
        (trace(steps=steps(ALL_TYPES)), 0.950),
        (trace(steps=steps((*ALL_TYPES, "error_recovery", "error_recovery", "thought"))), 1.0),
        (trace(steps=steps(("thought",))), 0.1),
        (trace(steps=steps(tools=("grep",))), 0.684),
        (trace(steps=steps(("thought", "observation"), ())), 0.658),
    ],
)
def test_quality_of_a_new_trace(unit: dict[str, Any], expected: float) -> None:
    assert trace_quality(unit, 1.0) == pytest.approx(expected, abs=0.005)


def test_novelty_is_what_was_not_said_before() -> None:
    assert novelty("the pool leaks connections", []) == 1.0
    assert novelty("the pool leaks connections", ["a poem about spring"]) == 1.0
    same = novelty("the pool leaks connections", ["Spring", "The pool LEAKS connections"])
    assert same == pytest.approx(0.0)
    assert 0 < novelty("the pool leaks connections", ["the pool is full"]) < 1
    assert novelty("", ["x"]) == 1.0


def growing(values: list[float]) -> bool:
    return values == sorted(values) and all(0 <= value <= 1 for value in values)


def test_quality_of_a_pattern_does_not_fall_with_evidence() -> None:
    def valued(rate: float, uses: int, length: int) -> float:
        one = pattern()
        return pattern_quality(
            {
                **one,
                "tool_sequence": one["tool_sequence"][:1] * length,
                "performance": {"avg_ms": 1, "success_rate": rate, "uses": uses},
            }
        )

    assert growing([valued(rate, 5, 2) for rate in (0, 0.3, 0.9, 1)])
    assert growing([valued(0.8, uses, 2) for uses in (0, 1, 50, 10**9)])
    assert growing([valued(0.8, 5, length) for length in (1, 2, 4, 50)])
    assert unit_quality(pattern(), 0.0) >= 0.75


def test_quality_of_a_procedure_does_not_fall_with_detail() -> None:
    bare = sop(
        decision_tree=[{"step": 1, "instruction": "Look."}],
        source={"type": "human_expert", "expert_id": "e", "credentials": []},
        validation={},
    )
    step = {"step": 2, "instruction": "Act.", "criteria": {"a": "b"}}
    more = [bare, {**bare, "decision_tree": [*bare["decision_tree"], step]}]
    more.append({**more[-1], "decision_tree": [step] * 4})
    more.append({**more[-1], "source": {**bare["source"], "credentials": ["MD"]}})
    more.append({**more[-1], "validation": {"test_cases": [{"input": 1, "expected_output": 2}]}})
    assert growing([sop_quality(one) for one in more])
    assert unit_quality(sop(), 0.0) >= 0.75


def verdict(agent: str, valid: bool) -> UnitVerdict:
    return UnitVerdict(Peer("acme", agent), valid, "", NOW)


def test_verdicts_move_quality_and_three_against_set_aside() -> None:
    assert opinion(0.8, [], member_of("acme")).quality == 0.8
    good = opinion(0.8, [verdict("b", True), verdict("a", True)], member_of("acme"))
    assert good.quality > 0.8
    assert (good.validators, good.quarantined) == (("a", "b"), False)
    two = opinion(0.8, [verdict("a", False), verdict("b", False)], member_of("acme"))
    assert two.quality == pytest.approx(0.8 * CONTENT_WEIGHT / (CONTENT_WEIGHT + 2), abs=1e-4)
    assert not two.quarantined
    against = [verdict(name, False) for name in "abc"]
    assert opinion(0.8, against, member_of("acme")).quarantined
    strangers = opinion(0.8, against, member_of("umbrella"))
    assert (strangers.quality, strangers.quarantined) == (0.8, False)
    assert opinion(0.8, against, lambda _: 1 - 1e-9).quarantined, "three that count fully"
    assert not opinion(0.8, against, lambda _: 0.99).quarantined


def test_a_unit_after_a_verdict_names_who_found_it_valid() -> None:
    whole = filled(trace(), Filled("kp:trace:1", NOW, Visibility.ORG, 0.5, "ann"))
    after = revalued(whole, 0.6, ["ben"])
    assert after["metadata"]["validated_by"] == ["kp:validator:ben"]
    assert after["metadata"]["quality_score"] == 0.6
    assert "validated_by" not in revalued(after, 0.5, [])["metadata"]


def test_a_unit_is_nested_so_deep_and_no_deeper() -> None:
    def nested(depth: int) -> dict[str, Any]:
        return {"deeper": nested(depth - 1)} if depth else {}

    check_depth(nested(31))
    with pytest.raises(InvalidArgument, match="at most 32 deep"):
        check_depth(nested(32))
