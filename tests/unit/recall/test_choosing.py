"""What is said twice is shown once, and no kind crowds out others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from commonplace.model.chunk import ChunkTerms, Owner, OwnerType
from commonplace.model.entry import Place
from commonplace.recall.choosing import Distinct, Judged, spread
from commonplace.recall.evidence import Evidence
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import CountedTerms, WeighedTerms, counted

TEXT = "kafka is the event bus of the shop because its consumers replay what they miss at night"

NOTHING = CountedTerms({}, 0)


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


def passages(found: list[Judged], asked: list[str]) -> Distinct:
    query = WeighedTerms(dict.fromkeys(asked, 1.0), 10.0, float(len(asked)))
    counts = {one.chunk.key: counted(one.chunk, query) for one in found}
    return Distinct([one.scored for one in found], iter(found), counts)


def distinct(found: list[Judged], asked: list[str]) -> list[Judged]:
    """Everything read, each with its copies."""
    each = passages(found, asked)
    return each.with_copies(list(each))


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


@given(some.lists(some.tuples(some.integers(0, 4), some.integers(0, 6), some.booleans())))
def test_what_is_not_read_changes_nothing(given_ones: list[tuple[int, int, bool]]) -> None:
    """However little is read, the first are the same, each with as many copies."""
    texts = [TEXT, f"{TEXT} indeed", TEXT.replace("shop", "bank"), TEXT[::-1], "lamp oil"]
    found = [
        judged(key, texts[text], owner=owner, kind="file" if of_file else "note")
        for key, (text, owner, of_file) in enumerate(given_ones)
    ]
    whole = distinct(found, ["shop"])
    for count in range(len(whole) + 1):
        some_read = passages(found, ["shop"])
        assert some_read.with_copies(some_read.first(count)) == whole[:count]


def test_no_more_is_judged_than_is_shown() -> None:
    found = [judged(key, owner=key) for key in range(1, 9)]
    read = iter(found)
    each = Distinct([one.scored for one in found], read, dict.fromkeys(range(1, 9), NOTHING))
    each.with_copies(each.first(2))
    assert next(read).chunk.key == 3


def test_one_kind_does_not_crowd_out_another_that_is_as_good() -> None:
    notes = [judged(key, probability=0.5) for key in range(1, 9)]
    file = judged(9, probability=0.4, kind="file", resource=4)
    assert keys(spread([*notes, file], 5)) == [1, 2, 3, 4, 9]


def test_what_is_far_less_likely_displaces_nothing() -> None:
    notes = [judged(key, probability=0.5) for key in range(1, 9)]
    file = judged(9, probability=0.1, kind="file", resource=4)
    assert keys(spread([*notes, file], 5)) == [1, 2, 3, 4, 5]
