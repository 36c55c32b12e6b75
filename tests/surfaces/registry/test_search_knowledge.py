"""kp_search_knowledge: its arguments, what it finds, in which order and for whom."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.registry.steps import (
    ANY,
    SEARCH_KNOWLEDGE,
    contribute,
    contributed_id,
    ids,
    in_domain,
    many_units,
    refuse,
    units,
    validate,
)
from tests.unit.registry.samples import metadata, pattern, sop, steps, trace


@pytest.mark.requirement(
    "registry.search-knowledge.query-required",
    "registry.search-knowledge.query-type",
    "registry.search-knowledge.types-allowed",
    "registry.search-knowledge.domain-type",
    "registry.search-knowledge.min-quality-type",
    "registry.search-knowledge.min-quality-bounds",
    "registry.search-knowledge.limit-type",
    "registry.search-knowledge.limit-bounds",
    "registry.search-knowledge.schema-version-type",
)
def test_wrong_arguments_are_refused_by_name(alice: Caller) -> None:
    refuse(alice, SEARCH_KNOWLEDGE, "query")
    wrong: dict[str, list[Any]] = {
        "query": [None, 7, ["x"]],
        "types": ["ReasoningTrace", ["Skill"], ["reasoningtrace"], [7]],
        "domain": [7, ["x"]],
        "min_quality": ["high", True, -0.1, 1.1],
        "limit": ["five", 0, 11, 2.5],
        "schema_version": [1, 1.0, ["1.0"]],
        "tags": [["x"]],
    }
    for argument, values in wrong.items():
        for value in values:
            refuse(alice, SEARCH_KNOWLEDGE, argument, **{"query": "x", argument: value})
    for limits in ({"limit": 1}, {"limit": 10}, {"min_quality": 0}, {"min_quality": 1}):
        assert units(alice, "x", **limits) == []


@pytest.mark.requirement(
    "registry.search-knowledge.query-only",
    "registry.search-knowledge.no-match",
    "registry.expect.empty-query",
)
def test_a_query_alone_is_enough(alice: Caller) -> None:
    assert units(alice, "anything") == []
    made = contributed_id(alice, trace("Find the leak"))
    assert ids(units(alice, "leak")) == [made]
    assert units(alice, "zebra") == []
    assert ids(units(alice, "")) == [made]


@pytest.mark.requirement(
    "registry.search-knowledge.all-three-kinds",
    "registry.search-knowledge.types-filter",
    "registry.search-knowledge.types-several",
)
def test_units_are_found_by_type(alice: Caller) -> None:
    made = {
        "ReasoningTrace": contributed_id(alice, trace("Harvest the logs")),
        "ToolCallPattern": contributed_id(alice, pattern("Harvest by tools")),
        "ExpertSOP": contributed_id(alice, sop("Harvest by the book")),
    }
    assert set(ids(units(alice, "harvest", **ANY))) == set(made.values())
    for kind, id in made.items():
        (found,) = units(alice, "harvest", types=[kind], **ANY)
        assert (found["id"], found["type"]) == (id, kind)
    two = ["ReasoningTrace", "ExpertSOP"]
    found_ids = ids(units(alice, "harvest", types=two, **ANY))
    assert set(found_ids) == {made[kind] for kind in two}
    assert len(units(alice, "harvest", types=[], **ANY)) == 3


@pytest.mark.requirement(
    "registry.search-knowledge.domain-optional",
    "registry.search-knowledge.domain-filter",
    "registry.search-knowledge.domain-from-metadata",
    "registry.search-knowledge.domain-case",
)
def test_units_are_found_by_domain_in_any_case(alice: Caller) -> None:
    ops = contributed_id(alice, in_domain("Ops", "Harvest the logs"))
    law = contributed_id(alice, sop("Harvest by the book", metadata=metadata("law")))
    assert set(ids(units(alice, "harvest", **ANY))) == {ops, law}
    for spelled in ("ops", "OPS"):
        (found,) = units(alice, "harvest", domain=spelled, **ANY)
        assert (found["id"], found["domain"]) == (ops, "Ops")
    assert ids(units(alice, "harvest", domain="law", **ANY)) == [law]
    assert units(alice, "harvest", domain="operations", **ANY) == [], "that is the SOP's own field"


@pytest.mark.requirement(
    "registry.search-knowledge.min-quality-default",
    "registry.search-knowledge.min-quality-inclusive",
    "registry.search-knowledge.min-quality-bounds",
)
def test_quality_is_a_floor(alice: Caller) -> None:
    good = contribute(alice, trace("Harvest the logs"))
    thin = contribute(alice, trace("Harvest", steps=steps(("thought",))))
    assert thin["quality_score"] < 0.75 <= good["quality_score"]
    assert ids(units(alice, "harvest")) == [good["id"]]
    assert units(alice, "harvest") == units(alice, "harvest", min_quality=0.75)
    assert ids(units(alice, "harvest", min_quality=good["quality_score"])) == [good["id"]]
    assert units(alice, "harvest", min_quality=good["quality_score"] + 0.0001) == []
    low = units(alice, "harvest", min_quality=thin["quality_score"])
    assert set(ids(low)) == {good["id"], thin["id"]}


@pytest.mark.requirement(
    "registry.search-knowledge.limit-default",
    "registry.search-knowledge.limit-honoured",
    "registry.search-knowledge.limit-bounds",
)
def test_the_limit_is_honoured(alice: Caller) -> None:
    made = set(many_units(alice, 12))
    for given, expected in (({}, 5), ({"limit": 1}, 1), ({"limit": 10}, 10)):
        found = ids(units(alice, "harvest", **ANY, **given))
        assert len(set(found)) == len(found) == expected
        assert set(found) <= made


@pytest.mark.requirement(
    "registry.search-knowledge.schema-version-optional",
    "registry.search-knowledge.schema-version-filter",
    "registry.search-knowledge.schema-version-spellings",
    "registry.search-knowledge.schema-version-unknown",
)
def test_schema_versions(alice: Caller) -> None:
    contribute(alice, trace("Harvest the logs"))
    everything = units(alice, "harvest")
    assert len(everything) == 1
    for spelled in ("1", "1.0", "v1"):
        assert units(alice, "harvest", schema_version=spelled) == everything
    for unknown in ("9.9", "2", "", "v"):
        assert units(alice, "harvest", schema_version=unknown) == []


@pytest.mark.requirement("registry.search-knowledge.filters-combine")
def test_a_unit_must_pass_every_filter(alice: Caller) -> None:
    wanted = contributed_id(alice, in_domain("ops", "Harvest the logs"))
    contribute(alice, in_domain("law", "Harvest the acts"))
    contribute(alice, pattern("Harvest by tools", metadata=metadata("ops")))
    contribute(alice, trace("Harvest", steps=steps(("thought",)), metadata=metadata("ops")))
    given = {"types": ["ReasoningTrace"], "domain": "ops", "min_quality": 0.5}
    assert ids(units(alice, "harvest", schema_version="1.0", **given)) == [wanted]
    assert units(alice, "harvest", schema_version="3", **given) == []


@pytest.mark.requirement(
    "registry.search-knowledge.element-fields",
    "registry.search-knowledge.element-types",
    "registry.search-knowledge.element-values",
    "registry.search-knowledge.example",
    "registry.search-knowledge.content-full-unit",
)
def test_the_example_of_the_contract(alice: Caller) -> None:
    unit = in_domain("debugging", "Find the leak in the connection pool")
    made = contribute(alice, unit)
    (found,) = units(alice, "connection leak", **ANY)
    assert found["id"] == made["id"]
    assert (found["type"], found["domain"]) == ("ReasoningTrace", "debugging")
    assert found["quality_score"] == made["quality_score"]
    assert 0 <= found["quality_score"] <= 1
    content = found["content"]
    assert (content["steps"], content["task"]) == (unit["steps"], unit["task"])
    assert content["outcome"] == unit["outcome"]
    assert content["metadata"]["task_domain"] == "debugging"


@pytest.mark.requirement("registry.search-knowledge.content-full-unit")
def test_patterns_and_procedures_come_back_whole(alice: Caller) -> None:
    for unit, key in ((pattern("Harvest"), "tool_sequence"), (sop("Sow"), "decision_tree")):
        contribute(alice, unit)
        (found,) = units(alice, unit["name"], **ANY)
        assert found["content"][key] == unit[key]
        given = {name: value for name, value in unit.items() if name != "metadata"}
        assert {name: found["content"][name] for name in given} == given


@pytest.mark.requirement(
    "registry.search-knowledge.trace-text",
    "registry.search-knowledge.pattern-text",
    "registry.search-knowledge.sop-text",
)
def test_what_each_type_is_found_by(alice: Caller) -> None:
    written = [{"step_id": 0, "type": "thought", "content": "Consider the gearbox."}]
    made_trace = contributed_id(alice, trace("Repair the tractor", steps=written))
    made_pattern = contributed_id(alice, pattern("Orchard survey", description="Count the pears."))
    made_sop = contributed_id(alice, sop("Barn inspection", domain="carpentry"))
    words = {
        made_trace: ("tractor", "gearbox"),
        made_pattern: ("orchard", "pears"),
        made_sop: ("barn", "carpentry"),
    }
    for id, queries in words.items():
        for query in queries:
            assert ids(units(alice, query, **ANY)) == [id], query


@pytest.mark.requirement("registry.search-knowledge.quality-order")
def test_of_equal_matches_the_better_unit_comes_first(alice: Caller) -> None:
    def valued(rate: float) -> str:
        performance = {"avg_ms": 1, "success_rate": rate, "uses": 10}
        return contributed_id(alice, pattern("Harvest", performance=performance))

    made = [valued(rate) for rate in (0.5, 1.0, 0.7)]
    assert ids(units(alice, "harvest", **ANY)) == [made[1], made[2], made[0]]


@pytest.mark.requirement("registry.search-knowledge.quarantined-hidden")
def test_a_unit_in_quarantine_is_not_found(premises: Premises, alice: Caller, bob: Caller) -> None:
    made = contributed_id(alice, pattern("Harvest"))
    kept = contributed_id(alice, sop("Harvest home"))
    premises.embed()
    for caller in (bob, premises.caller("dora"), premises.caller("carl")):
        assert set(ids(units(alice, "harvest", **ANY))) == {made, kept}
        validate(caller, made, valid=False)
    for given in ({}, {"types": ["ToolCallPattern"]}, {"domain": "code-review"}, {"limit": 10}):
        assert made not in ids(units(alice, "harvest", **ANY, **given))
    assert ids(units(alice, "harvest", **ANY)) == [kept]


@pytest.mark.requirement(
    "registry.search-knowledge.private-own",
    "registry.search-knowledge.org",
    "registry.search-knowledge.network",
)
def test_a_unit_is_found_by_those_who_may_see_it(alice: Caller, bob: Caller, eve: Caller) -> None:
    made = {
        visibility: contributed_id(alice, pattern(f"Harvest {visibility}"), visibility)
        for visibility in ("private", "org", "network")
    }
    assert set(ids(units(alice, "harvest", **ANY))) == set(made.values())
    assert set(ids(units(bob, "harvest", **ANY))) == {made["org"], made["network"]}
    assert ids(units(eve, "harvest", **ANY)) == [made["network"]]
