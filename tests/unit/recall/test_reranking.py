"""Second look at what was found: names, times, phrases and purposes move a hit, with a reason."""

from __future__ import annotations

import pytest

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.model.query import ScorePart
from commonplace.recall.evidence import evidence_of
from commonplace.recall.probability import is_known
from commonplace.recall.question import question_wording
from commonplace.recall.reranking import LOOKED_AT, reranked
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, counted
from commonplace.text.analyse import analyse, query_terms
from commonplace.text.path_class import PathClass


def weighed_evenly(question: str) -> WeighedTerms:
    weights = dict.fromkeys(query_terms(question), 3.0)
    return WeighedTerms(weights, 10.0, sum(weights.values()))


def scored(key: int, text: str, score: float, path: str | None = None) -> Scored:
    owner = Owner(OwnerType.ENTRY if path is None else OwnerType.DOCUMENT, key)
    chunk = ChunkTerms(key, owner, " ".join(analyse(text)), "", path=path)
    return Scored(chunk, score, (ScorePart("semantic", score, "meaning is near"),), score)


def order(question: str, found: list[Scored], **classes: PathClass) -> list[Scored]:
    query = weighed_evenly(question)
    counts = {one.chunk.key: counted(one.chunk, query) for one in found}
    asked = question_wording(question, query.weights)
    return reranked(found, counts, query, asked, lambda chunk: classes.get(chunk.path or ""))


def test_words_side_by_side_come_before_the_same_words_apart() -> None:
    apart = scored(1, "the budget has an error, and the canary waits", 0.60)
    together = scored(2, "the canary waits for the error budget", 0.59)
    first, second = order("what is the error budget of the canary", [apart, together])
    assert (first.chunk.key, second.chunk.key) == (2, 1)
    assert "phrase" in {part.name for part in first.parts}
    assert first.score == pytest.approx(sum(part.value for part in first.parts))


def test_who_asks_when_is_told_a_time() -> None:
    vague = scored(1, "Maria went to the picnic with friends", 0.60)
    dated = scored(2, "Maria went to the picnic last Saturday", 0.55)
    assert order("When did Maria go to the picnic?", [vague, dated])[0].chunk.key == 2
    assert order("Why did Maria go to the picnic?", [vague, dated])[0].chunk.key == 1


def test_a_test_stands_behind_its_source_unless_tests_are_asked_for() -> None:
    found = [scored(1, "parse body", 0.60, "test"), scored(2, "parse body", 0.57, "source")]
    classes = {"test": PathClass.TEST, "source": PathClass.SOURCE}
    assert order("how is the body parsed", found, **classes)[0].chunk.key == 2
    assert order("is there a test that the body is parsed", found, **classes)[0].chunk.key == 1


def test_documentation_stands_behind_code_for_who_asks_for_a_place() -> None:
    found = [scored(1, "parse body", 0.60, "docs"), scored(2, "parse body", 0.55, "source")]
    classes = {"docs": PathClass.DOCS, "source": PathClass.SOURCE}
    assert order("where is the body parsed", found, **classes)[0].chunk.key == 2
    assert order("how do I parse the body", found, **classes)[0].chunk.key == 1


def test_what_is_no_code_stands_behind_code_where_a_function_is_asked_for() -> None:
    found = [
        scored(1, "reject long numbers", 0.60),
        scored(2, "reject long numbers", 0.55, "source"),
    ]
    classes = {"source": PathClass.SOURCE}
    assert order("which function rejects long numbers", found, **classes)[0].chunk.key == 2
    assert order("how are long numbers rejected", found, **classes)[0].chunk.key == 1


def test_nothing_is_lost_and_what_is_far_down_keeps_its_order() -> None:
    found = [scored(key, "canary", 1 - key / 1000) for key in range(LOOKED_AT + 20)]
    again = order("canary error budget", found)
    assert [one.chunk.key for one in again] == [one.chunk.key for one in found]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("When did Melanie's sister visit Oslo?", {"melani", "oslo"}),
        ("Melanie likes what?", set()),
        ("how do I parse a body", set()),
        ("How To Parse The Body Of A Request", set()),
        ("WHEN DID MELANIE VISIT OSLO", set()),
    ],
)
def test_names_are_words_with_a_capital_inside_a_question(question: str, names: set[str]) -> None:
    asked = question_wording(question, query_terms(question))
    assert {one for one in asked.names if one.startswith(("melani", "oslo"))} == names
    assert bool(asked.names) == bool(names)


def test_a_question_about_somebody_unknown_is_told_so_although_the_rest_matches() -> None:
    said = [scored(key, "she painted a sunset by the lake with friends", 0.55) for key in range(12)]

    def known(question: str) -> bool:
        query = weighed_evenly(question)
        counts = {one.chunk.key: counted(one.chunk, query) for one in said}
        asked = question_wording(question, query.weights)
        evidence = evidence_of(said, counts, query, asked.names)
        return is_known(list(evidence))

    assert known("did anybody paint a sunset by the lake with friends")
    assert not known("did Anybody paint a sunset by the lake with friends")
