"""How the worth of a source, names and places weigh on what words and meaning say."""

from __future__ import annotations

from itertools import pairwise
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType, TrustTier
from commonplace.model.entry import Place
from commonplace.model.query import ScorePart
from commonplace.retrieval.fusion import Scored
from commonplace.workspace.search.ranking import BASE, SourceWeighting, ranked
from commonplace.workspace.search.wording import QueryIntent

PLAIN = SourceWeighting(TrustTier.CANONICAL, 1.0)


def found(
    key: int,
    score: float = 0.5,
    *,
    resource: int = 1,
    path: str | None = "a.md",
    names: str = "",
    terms: str = "",
    file: int = 0,
) -> Scored:
    owner = Owner(OwnerType.DOCUMENT, file or key)
    chunk = ChunkTerms(key, owner, terms, names, Place(resource=resource), path)
    return Scored(chunk, score, (ScorePart("semantic", score, "meaning is near"),))


def parts(one: Scored) -> dict[str, float]:
    return {part.name: part.value for part in one.parts}


def test_trust_orders_equal_texts() -> None:
    worth = {n: SourceWeighting(tier, 1.0) for n, tier in enumerate(reversed(TrustTier), start=1)}
    order = ranked([found(n, resource=n) for n in worth], worth, ())
    assert [one.chunk.key for one in order] == [3, 2, 1]
    assert [parts(one)["trust"] for one in order] == [1.0, 0.7, 0.4]
    assert [one.score for one in order] == pytest.approx([0.5, 0.35, 0.2])


def test_the_weight_of_a_source_orders_and_no_score_is_above_one() -> None:
    worth = {
        1: SourceWeighting(TrustTier.CANONICAL, 0.1),
        2: SourceWeighting(TrustTier.CANONICAL, 2.0),
    }
    heavy, light = ranked([found(1, 0.9), found(2, 0.9, resource=2)], worth, ())
    assert (heavy.chunk.key, heavy.score) == (2, 1.0)
    assert light.score == pytest.approx(0.09)


def test_beyond_one_what_is_worth_more_still_comes_first() -> None:
    order = ranked(
        [found(1, 0.8), found(2, 0.9)], {1: SourceWeighting(TrustTier.CANONICAL, 2.0)}, ()
    )
    assert [(one.chunk.key, one.score) for one in order] == [(2, 1.0), (1, 1.0)]


def test_a_name_that_matches_counts_more_than_running_text() -> None:
    text, name = found(1), found(2, names="retri polici")
    order = ranked([text, name], {1: PLAIN}, ("retri", "payment"))
    assert [one.chunk.key for one in order] == [2, 1]
    assert parts(order[0])["match_boost"] > parts(order[1])["match_boost"] == 1.0


def test_what_bears_a_name_comes_before_what_uses_it() -> None:
    uses, bears = found(1, 0.9, terms="payment"), found(2, 0.8, names="payment")
    assert [one.chunk.key for one in ranked([uses, bears], {1: PLAIN}, ("payment",))] == [1, 2]
    named = ranked([uses, bears], {1: PLAIN}, ("payment",), name=True)
    assert [one.chunk.key for one in named] == [2, 1]


def test_tests_step_back_unless_they_are_asked_for() -> None:
    pair = [found(1, path="src/test_a.py"), found(2, path="src/a.py")]
    order = ranked(pair, {1: PLAIN}, ("payment",))
    asked = ranked(pair, {1: PLAIN}, ("payment", "test"))
    assert [one.chunk.key for one in order] == [2, 1]
    assert parts(order[1])["test_penalty_multiplier"] < 1.0
    assert [one.chunk.key for one in asked] == [1, 2]


def test_a_source_may_be_a_folder_of_tests_and_an_entry_has_no_path() -> None:
    worth = {1: SourceWeighting(TrustTier.CANONICAL, 1.0, "test"), 2: PLAIN}
    test, entry = found(1, path="retry.ts"), found(2, path=None, resource=2)
    order = ranked([test, entry], worth, ("payment",))
    assert [one.chunk.key for one in order] == [2, 1]
    assert parts(order[0])["context_multiplier"] == 1.0
    assert parts(order[1])["test_penalty_multiplier"] < 1.0


def test_what_is_not_ours_steps_back() -> None:
    order = ranked([found(1, path="vendor/a.py"), found(2)], {1: PLAIN}, ())
    assert [one.chunk.key for one in order] == [2, 1]
    assert parts(order[1])["context_multiplier"] < parts(order[0])["context_multiplier"]


def test_one_file_does_not_crowd_out_the_others() -> None:
    crowd = [found(key, 0.5 - key / 1000, file=99) for key in range(1, 9)]
    order = ranked([*crowd, found(20, 0.48)], {1: PLAIN}, ())
    assert order[0].chunk.key == 1
    assert order[1].chunk.key == 20
    assert parts(order[1])["source_balance_multiplier"] == 1.0


def test_the_best_of_another_file_comes_before_more_of_the_first() -> None:
    order = ranked([found(1, 0.5, file=9), found(2, 0.5, file=9), found(3, 0.48)], {1: PLAIN}, ())
    assert [one.chunk.key for one in order] == [1, 3, 2]


def test_a_file_that_answers_twice_comes_before_one_that_answers_once() -> None:
    once, twice = found(1, 0.5), [found(2, 0.48, file=9), found(3, 0.3, file=9)]
    order = ranked([once, *twice], {1: PLAIN}, ())
    assert [one.chunk.key for one in order] == [2, 1, 3]
    balance = {one.chunk.key: parts(one)["source_balance_multiplier"] for one in order}
    assert balance[2] > balance[1] == 1.0 > balance[3]


def test_a_file_whose_chunks_have_the_words_between_them_comes_first() -> None:
    both = [found(2, terms="retri", file=9), found(3, 0.1, terms="payment", file=9)]
    order = ranked([found(1, terms="retri"), *both], {1: PLAIN}, ("retri", "payment"))
    balance = {one.chunk.key: parts(one)["source_balance_multiplier"] for one in order}
    assert order[0].chunk.key == 2
    assert balance[2] > balance[1] > 1.0


@pytest.mark.parametrize(
    ("intent", "first"),
    [(QueryIntent.ANYTHING, 1), (QueryIntent.WORKINGS, 1), (QueryIntent.PLACE, 2)],
)
def test_code_comes_before_prose_where_a_place_is_asked_for(
    intent: QueryIntent, first: int
) -> None:
    prose, code = found(1, path="docs/retry.md"), found(2, path="src/retry.py")
    order = ranked([prose, code], {1: PLAIN}, (), intent=intent)
    assert order[0].chunk.key == first


def test_a_wish_weighs_on_documentation_alone() -> None:
    prose, code, note = found(1), found(2, path="src/a.py"), found(3, path=None)
    usual, asked = (
        {one.chunk.key: parts(one) for one in ranked([prose, code, note], {1: PLAIN}, (), intent=w)}
        for w in (QueryIntent.ANYTHING, QueryIntent.PLACE)
    )
    assert asked[1]["context_multiplier"] < usual[1]["context_multiplier"]
    assert (asked[2], asked[3]) == (usual[2], usual[3])


def test_what_belongs_to_no_known_source_is_left_out() -> None:
    assert ranked([found(1, resource=7)], {1: PLAIN}, ()) == []


@given(
    st.lists(st.floats(0.01, 1.0), max_size=20),
    st.floats(0.1, 2.0),
    st.sampled_from(TrustTier),
)
def test_the_parts_make_the_score(scores: list[float], weight: float, tier: TrustTier) -> None:
    hits = [found(key, score, file=key % 3 + 1) for key, score in enumerate(scores, start=1)]
    order = ranked(hits, {1: SourceWeighting(tier, weight)}, ("a",))
    for one in order:
        base = sum(part.value for part in one.parts if part.name in BASE)
        factors = prod(part.value for part in one.parts if part.name not in BASE)
        assert one.score == pytest.approx(min(1.0, base * factors))
        assert all(part.reason for part in one.parts)
    assert all(first.score >= second.score for first, second in pairwise(order))
