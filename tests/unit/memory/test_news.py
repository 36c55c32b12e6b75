"""What looks untidy among entries, and what only looks alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from commonplace.memory.news import Untidy, suggestions
from commonplace.model.capture import Access
from commonplace.model.entry import Entry, EntryContent, EntryKind, Place

NOW = datetime(2030, 1, 1, tzinfo=UTC)
TEXT = "The nightly job writes its report into the shared bucket before four in the morning."


def entry(key: int, body: str, days: int = 1, project: str | None = None, **given: object) -> Entry:
    at = NOW - timedelta(days=days)
    content = EntryContent(f"Title {key}", body, place=Place(project=project), attributes=given)
    return Entry(key, "acme", f"id-{key}", EntryKind.NOTE, content, "agent", "alice", 1, at, at)


def found(
    *entries: Entry, accesses: dict[int, Access] | None = None
) -> list[tuple[Untidy, list[int]]]:
    told = suggestions(entries, accesses or {}, NOW)
    return [(one.why, [each.key for each in one.entries]) for one in told]


def test_doubled_entries_are_told_with_the_one_that_says_less_first() -> None:
    longer = f"{TEXT} The report is kept for a year."
    assert found(entry(1, TEXT, 2), entry(2, TEXT)) == [(Untidy.DOUBLED, [1, 2])]
    assert found(entry(1, longer, 2), entry(2, TEXT)) == [(Untidy.DOUBLED, [2, 1])]


def test_other_projects_and_pairs_that_were_kept_apart_are_left_alone() -> None:
    assert found(entry(1, TEXT, project="a"), entry(2, TEXT, project="b")) == []
    assert found(entry(1, TEXT, kept_apart=["id-2"]), entry(2, TEXT)) == []


def test_a_contradiction_has_its_reason() -> None:
    (told,) = suggestions([entry(1, TEXT, 2), entry(2, TEXT.replace("four", "six"))], {}, NOW)
    assert told.why is Untidy.CONTRADICTING
    assert told.reason == "it says 'four' where this says 'six'"


def test_what_nobody_used_or_confirmed_for_long_is_told() -> None:
    old = entry(1, TEXT, days=400)
    assert found(old) == [(Untidy.UNUSED, [1])]
    assert found(entry(2, TEXT, days=100)) == []
    assert found(old, accesses={1: Access(3, NOW, NOW - timedelta(days=5))}) == []
    assert found(entry(3, TEXT, days=400, voices={"bob": True})) == []


def test_many_texts_of_the_same_phrase_are_not_compared_with_each_other() -> None:
    assert (
        found(*(entry(n, f"As a matter of fact number {n} is odd {n}") for n in range(300))) == []
    )
