"""Term statistics, BM25 by hand, and coverage as a scale that queries share."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.retrieval.scoring import bm25, counted, coverage, weighed
from commonplace.retrieval.statistics import LARGE_SAMPLE, TermStatistics, count_terms
from tests.unit.retrieval.samples import chunk

STATISTICS = TermStatistics(sampled=10, average_length=4.0, frequencies={"cat": 1, "the": 9})
WORDS = st.lists(st.sampled_from(["cat", "dog", "the", "fish"]), max_size=30)


@given(WORDS, WORDS)
def test_terms_are_counted_as_if_the_texts_were_split(body: list[str], context: list[str]) -> None:
    query = weighed(["cat", "the", "absent"], STATISTICS)
    found = counted(chunk(1, " ".join(body), " ".join(context)), query)
    assert found.counts == {
        term: body.count(term) + 2 * context.count(term) for term in query.weights
    }
    assert found.length == len(body) + len(context)


def test_statistics_of_a_sample() -> None:
    terms = count_terms(["cat cat dog", "cat", "dog bird fish"])
    assert terms.sampled == 3
    assert terms.average_length == pytest.approx(7 / 3)
    assert terms.frequencies == {"cat": 2, "dog": 2, "bird": 1, "fish": 1}
    assert terms.expected("cat") == pytest.approx(2)
    assert terms.expected("absent") == 0
    assert replace(terms, chunks=300).expected("cat") == pytest.approx(200)


def test_statistics_of_nothing_are_usable() -> None:
    nothing = count_terms([])
    assert (nothing.sampled, nothing.average_length) == (0, 1.0)
    assert nothing.expected("cat") == 0
    assert nothing.weight("cat") > 0


def test_a_large_sample_forgets_what_it_saw_once() -> None:
    sample = ["common", *(f"common once{n}" for n in range(LARGE_SAMPLE))]
    assert set(count_terms(sample).frequencies) == {"common"}


def test_rarer_terms_weigh_more_and_none_weighs_less_than_nothing() -> None:
    weights = [STATISTICS.weight(term) for term in ("absent", "cat", "the")]
    assert weights == sorted(weights, reverse=True)
    assert weights[-1] > 0
    assert TermStatistics(10, 4.0, {"everywhere": 10}).weight("everywhere") > 0


def test_among_others_a_term_is_as_rare_as_they_make_it() -> None:
    only = TermStatistics(sampled=1, average_length=4.0, frequencies={"cat": 1})
    assert only.weight("cat") < only.weight("absent") / 4
    among = only.with_others(10)
    assert among.weight("absent") / 2 < among.weight("cat") < among.weight("absent")
    assert only.with_others(0) == only


def test_bm25_by_hand() -> None:
    """One term twice in a body of three, once in a context of one (counting double)."""
    found = chunk(1, "cat sat cat", "cat")
    weight = math.log(1 + (10 - 1 + 0.5) / (1 + 0.5))
    count = 2 + 2 * 1
    damping = 1.2 * (1 - 0.75 + 0.75 * 4 / 4.0)
    expected = weight * count * 2.2 / (count + damping)
    query = weighed(["cat"], STATISTICS)
    assert bm25(counted(found, query), query) == pytest.approx(expected)
    assert coverage(found, query) == pytest.approx(expected / (weight * 2.2))


def test_no_word_is_zero_and_an_empty_query_too() -> None:
    assert coverage(chunk(1, "dog"), weighed(["cat"], STATISTICS)) == 0
    assert coverage(chunk(1, "dog"), weighed([], STATISTICS)) == 0


@given(body=WORDS, context=WORDS, terms=WORDS)
def test_coverage_stays_between_nothing_and_everything(
    body: list[str], context: list[str], terms: list[str]
) -> None:
    found = chunk(1, " ".join(body), " ".join(context))
    assert 0 <= coverage(found, weighed(terms, STATISTICS)) < 1


@given(body=WORDS)
def test_a_word_of_the_query_in_place_of_another_never_hurts(body: list[str]) -> None:
    """Of two equally long texts, the one with one more occurrence scores higher."""
    less = chunk(1, " ".join([*body, "filler"]))
    more = chunk(1, " ".join([*body, "cat"]))
    query = weighed(["cat", "dog"], STATISTICS)
    assert coverage(more, query) > coverage(less, query)


@given(terms=st.permutations(["cat", "dog", "the"]), held=st.integers(0, 3))
def test_more_of_the_query_covers_more(terms: list[str], held: int) -> None:
    shorter = chunk(1, " ".join([*terms[:held], *["filler"] * (3 - held)]))
    whole = chunk(1, " ".join(terms))
    query = weighed(terms, STATISTICS)
    assert coverage(shorter, query) <= coverage(whole, query)


def test_a_match_in_the_title_beats_one_in_the_body() -> None:
    in_title, in_body = chunk(1, "dog", "cat"), chunk(2, "cat", "dog")
    query = weighed(["cat"], STATISTICS)
    assert bm25(counted(in_title, query), query) > bm25(counted(in_body, query), query)
