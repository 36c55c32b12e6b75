"""kp_search_skill: its arguments, what it finds, in which order and for whom."""

from __future__ import annotations

from typing import Any

import pytest

from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.registry.steps import (
    ANY,
    SEARCH_SKILL,
    contribute_skill,
    ids,
    many_skills,
    plain_skill,
    refuse,
    skills,
)
from tests.unit.registry.samples import BODY, skill_text, thorough_skill


def tagged(name: str, tags: str, domain: str | None = None) -> str:
    front = f"tags: {tags}" + (f"\nkp: {{domain: {domain}}}" if domain else "")
    return skill_text(name, front_matter=front)


@pytest.mark.requirement(
    "registry.search-skill.query-required",
    "registry.search-skill.query-type",
    "registry.search-skill.domain-type",
    "registry.search-skill.tags-type",
    "registry.search-skill.min-quality-type",
    "registry.search-skill.min-quality-bounds",
    "registry.search-skill.limit-type",
    "registry.search-skill.limit-bounds",
)
def test_wrong_arguments_are_refused_by_name(alice: Caller) -> None:
    refuse(alice, SEARCH_SKILL, "query")
    wrong: dict[str, list[Any]] = {
        "query": [None, 7, ["x"]],
        "domain": [7, ["x"], True],
        "tags": ["x", [7], {"a": 1}],
        "min_quality": ["high", True, -0.1, 1.1],
        "limit": ["five", 0, 21, 2.5, True],
        "unknown": ["x"],
    }
    for argument, values in wrong.items():
        for value in values:
            refuse(alice, SEARCH_SKILL, argument, **{"query": "x", argument: value})
    for limits in ({"limit": 1}, {"limit": 20}, {"min_quality": 0}, {"min_quality": 1}):
        assert skills(alice, "x", **limits) == []


@pytest.mark.requirement(
    "registry.search-skill.query-only",
    "registry.search-skill.no-match",
    "registry.expect.empty-query",
)
def test_a_query_alone_is_enough(alice: Caller) -> None:
    assert skills(alice, "anything") == []
    made = contribute_skill(alice, thorough_skill())
    assert ids(skills(alice, "review")) == [made]
    assert skills(alice, "zebra") == []
    for empty in ("", "  "):
        assert ids(skills(alice, empty)) == [made]


@pytest.mark.requirement(
    "registry.search-skill.domain-optional",
    "registry.search-skill.domain-filter",
    "registry.search-skill.domain-from-frontmatter",
    "registry.search-skill.domain-case",
)
def test_skills_are_found_by_domain_in_any_case(alice: Caller) -> None:
    ops = contribute_skill(alice, tagged("Harvest one", "[x]", "Ops-Team"))
    law = contribute_skill(alice, tagged("Harvest two", "[x]", "law"))
    none = contribute_skill(alice, tagged("Harvest three", "[law]"))
    assert set(ids(skills(alice, "harvest"))) == {ops, law, none}
    for spelled in ("ops-team", "OPS-TEAM", " Ops-Team "):
        (found,) = skills(alice, "harvest", domain=spelled)
        assert (found["id"], found["domain"]) == (ops, "Ops-Team")
    assert ids(skills(alice, "harvest", domain="law")) == [law]
    assert skills(alice, "harvest", domain="medicine") == []
    (without,) = [one for one in skills(alice, "harvest") if one["id"] == none]
    assert without["domain"] is None


@pytest.mark.requirement(
    "registry.search-skill.tags-optional",
    "registry.search-skill.tags-filter",
    "registry.search-skill.tags-several",
    "registry.search-skill.tags-any",
    "registry.search-skill.tags-case",
)
def test_skills_are_found_by_any_of_several_tags(alice: Caller) -> None:
    one = contribute_skill(alice, tagged("Harvest one", "[Red, blue]"))
    two = contribute_skill(alice, tagged("Harvest two", "[blue]"))
    three = contribute_skill(alice, tagged("Harvest three", "[green]"))
    bare = contribute_skill(alice, plain_skill("Harvest four"))
    assert set(ids(skills(alice, "harvest"))) == {one, two, three, bare}
    assert ids(skills(alice, "harvest", tags=["red"])) == [one]
    assert ids(skills(alice, "harvest", tags=["RED"])) == [one]
    assert set(ids(skills(alice, "harvest", tags=["red", "green"]))) == {one, three}
    assert set(ids(skills(alice, "harvest", tags=["Blue", "none"]))) == {one, two}
    assert skills(alice, "harvest", tags=["purple"]) == []
    (shown,) = skills(alice, "harvest", tags=["red"])
    assert shown["tags"] == ["Red", "blue"], "as they were written"


@pytest.mark.requirement(
    "registry.search-skill.min-quality-default",
    "registry.search-skill.min-quality-inclusive",
    "registry.search-skill.min-quality-bounds",
)
def test_quality_is_a_floor(alice: Caller) -> None:
    thin = contribute_skill(alice, "---\nname: Harvest\ndescription: b\n---\nDo it.")
    good = contribute_skill(alice, thorough_skill("Harvest well"))
    everything = {one["id"]: one["quality_score"] for one in skills(alice, "harvest", **ANY)}
    assert everything.keys() == {thin, good}
    assert everything[thin] < 0.7 <= everything[good]
    assert ids(skills(alice, "harvest")) == [good]
    assert skills(alice, "harvest") == skills(alice, "harvest", min_quality=0.7)
    assert good in ids(skills(alice, "harvest", min_quality=everything[good]))
    assert skills(alice, "harvest", min_quality=everything[good] + 0.0001) == []
    assert thin in ids(skills(alice, "harvest", min_quality=everything[thin]))
    assert skills(alice, "harvest", min_quality=1) == []


@pytest.mark.requirement(
    "registry.search-skill.limit-default",
    "registry.search-skill.limit-honoured",
    "registry.search-skill.limit-bounds",
)
def test_the_limit_is_honoured(alice: Caller) -> None:
    made = set(many_skills(alice, 22))
    for given, expected in (({}, 5), ({"limit": 1}, 1), ({"limit": 20}, 20), ({"limit": 7.0}, 7)):
        found = ids(skills(alice, "harvest", **given))
        assert len(set(found)) == len(found) == expected
        assert set(found) <= made


@pytest.mark.requirement("registry.search-skill.filters-combine")
def test_a_skill_must_pass_every_filter(alice: Caller) -> None:
    wanted = contribute_skill(alice, tagged("Harvest a", "[red]", "ops"))
    contribute_skill(alice, tagged("Harvest b", "[red]", "law"))
    contribute_skill(alice, tagged("Harvest c", "[blue]", "ops"))
    thin = "---\nname: Harvest d\ndescription: b\ntags: [red]\nkp: {domain: ops}\n---\nDo."
    contribute_skill(alice, thin)
    given = {"domain": "ops", "tags": ["red"], "min_quality": 0.75}
    assert ids(skills(alice, "harvest", **given)) == [wanted]


@pytest.mark.requirement(
    "registry.search-skill.element-fields",
    "registry.search-skill.element-types",
    "registry.search-skill.element-values",
    "registry.search-skill.example",
    "registry.search-skill.extra-fields",
    "registry.contribute-skill.id-usable",
    "registry.contribute-skill.quality-clears-default",
)
def test_the_example_of_the_contract(alice: Caller) -> None:
    front = "author: ann\ntags: [code-review, best-practices]\nkp: {domain: software-engineering}"
    text = skill_text("Code Review Checklist", front_matter=front)
    made = contribute_skill(alice, text)
    (found,) = skills(alice, "code review")
    assert 0.7 <= found.pop("quality_score") <= 1
    assert found == {
        "id": made,
        "name": "Code Review Checklist",
        "domain": "software-engineering",
        "tags": ["code-review", "best-practices"],
        "content": text,
        "description": "How to review a change before it is merged.",
        "visibility": "network",
        "author": "ann",
    }
    assert BODY in found["content"]
    contribute_skill(alice, plain_skill("Mending"))
    (plain,) = skills(alice, "mending")
    assert "author" not in plain
    assert (plain["tags"], plain["domain"]) == ([], None)


@pytest.mark.requirement("registry.search-skill.searched-fields", "registry.search-skill.substring")
def test_name_description_and_tags_are_searched_even_in_part(alice: Caller) -> None:
    made = contribute_skill(alice, tagged("Kubernetes Upgrades", "[rollouts]"))
    other = contribute_skill(
        alice, plain_skill("中文技能注册表", "搜索可复用的代理技能", body="没有其他内容。\n" + BODY)
    )
    for query in (
        "kubernetes",
        "UPGRADES",
        "rollouts",
        "bernet",
        "llout",
        "merged",
        "erge",
        "es u",
    ):
        assert ids(skills(alice, query, **ANY)) == [made], query
    assert skills(alice, "k8s", **ANY) == []
    for query in ("注册表", "册表", "可复用", "代理", "技"):
        assert ids(skills(alice, query, **ANY)) == [other], query


@pytest.mark.requirement("registry.search-skill.quality-order")
@pytest.mark.parametrize("embedded", [False, True])
def test_of_equal_matches_the_better_skill_comes_first(
    premises: Premises, alice: Caller, embedded: bool
) -> None:
    thin = f"---\nname: Harvest\ndescription: Do it\n---\nDo it. {near(80)}"
    better = thorough_skill("Harvest", body=f"{BODY}\n{near(80)}")
    worse_id = contribute_skill(premises.caller("ann"), thin)
    better_id = contribute_skill(alice, better)
    if embedded:
        premises.embed()
    assert ids(skills(alice, "harvest", **ANY)) == [better_id, worse_id]


@pytest.mark.requirement("registry.search-skill.quality-order", "registry.search-skill.no-match")
def test_relevance_goes_before_quality_and_meaning_must_be_near(
    premises: Premises, alice: Caller
) -> None:
    close = contribute_skill(alice, plain_skill("One", body=f"Do it. {near(97)}"))
    contribute_skill(alice, thorough_skill("Two", body=f"{BODY}\n{near(10)}"))
    named = contribute_skill(alice, plain_skill("Harvest", body=f"Do it. {near(97)}"))
    premises.embed()
    assert ids(skills(alice, "harvest", **ANY)) == [named, close]


@pytest.mark.requirement(
    "registry.search-skill.private-own",
    "registry.search-skill.org",
    "registry.search-skill.network",
    "registry.contribute-skill.visibility-values",
)
def test_a_skill_is_found_by_those_who_may_see_it(alice: Caller, bob: Caller, eve: Caller) -> None:
    made = {
        visibility: contribute_skill(
            alice, thorough_skill(f"Harvest {visibility}"), visibility=visibility
        )
        for visibility in ("private", "org", "network")
    }
    shown = {one["id"]: one["visibility"] for one in skills(alice, "harvest")}
    assert shown == {id: visibility for visibility, id in made.items()}
    assert set(ids(skills(bob, "harvest"))) == {made["org"], made["network"]}
    assert ids(skills(eve, "harvest")) == [made["network"]]
