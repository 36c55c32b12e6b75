"""Usage, round-robin, budget and diversity: values computed by hand, and what holds for any."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.model.capture import Access
from commonplace.model.entry import Entry, EntryContent, EntryKind, Place
from commonplace.retrieval.tiers import (
    Diversify,
    WeighedEntry,
    boosted,
    capped,
    diversified,
    diversity,
    usage,
)

NOW = datetime(2030, 1, 1, tzinfo=UTC)
NEVER = Access()


def found(
    name: str,
    score: float = 0.5,
    kind: str = "solution",
    project: str = "x",
    tokens: int = 1,
    access: Access = NEVER,
) -> WeighedEntry:
    content = EntryContent(name, name, category=kind, place=Place(project=project))
    entry = Entry(1, "acme", name, EntryKind.ITEM, content, "agent", "alice", 1, NOW, NOW)
    return WeighedEntry(entry, score, access, tokens)


def used(count: int, days_ago: float = 0.0) -> Access:
    return Access(count, NOW - timedelta(days=400), NOW - timedelta(days=days_ago))


def names(some: Sequence[WeighedEntry]) -> str:
    return "".join(one.entry.id for one in some)


@st.composite
def stores(draw: st.DrawFn) -> list[WeighedEntry]:
    """What a search could have found: best first, few types and projects, any length and use."""
    scores = sorted(draw(st.lists(st.floats(0, 1), max_size=30)), reverse=True)
    return [
        found(
            f"{number} ",
            score,
            draw(st.sampled_from(["solution", "win", "gotcha"])),
            draw(st.sampled_from(["x", "y", "z"])),
            draw(st.integers(0, 50)),
            draw(st.sampled_from([NEVER, used(1), used(9), used(9, 30), used(10**9)])),
        )
        for number, score in enumerate(scores)
    ]


@pytest.mark.parametrize(
    ("access", "expected"),
    [
        (NEVER, 0),
        (Access(0, None, NOW), 0),
        (used(1), math.log(2) / 10),
        (used(9), 0.2303),
        (used(9, 30), 0.0847),
        (used(9, 60), 0.2303 * math.exp(-2)),
        (used(9, -1), 0.2303),
        (used(10**9), 1),
        (used(9, 36500), 0),
    ],
)
def test_usage_grows_with_the_logarithm_of_uses_and_fades_in_a_month(
    access: Access, expected: float
) -> None:
    assert usage(access, NOW) == pytest.approx(expected, abs=5e-5)


@given(st.integers(0, 10**12), st.floats(0, 10_000))
def test_usage_stays_within_bounds_and_falls_with_time(count: int, days: float) -> None:
    today = usage(used(count), NOW)
    assert 0 <= usage(used(count, days), NOW) <= today <= usage(used(count + 1), NOW) <= 1


@pytest.mark.parametrize(
    ("factor", "access", "expected"),
    [
        (0.2, used(9), 0.5461),
        (0.2, used(9, 30), 0.5169),
        (0.2, NEVER, 0.5),
        (0, used(9), 0.5),
        (10, used(9), 1),
    ],
)
def test_what_was_used_is_lifted(factor: float, access: Access, expected: float) -> None:
    (lifted,) = boosted([found("A", 0.5, access=access)], factor, NOW)
    assert lifted.score == pytest.approx(expected, abs=5e-5)


def test_lifting_reorders_and_keeps_the_order_of_equals() -> None:
    some = [found("A", 0.7), found("B", 0.66, access=used(9)), found("C", 0.5), found("D", 0.5)]
    assert names(boosted(some, 0.2, NOW)) == "BACD"
    assert names(boosted(some, 0.1, NOW)) == names(boosted(some, 0, NOW)) == "ABCD"


@given(stores(), st.floats(0, 10))
def test_lifting_loses_nothing_and_lowers_nothing(some: list[WeighedEntry], factor: float) -> None:
    lifted = boosted(some, factor, NOW)
    before = {one.entry.id: one.score for one in some}
    assert {one.entry.id for one in lifted} == before.keys()
    assert all(before[one.entry.id] <= one.score <= 1 for one in lifted)
    scores = [one.score for one in lifted]
    assert scores == sorted(scores, reverse=True)


TWO_TYPES = [("A", "solution", "x"), ("B", "solution", "x"), ("C", "win", "x")]
TWO_PROJECTS = [("A", "win", "x"), ("B", "win", "x"), ("C", "win", "y")]
PAIRS = [*TWO_TYPES, ("D", "solution", "y")]


@pytest.mark.parametrize(
    ("by", "rows", "expected"),
    [
        (Diversify.TYPE, TWO_TYPES, "ACB"),
        (Diversify.PROJECT, TWO_TYPES, "ABC"),
        (Diversify.PROJECT, TWO_PROJECTS, "ACB"),
        (Diversify.TYPE, TWO_PROJECTS, "ABC"),
        (Diversify.BOTH, PAIRS, "ACDB"),
        (Diversify.TYPE, PAIRS, "ACBD"),
        (Diversify.PROJECT, PAIRS, "ADBC"),
        (Diversify.NONE, PAIRS, "ABCD"),
        (Diversify.TYPE, [], ""),
    ],
)
def test_one_of_each_group_in_turn(
    by: Diversify, rows: list[tuple[str, str, str]], expected: str
) -> None:
    some = [found(name, kind=kind, project=project) for name, kind, project in rows]
    assert names(diversified(some, by)) == expected


def round_robin(some: Sequence[WeighedEntry], by: Diversify) -> list[WeighedEntry]:
    """The same, told as taking turns: each group hands out its best until all are empty."""
    queues: dict[tuple[str | None, ...], deque[WeighedEntry]] = {}
    for one in some:
        kind, project = one.entry.content.category, one.entry.content.place.project
        group = {"type": (kind,), "project": (project,), "both": (kind, project)}.get(by, ())
        queues.setdefault(group, deque()).append(one)
    taken: list[WeighedEntry] = []
    while len(taken) < len(some):
        taken += [queue.popleft() for queue in queues.values() if queue]
    return taken


@given(stores(), st.sampled_from(Diversify))
def test_groups_take_turns_whatever_was_found(some: list[WeighedEntry], by: Diversify) -> None:
    assert diversified(some, by) == round_robin(some, by)


@pytest.mark.parametrize(
    ("sizes", "budget", "kept", "enforced"),
    [
        ([3, 3, 3], 9, "012", False),
        ([3, 3, 3], 8, "01", True),
        ([5, 90, 4, 2, 1], 10, "024", True),
        ([11], 10, "", True),
        ([10], 10, "0", False),
        ([], 1, "", False),
    ],
)
def test_what_is_smaller_may_follow_what_did_not_fit(
    sizes: list[int], budget: int, kept: str, enforced: bool
) -> None:
    fitting = capped([found(str(n), tokens=size) for n, size in enumerate(sizes)], budget)
    assert (names(fitting.found), fitting.enforced) == (kept, enforced)


@given(stores(), st.integers(1, 500))
def test_the_budget_is_never_exceeded(some: list[WeighedEntry], budget: int) -> None:
    fitting = capped(some, budget)
    spent = sum(one.tokens for one in fitting.found)
    assert spent <= budget
    assert fitting.found == tuple(one for one in some if one in fitting.found), "in order"
    left_out = [one for one in some if one not in fitting.found]
    assert fitting.enforced is bool(left_out)
    assert all(one.tokens > budget - spent for one in left_out), "nothing fits any more"


@given(stores(), st.sampled_from(Diversify), st.integers(1, 500))
def test_nothing_comes_twice(some: list[WeighedEntry], by: Diversify, budget: int) -> None:
    kept = capped(diversified(boosted(some, 0.2, NOW), by), budget).found
    assert max(Counter(one.entry.id for one in kept).values(), default=1) == 1


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([], 0),
        (["sx"], 0),
        (["sx", "sx"], 0),
        (["sx", "sx", "wx", "wx"], 0.5),
        (["sx", "sy", "wx", "wy"], 1),
        (["sx", "wy"], 1),
        (["sx", "sx", "sx", "wx"], 0.8113 / 2),
        (["sx", "wx", "gx"], 0.5),
    ],
)
def test_diversity_is_the_mean_evenness_of_types_and_projects(
    groups: list[str], expected: float
) -> None:
    entries = [found("A", kind=pair[0], project=pair[1]).entry for pair in groups]
    assert diversity(entries) == pytest.approx(expected, abs=5e-5)


@given(stores())
def test_diversity_stays_within_bounds_in_any_order(some: list[WeighedEntry]) -> None:
    entries = [one.entry for one in some]
    assert 0 <= diversity(entries) <= 1
    assert diversity(entries[::-1]) == pytest.approx(diversity(entries))
