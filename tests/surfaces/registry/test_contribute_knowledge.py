"""kp_contribute_knowledge: the schema of units, what is filled in, and what wins."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.registry.steps import (
    ANY,
    CONTRIBUTE_KNOWLEDGE,
    contribute,
    contributed_id,
    faults,
    ids,
    nothing_stored,
    refusal,
    refuse,
    reputation,
    units,
    validate,
)
from tests.unit.registry.samples import metadata, pattern, sop, steps, trace

SCHEMA = "https://openknowledgepulse.org/schema/v1"
UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def without(unit: dict[str, Any], *path: str) -> dict[str, Any]:
    """The unit less one of its parts."""
    head, *rest = path
    if not rest:
        return {key: value for key, value in unit.items() if key != head}
    return {**unit, head: without(unit[head], *rest)}


def stored(caller: Caller, unit: dict[str, Any]) -> dict[str, Any]:
    """The unit as it comes back."""
    made = contributed_id(caller, unit)
    found = [one for one in units(caller, "", limit=10, **ANY) if one["id"] == made]
    content: dict[str, Any] = found[0]["content"]
    return content


@pytest.mark.requirement(
    "registry.contribute-knowledge.unit-required",
    "registry.contribute-knowledge.unit-type",
    "registry.contribute-knowledge.visibility-required",
    "registry.contribute-knowledge.visibility-values",
)
def test_wrong_arguments_store_nothing(premises: Premises, alice: Caller) -> None:
    refuse(alice, CONTRIBUTE_KNOWLEDGE, "unit", visibility="org")
    for value in ("text", [trace()], None, 7):
        refuse(alice, CONTRIBUTE_KNOWLEDGE, "unit", unit=value, visibility="org")
    declared = trace(metadata=metadata(visibility="org"))
    refuse(alice, CONTRIBUTE_KNOWLEDGE, "visibility", unit=declared)
    for visibility in ("public", "Org", "", None, 7):
        given = {"unit": trace(), "visibility": visibility}
        refuse(alice, CONTRIBUTE_KNOWLEDGE, "visibility", **given)
    assert nothing_stored(premises)


@pytest.mark.requirement(
    "registry.contribute-knowledge.unit-schema",
    "registry.contribute-knowledge.error-shape",
    "registry.contribute-knowledge.error-path",
    "registry.expect.refused-leaves-nothing",
)
def test_every_fault_is_answered_with_its_path(premises: Premises, alice: Caller) -> None:
    broken = [{"step_id": 0, "type": "guess"}, {"type": "thought"}]
    found = faults(alice, trace(steps=broken, outcome={"confidence": 2}))
    assert found == [
        ("steps", 0, "type"),
        ("steps", 1, "step_id"),
        ("outcome", "result_summary"),
        ("outcome", "confidence"),
    ]
    assert nothing_stored(premises)
    assert reputation(alice, "alice") == {"score": 0, "contributions": 0}
    deep: dict[str, Any] = {}
    for _ in range(100):
        deep = {"deeper": deep}
    error = refusal(alice, CONTRIBUTE_KNOWLEDGE, unit=trace(extra=deep), visibility="org")
    assert "nested" in error["error"]


@pytest.mark.requirement(
    "registry.contribute-knowledge.returns-id-and-score",
    "registry.contribute-knowledge.id-usable",
    "registry.contribute-knowledge.id-filled",
    "registry.contribute-knowledge.type-known",
    "registry.contribute-knowledge.visibility-values",
)
def test_the_answer_names_the_unit_and_its_score(alice: Caller, bob: Caller) -> None:
    for unit, prefix, visibility in (
        (trace("Harvest one"), "kp:trace:", "org"),
        (pattern("Harvest two"), "kp:pattern:", "network"),
        (sop("Harvest three"), "kp:sop:", "org"),
    ):
        made = contribute(alice, unit, visibility)
        assert made.keys() - {"hint"} == {"id", "quality_score", "readable_by"}
        assert ("hint" in made) == (made["quality_score"] < 0.75)
        assert re.fullmatch(prefix + UUID, made["id"])
        assert 0 <= made["quality_score"] <= 1
        found = units(alice, "harvest", types=[unit["@type"]], **ANY)
        assert ids(found) == [made["id"]]
        assert validate(bob, made["id"]) == {"validated": True}
    assert contribute(alice, trace("Own"), "private")["id"]


@pytest.mark.requirement(
    "registry.contribute-knowledge.type-known",
    "registry.contribute-knowledge.context-value",
    "registry.contribute-knowledge.id-prefix",
)
def test_type_context_and_id_are_checked(alice: Caller) -> None:
    for wrong in ("Note", "reasoningtrace", 7, None):
        assert faults(alice, {**trace(), "@type": wrong}) == [("@type",)]
    assert faults(alice, without(trace(), "@type")) == [("@type",)]
    assert faults(alice, {**trace(), "@context": "https://example.com/v1"}) == [("@context",)]
    assert contribute(alice, {**trace(), "@context": SCHEMA})["id"]
    for wrong_id in ("kp:sop:1", "trace", ""):
        assert faults(alice, {**trace(), "id": wrong_id}) == [("id",)]
    assert faults(alice, {**sop(), "id": "kp:trace:1"}) == [("id",)]
    given = "kp:trace:11111111-2222-3333-4444-555555555555"
    assert contribute(alice, {**trace(), "id": given})["id"] == given


@pytest.mark.requirement(
    "registry.contribute-knowledge.extra-keys",
    "registry.contribute-knowledge.context-filled",
    "registry.contribute-knowledge.created-at-filled",
    "registry.contribute-knowledge.quality-score-filled",
    "registry.contribute-knowledge.score-overwrites",
    "registry.expect.content-verbatim",
)
def test_what_is_left_out_is_filled_in_and_the_rest_is_kept(alice: Caller) -> None:
    odd = {"note": "Robert'); DROP TABLE units;--\n\t“quoted” 漢字 é", "n": [1, None, 2.5]}
    unit = trace("Harvest", extra=odd)
    content = stored(alice, unit)
    assert content["extra"] == odd
    assert content["@context"] == SCHEMA
    created = content["metadata"]["created_at"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", created)
    (found,) = units(alice, "harvest", **ANY)
    assert content["metadata"]["quality_score"] == found["quality_score"]
    assert content["id"] == found["id"]


@pytest.mark.requirement(
    "registry.contribute-knowledge.score-computed",
    "registry.contribute-knowledge.score-overwrites",
    "registry.contribute-knowledge.visibility-overrides",
)
def test_what_the_server_decides_wins(alice: Caller, bob: Caller) -> None:
    declared = metadata(quality_score=0.99, visibility="network", validated_by=["kp:validator:x"])
    thin = trace("Harvest", steps=steps(("thought",)), metadata=declared)
    made = contribute(alice, thin, "private")
    assert made["quality_score"] == 0.1
    assert units(bob, "harvest", **ANY) == []
    (found,) = units(alice, "harvest", **ANY)
    kept = found["content"]["metadata"]
    assert (kept["quality_score"], kept["visibility"]) == (0.1, "private")
    assert "validated_by" not in kept


@pytest.mark.requirement(
    "registry.contribute-knowledge.metadata-required",
    "registry.contribute-knowledge.task-domain",
    "registry.contribute-knowledge.success-flag",
    "registry.contribute-knowledge.declared-score-range",
    "registry.contribute-knowledge.privacy-level",
    "registry.contribute-knowledge.created-at-format",
)
def test_metadata_is_checked_part_by_part(alice: Caller) -> None:
    assert faults(alice, without(trace(), "metadata")) == [("metadata",)]
    for part in ("task_domain", "success"):
        assert faults(alice, without(trace(), "metadata", part)) == [("metadata", part)]
    wrong: dict[str, list[Any]] = {
        "task_domain": ["", 7],
        "success": ["true", 1, None],
        "quality_score": [-0.1, 1.1, "high"],
        "privacy_level": ["public", "Aggregated"],
        "created_at": ["yesterday", "2030-01-01", "2030-01-01T00:00:00", "2030-13-01T00:00:00Z", 7],
        "visibility": ["public"],
    }
    for part, values in wrong.items():
        for value in values:
            found = faults(alice, trace(metadata=metadata(**{part: value})))
            assert found == [("metadata", part)], (part, value)
    right: dict[str, list[Any]] = {
        "quality_score": [0, 1],
        "privacy_level": ["aggregated", "federated", "private"],
        "created_at": ["2030-01-01T00:00:00Z", "2030-01-01T00:00:00.123Z"],
    }
    for part, values in right.items():
        for value in values:
            assert contribute(alice, trace(metadata=metadata(**{part: value})))["id"]


@pytest.mark.requirement(
    "registry.trace.objective",
    "registry.trace.steps-count",
    "registry.trace.step-type",
    "registry.trace.step-id",
    "registry.trace.step-latency",
    "registry.trace.outcome",
    "registry.trace.outcome-confidence",
)
def test_traces_need_an_objective_and_numbered_steps(alice: Caller) -> None:
    step = {"step_id": 0, "type": "thought"}
    for task in ({}, {"objective": ""}):
        assert faults(alice, trace(task=task)) == [("task", "objective")]
    assert faults(alice, trace(steps=[])) == [("steps",)]
    assert faults(alice, without(trace(), "steps")) == [("steps",)]
    for kind in ("thought", "tool_call", "observation", "error_recovery"):
        assert contribute(alice, trace(steps=[{**step, "type": kind}]))["id"]
    assert faults(alice, trace(steps=[{**step, "type": "action"}])) == [("steps", 0, "type")]
    for number in (-1, 0.5, "0", None):
        assert faults(alice, trace(steps=[{**step, "step_id": number}])) == [
            ("steps", 0, "step_id")
        ]
    assert faults(alice, trace(steps=[{"type": "thought"}])) == [("steps", 0, "step_id")]
    assert contribute(alice, trace(steps=[{**step, "step_id": 7, "latency_ms": 0}]))["id"]
    assert faults(alice, trace(steps=[{**step, "latency_ms": -1}])) == [("steps", 0, "latency_ms")]
    for part in ("result_summary", "confidence"):
        assert faults(alice, without(trace(), "outcome", part)) == [("outcome", part)]
    for confidence in (-0.1, 1.1):
        assert faults(alice, trace(confidence=confidence)) == [("outcome", "confidence")]
    for confidence in (0, 1):
        assert contribute(alice, trace(confidence=confidence))["id"]


@pytest.mark.requirement("registry.trace.optional-parts")
def test_optional_parts_of_traces_are_kept(alice: Caller) -> None:
    full = {
        "step_id": 1,
        "type": "tool_call",
        "content": "Look.",
        "tool": {"name": "grep", "mcp_server": "files"},
        "input": {"pattern": "x", "deep": {"a": [1]}},
        "output_summary": "Nothing.",
        "latency_ms": 3.5,
    }
    unit = trace(
        "Harvest",
        task={"objective": "Harvest", "input_schema": {"type": "object"}},
        steps=[full, {"step_id": 2, "type": "thought"}],
        source_skill="kp:skill:1",
        knowledge_graph_delta={
            "entities": [{"name": "Field", "type": "place"}],
            "relationships": [{"fact": "a field is large", "valid_from": "2030-01-01"}],
        },
    )
    content = stored(alice, unit)
    for part in ("task", "steps", "source_skill", "knowledge_graph_delta"):
        assert content[part] == unit[part]


@pytest.mark.requirement(
    "registry.pattern.name",
    "registry.pattern.description",
    "registry.pattern.task-types",
    "registry.pattern.tool-sequence",
    "registry.pattern.execution",
    "registry.pattern.performance",
    "registry.pattern.required-tools",
)
def test_patterns_need_triggers_and_tools(alice: Caller) -> None:
    for part in ("name", "description", "tool_sequence", "performance"):
        assert faults(alice, without(pattern(), part)) == [(part,)]
    assert faults(alice, pattern(name="")) == [("name",)]
    triggers: list[dict[str, Any]] = [{}, {"task_types": []}]
    for trigger in triggers:
        found = faults(alice, pattern(trigger_conditions=trigger))
        assert found == [("trigger_conditions", "task_types")]
    assert faults(alice, pattern(tool_sequence=[])) == [("tool_sequence",)]
    for execution in ("parallel", "sequential"):
        step = {"step": 1, "execution": execution, "tools": [{"name": "grep"}]}
        assert contribute(alice, pattern(tool_sequence=[step]))["id"]
    random = [{"step": 1, "execution": "random", "tools": []}]
    assert faults(alice, pattern(tool_sequence=random)) == [("tool_sequence", 0, "execution")]
    good = {"avg_ms": 0, "success_rate": 0, "uses": 0}
    for limit in (good, {**good, "success_rate": 1}):
        assert contribute(alice, pattern(performance=limit))["id"]
    wrong = (("avg_ms", -1), ("success_rate", 1.1), ("success_rate", -1), ("uses", -1))
    for part, value in (*wrong, ("uses", 1.5)):
        found = faults(alice, pattern(performance={**good, part: value}))
        assert found == [("performance", part)]
        assert faults(alice, pattern(performance=without(good, part))) == [("performance", part)]
    needed = {"task_types": ["x"], "required_tools": ["grep"]}
    assert stored(alice, pattern(trigger_conditions=needed))["trigger_conditions"] == needed


@pytest.mark.requirement(
    "registry.sop.name-domain",
    "registry.sop.source",
    "registry.sop.decision-tree",
    "registry.sop.optional-parts",
)
def test_procedures_name_their_expert(alice: Caller) -> None:
    for part in ("name", "domain"):
        assert faults(alice, without(sop(), part)) == [(part,)]
        assert faults(alice, sop(**{part: ""})) == [(part,)]
    source = sop()["source"]
    for part in ("type", "expert_id", "credentials"):
        assert faults(alice, without(sop(), "source", part)) == [("source", part)]
    assert faults(alice, sop(source={**source, "type": "model"})) == [("source", "type")]
    assert faults(alice, without(sop(), "source")) == [("source",)]
    one = [{"step": "1", "instruction": "Look."}]
    kept = stored(alice, without(sop(decision_tree=one), "validation"))
    assert kept["decision_tree"] == one
    assert "validation" not in kept
    trees: list[Any] = [[], None]
    for tree in trees:
        assert faults(alice, sop(decision_tree=tree)) == [("decision_tree",)]
    assert faults(alice, without(sop(), "decision_tree")) == [("decision_tree",)]
    bare = [{"step": "1"}]
    assert faults(alice, sop(decision_tree=bare)) == [("decision_tree", 0, "instruction")]
    full = sop(
        decision_tree=[
            {
                "step": "1",
                "instruction": "Look.",
                "criteria": {"errors": "> 1 %"},
                "conditions": {"at night": {"action": "wake", "sla_min": 5}},
                "tool_suggestions": [{"name": "grep", "when": "always"}],
            }
        ]
    )
    content = stored(alice, full)
    assert content["decision_tree"] == full["decision_tree"]
    assert content["validation"] == full["validation"]


@pytest.mark.requirement("registry.expect.id-not-overwritten")
def test_a_taken_id_is_refused_and_hides_nothing(alice: Caller, bob: Caller, eve: Caller) -> None:
    given = "kp:trace:11111111-2222-3333-4444-555555555555"
    contribute(alice, {**trace("Harvest the first"), "id": given})
    for other in (alice, bob, eve):
        second = {**trace("Harvest the second"), "id": given}
        error = refusal(other, CONTRIBUTE_KNOWLEDGE, unit=second, visibility="network")
        assert error["code"] == "knowledge.conflict"
        (found,) = units(other, "harvest", **ANY)
        assert found["content"]["task"] == {"objective": "Harvest the first"}
