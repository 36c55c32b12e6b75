"""The chain from an entry to its newest successor: no circle, no second successor."""

from __future__ import annotations

import pytest

from commonplace.errors import AlreadySuperseded, SupersessionCycle
from commonplace.knowledge.supersession import released, repointed, superseded
from commonplace.model.entry import Entry
from tests.unit.knowledge.samples import entry


def chain(length: int) -> list[Entry]:
    """e1 superseded by e2 superseded by e3 ...; the last is the newest."""
    newest = f"e{length}"
    older = [entry(n, superseded_by=f"e{n + 1}", head=newest) for n in range(1, length)]
    return [*older, entry(length)]


def test_a_successor_that_is_current_is_the_head() -> None:
    done = superseded(entry(1), entry(2))
    assert done is not None
    assert (done.superseded_by, done.head) == ("e2", "e2")


def test_a_successor_that_was_superseded_leads_on() -> None:
    done = superseded(entry(9), chain(3)[0])
    assert done is not None
    assert (done.superseded_by, done.head) == ("e1", "e3")


@pytest.mark.parametrize("length", [1, 2, 3, 7])
def test_a_circle_of_any_length_is_refused(length: int) -> None:
    links = chain(length)
    with pytest.raises(SupersessionCycle):
        superseded(links[-1], links[0])


def test_the_same_supersession_again_changes_nothing() -> None:
    older, newer = chain(2)
    assert superseded(older, newer) is None


def test_a_second_successor_is_refused_and_the_first_is_named() -> None:
    older = chain(2)[0]
    with pytest.raises(AlreadySuperseded, match="e2"):
        superseded(older, entry(3))


def test_followers_are_repointed_and_keep_their_successor() -> None:
    followers = repointed(chain(3)[:2], "e9")
    assert [(e.superseded_by, e.head) for e in followers] == [("e2", "e9"), ("e3", "e9")]


def test_releasing_the_middle_takes_those_before_it_along() -> None:
    links = chain(5)
    entry_3, followers = released(links[2], links[:-1])
    assert (entry_3.superseded_by, entry_3.head) == (None, None)
    assert {(e.id, e.superseded_by, e.head) for e in followers} == {
        ("e1", "e2", "e3"),
        ("e2", "e3", "e3"),
    }


def test_releasing_follows_every_branch() -> None:
    """e1 and e2 lead to e3, which leads to e9; e4 leads to e9 by itself."""
    branches = [
        entry(1, superseded_by="e3", head="e9"),
        entry(2, superseded_by="e1", head="e9"),
        entry(3, superseded_by="e9", head="e9"),
        entry(4, superseded_by="e9", head="e9"),
    ]
    _, followers = released(branches[2], branches)
    assert {(e.id, e.head) for e in followers} == {("e1", "e3"), ("e2", "e3")}


def test_releasing_the_oldest_takes_nobody_along() -> None:
    links = chain(3)
    assert released(links[0], links[:-1])[1] == []
