"""What every user expects: nothing lost, found at once, any query, clean errors."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain
from typing import Any

import pytest
from anyio.from_thread import BlockingPortal

from commonplace.settings import Settings
from tests.surfaces.clients import Caller, Connections, together
from tests.surfaces.processes import Processes
from tests.surfaces.registry.steps import (
    ANY,
    CONTRIBUTE_KNOWLEDGE,
    CONTRIBUTE_SKILL,
    SEARCH_SKILL,
    VALIDATE,
    contribute,
    contribute_skill,
    contributed_id,
    ids,
    plain_skill,
    refusal,
    reputation,
    skills,
    units,
    validate,
)
from tests.unit.registry.samples import pattern, skill_text, thorough_skill, trace

EACH = 4


def everything_kept(caller: Caller) -> list[Any]:
    return [
        skills(caller, "kept"),
        units(caller, "kept"),
        reputation(caller, "alice"),
        reputation(caller, "bob"),
    ]


@pytest.mark.requirement("registry.expect.durable")
def test_what_was_answered_outlives_the_server(
    processes: Processes, portal: BlockingPortal, wired: Settings
) -> None:
    """One server is killed, one ends with its client; each has contributed and judged."""
    other = wired.model_copy(update={"agent": "bob"})
    with ExitStack() as first:
        server = processes.stdio(wired, connect=Connections(portal, first))
        alice = server.caller
        contribute_skill(alice, thorough_skill("Kept skill"))
        made = contributed_id(alice, trace("Kept unit"))
        bob = processes.stdio(other, connect=Connections(portal, first)).caller
        contribute_skill(bob, thorough_skill("Kept as well"))
        validate(bob, made)
        validate(alice, contributed_id(bob, pattern("Kept pattern")))
        before = everything_kept(alice)
        assert "kp:validator:bob" in str(before)
        assert "kp:validator:alice" in str(before)
        server.kill()
    again = processes.stdio(wired).caller
    assert everything_kept(again) == before


def contribute_and_search(caller: Caller, name: str) -> list[str]:
    made = []
    for number in range(EACH):
        made.append(contribute_skill(caller, thorough_skill(f"{name} {number} harvest")))
        assert made[-1] in ids(skills(caller, f"{name} {number}", limit=20))
        made.append(contributed_id(caller, pattern(f"{name} {number} harvest")))
        assert made[-1] in ids(units(caller, f"{name} {number}", limit=10, **ANY))
    return made


@pytest.mark.requirement("registry.expect.many-processes")
def test_processes_share_one_store(processes: Processes, wired: Settings) -> None:
    names = ["ann", "ben", "cat"]
    callers = [processes.stdio(wired.model_copy(update={"agent": name})).caller for name in names]
    made = together(
        *(lambda c=c, n=n: contribute_and_search(c, n) for c, n in zip(callers, names, strict=True))
    )
    assert len(set(chain.from_iterable(made))) == len(names) * EACH * 2
    for name in names:
        assert reputation(callers[0], name)["contributions"] == EACH * 2


@pytest.mark.requirement("registry.expect.many-processes")
def test_verdicts_at_the_same_moment_all_count(
    processes: Processes, wired: Settings, endpoint: str
) -> None:
    address = processes.http(wired)
    alice = processes.connect(address, mode="auto")
    made = contributed_id(alice, trace("Harvest"))
    names = ["ann", "ben", "cat"]
    judges = [processes.stdio(wired.model_copy(update={"agent": name})).caller for name in names]
    together(*(lambda c=c: validate(c, made) for c in judges))
    (found,) = units(alice, "harvest", **ANY)
    expected = [f"kp:validator:{name}" for name in names]
    assert found["content"]["metadata"]["validated_by"] == expected


@pytest.mark.requirement("registry.expect.read-your-write", "registry.expect.words-in-any-order")
def test_a_contribution_is_found_at_once_by_its_words_in_any_order(alice: Caller) -> None:
    skill = contribute_skill(alice, plain_skill("Barrel mending", "How coopers tighten hoops."))
    assert ids(skills(alice, "barrel mending", **ANY)) == [skill]
    assert ids(skills(alice, "hoops barrel coopers", **ANY)) == [skill]
    unit = contributed_id(alice, trace("Tighten the hoops of an oak barrel"))
    assert ids(units(alice, "tighten the hoops of an oak barrel", **ANY)) == [unit]
    assert ids(units(alice, "barrel oak tighten", **ANY)) == [unit]


@pytest.mark.requirement("registry.expect.query-any-characters")
def test_any_characters_are_plain_text(alice: Caller) -> None:
    made = contribute_skill(alice, thorough_skill('Re-deploy "blue/green" 100% (AND, NOT *)'))
    for query in (
        "re-deploy",
        '"blue/green"',
        "100%",
        "(AND, NOT *)",
        "blue/green AND",
        "NOT",
        "*",
        "%",
    ):
        assert ids(skills(alice, query)) == [made], query
    for query in (
        "'; DROP TABLE x; --",
        "a OR",
        "NEAR(",
        "col:x",
        "\\",
        "{}",
        "^",
        "|",
        "\U0001f600",
    ):
        skills(alice, query)
        units(alice, query)


@pytest.mark.requirement("registry.expect.clean-errors")
def test_errors_say_what_is_wrong_and_nothing_else(alice: Caller) -> None:
    errors = [
        refusal(alice, SEARCH_SKILL, query="a\0b"),
        refusal(alice, SEARCH_SKILL, query="x" * 20_000),
        refusal(alice, SEARCH_SKILL, query="x", tags=["a\0"]),
        refusal(alice, CONTRIBUTE_SKILL, skill_md_content=skill_text(body="a\0")),
        refusal(alice, CONTRIBUTE_KNOWLEDGE, unit=trace("a\0b"), visibility="org"),
        refusal(alice, CONTRIBUTE_KNOWLEDGE, unit=trace(extra={"a\0": 1}), visibility="org"),
        refusal(alice, VALIDATE, unit_id="x\0", valid=True),
        refusal(alice, VALIDATE, unit_id="x", valid=True, feedback="a\0"),
        refusal(alice, "kp_reputation_query", agent_id="a\0"),
    ]
    for error in errors:
        assert error["code"] in ("validation.invalid_argument", "knowledge.not_found"), error
        told = str(error).lower()
        for leak in ("traceback", "select ", "insert", "/usr", "/tmp", "sqlite", "psycopg", ".py"):
            assert leak not in told, error
    assert contribute(alice, trace("Still at work"))["id"]
