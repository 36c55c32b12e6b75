"""What is said twice is shown once, and no kind crowds out others."""

from __future__ import annotations

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.model.entry import Place
from commonplace.recall import choosing
from commonplace.recall.choosing import Judged, spread
from commonplace.recall.evidence import Evidence
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, counted

TEXT = "kafka is the event bus of the shop because its consumers replay what they miss at night"


def judged(
    key: int,
    terms: str = "",
    probability: float = 0.5,
    owner: int | None = None,
    kind: str = "note",
    resource: int | None = None,
) -> Judged:
    sort = OwnerType.DOCUMENT if kind == "file" else OwnerType.ENTRY
    place = Place(resource=resource)
    terms = terms or f"unlike{key} text{key} of{key} its{key} own{key}"
    whose = Owner(sort, owner or key)
    chunk = ChunkTerms(key, whose, terms, "", place, None, kind)
    return Judged(Scored(chunk, probability, ()), Evidence(), probability)


def distinct(found: list[Judged], asked: list[str]) -> list[Judged]:
    query = WeighedTerms(dict.fromkeys(asked, 1.0), 10.0, float(len(asked)))
    return choosing.distinct(found, {one.chunk.key: counted(one.chunk, query) for one in found})


def keys(found: list[Judged]) -> list[int]:
    return [one.chunk.key for one in found]


def test_a_copy_is_counted_with_the_first() -> None:
    found = distinct([judged(1, TEXT), judged(2, TEXT), judged(3, f"{TEXT} indeed")], ["kafka"])
    assert keys(found) == [1]
    assert found[0].copies == 2


def test_texts_that_differ_in_a_word_asked_for_are_both_shown() -> None:
    other = TEXT.replace("shop", "bank")
    assert keys(distinct([judged(1, TEXT), judged(2, other)], ["shop"])) == [1, 2]


def test_a_copy_is_known_of_whichever_came_before() -> None:
    others = [f"{number} {TEXT[::-1]} {number}" for number in range(2)]
    texts = [TEXT, others[0], TEXT, others[0], others[1].upper(), TEXT]
    found = distinct([judged(key, text) for key, text in enumerate(texts, start=1)], [])
    assert [(one.chunk.key, one.copies) for one in found] == [(1, 2), (2, 1), (5, 0)]


def test_short_texts_are_copies_only_when_they_are_equal() -> None:
    found = [judged(1, "lamp oil"), judged(2, "lamp oil"), judged(3, "lamp wick")]
    assert keys(distinct(found, [])) == [1, 3]


def test_an_entry_speaks_once_and_a_file_twice() -> None:
    entry = [judged(key, owner=1) for key in (1, 2, 3)]
    file = [judged(key, owner=9, kind="file", resource=4) for key in (4, 5, 6)]
    assert keys(distinct([*entry, *file], [])) == [1, 4, 5]


def test_one_kind_does_not_crowd_out_another_that_is_as_good() -> None:
    notes = [judged(key, probability=0.5) for key in range(1, 9)]
    file = judged(9, probability=0.4, kind="file", resource=4)
    assert keys(spread([*notes, file], 5)) == [1, 2, 3, 4, 9]


def test_what_is_far_less_likely_displaces_nothing() -> None:
    notes = [judged(key, probability=0.5) for key in range(1, 9)]
    file = judged(9, probability=0.1, kind="file", resource=4)
    assert keys(spread([*notes, file], 5)) == [1, 2, 3, 4, 5]
