"""The ledger holds in both directions, only grows, and says where we deliberately differ."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Collection, Iterable

from tests.surfaces.requirements import (
    ADAPTERS,
    KINDS,
    LEDGER,
    SURFACES,
    Requirement,
    SurfaceTest,
    awaited,
    floor,
    read_tests,
    requirements,
    surface_tests,
    unbuilt,
)


def unproven(
    ledger: Iterable[Requirement], tests: Iterable[SurfaceTest], waiting: Collection[str]
) -> list[str]:
    """Requirements that no test of the ordinary run names.

    Neither they nor their surface are among what is waited for.
    """
    named = {id_ for test in tests if not test.soak for id_ in test.ids}
    return [r.id for r in ledger if not {r.surface, r.id} & {*waiting} and r.id not in named]


def unfounded(ledger: Iterable[Requirement], tests: Iterable[SurfaceTest]) -> list[str]:
    """Tests that name no requirement, one that does not exist, or one that cannot be read."""
    known = {r.id for r in ledger}
    problems = []
    for test in tests:
        if test.vague:
            problems.append(f"{test}: write each id as a plain string")
        elif not test.ids:
            problems.append(f"{test}: names no requirement")
        problems += [f"{test}: no requirement `{id_}`" for id_ in test.ids if id_ not in known]
    return problems


def lowered(ledger: Iterable[Requirement], kept: dict[str, str]) -> list[str]:
    """Requirements that went missing or now demand something else."""
    now = {r.id: r.digest for r in ledger}
    gone = [f"{id_}: gone from the ledger" for id_ in kept if id_ not in now]
    changed = [
        f"{i}: its text changed" for i, digest in kept.items() if now.get(i, digest) != digest
    ]
    return gone + changed


def test_every_requirement_is_well_formed() -> None:
    ledger = requirements()
    twice = [id_ for id_, count in Counter(r.id for r in ledger).items() if count > 1]
    assert not twice
    wrong = [r.id for r in ledger if r.kind not in KINDS or not r.text.strip() or not r.source]
    assert not wrong
    misplaced = [r.id for r in ledger if r.surface not in SURFACES or r.id.count(".") != 2]
    assert not misplaced


def test_every_requirement_of_a_built_surface_has_a_test() -> None:
    missing = unproven(requirements(), surface_tests(), [*unbuilt(), *awaited()])
    assert not missing, "no test names:\n" + "\n".join(missing)


def test_every_surface_test_names_a_requirement() -> None:
    problems = unfounded(requirements(), surface_tests())
    assert not problems, "\n".join(problems)


def test_only_surfaces_without_an_adapter_are_listed_as_unbuilt() -> None:
    waiting = unbuilt()
    assert sorted(set(waiting)) == waiting, "unbuilt.toml: sorted, each name once"
    assert set(waiting) <= set(SURFACES), "unbuilt.toml names something that is no surface"
    built = [name for name in waiting if (ADAPTERS / name / "tools.py").exists()]
    assert not built, f"built, so take it out of unbuilt.toml: {built}"


def test_only_requirements_without_a_test_are_awaited() -> None:
    waiting = awaited()
    assert sorted(set(waiting)) == waiting, "unbuilt.toml: sorted, each id once"
    strangers = set(waiting) - {r.id for r in requirements()}
    assert not strangers, f"unbuilt.toml: no such requirement: {sorted(strangers)}"
    proven = {id_ for test in surface_tests() for id_ in test.ids} & set(waiting)
    assert not proven, f"proven, so take it out of unbuilt.toml: {sorted(proven)}"


def test_the_ledger_only_grows() -> None:
    problems = lowered(requirements(), floor())
    assert not problems, "\n".join(problems)


def test_a_new_requirement_joins_the_floor() -> None:
    absent = [f"{r.digest} {r.id}" for r in requirements() if r.id not in floor()]
    assert not absent, "add to floor.txt:\n" + "\n".join(absent)


def test_every_difference_is_explained() -> None:
    rows = tomllib.loads((LEDGER / "differences.toml").read_text("utf-8")).get("difference", [])
    known = {r.id for r in requirements()}
    for row in rows:
        assert row.keys() == {"id", "difference", "reason"}, row
        assert row["id"] in known, f"differences.toml: no requirement `{row['id']}`"
        assert row["difference"].strip(), row["id"]
        assert row["reason"].strip(), row["id"]
    assert len({row["id"] for row in rows}) == len(rows), "one entry a requirement"


SAMPLE = """
import pytest

@pytest.mark.requirement("notes.store.a", "notes.store.b")
def test_both(): ...

@pytest.mark.requirement("notes.store.class")
class TestStore:
    @pytest.mark.requirement("notes.store.method")
    async def test_method(self): ...

def test_nameless(): ...

@pytest.mark.requirement(SOME_ID)
def test_vague(): ...

@pytest.mark.soak
@pytest.mark.requirement("notes.store.c")
def test_long(): ...
"""
LEDGER_SAMPLE = [Requirement(f"notes.store.{end}", "s", "contract", "t") for end in ("a", "c")]


def test_marks_are_read_from_functions_and_classes() -> None:
    found = {test.name: test.ids for test in read_tests("notes/test_x.py", SAMPLE)}
    assert found == {
        "test_both": ("notes.store.a", "notes.store.b"),
        "test_method": ("notes.store.class", "notes.store.method"),
        "test_nameless": (),
        "test_vague": (),
        "test_long": ("notes.store.c",),
    }


def test_marks_of_a_module_are_read_too() -> None:
    module = 'pytestmark = [pytest.mark.soak]\n@pytest.mark.requirement("a")\ndef test_x(): ...'
    (test,) = read_tests("notes/test_x.py", module)
    assert (test.ids, test.soak) == (("a",), True)
    assert [test.soak for test in read_tests("notes/test_x.py", SAMPLE)] == [False] * 4 + [True]


def test_the_checks_find_what_is_wrong() -> None:
    tests = list(read_tests("notes/test_x.py", SAMPLE))
    assert unproven(LEDGER_SAMPLE, tests, []) == ["notes.store.c"]
    assert unproven(LEDGER_SAMPLE, tests, ["notes"]) == []
    assert unproven(LEDGER_SAMPLE, tests, ["notes.store.c"]) == []
    problems = "\n".join(unfounded(LEDGER_SAMPLE, tests))
    assert "test_both: no requirement `notes.store.b`" in problems
    assert "test_nameless: names no requirement" in problems
    assert "test_vague: write each id as a plain string" in problems
    kept = {"notes.store.a": "0", "notes.store.lost": "0", "notes.store.c": LEDGER_SAMPLE[1].digest}
    assert lowered(LEDGER_SAMPLE, kept) == [
        "notes.store.lost: gone from the ledger",
        "notes.store.a: its text changed",
    ]
