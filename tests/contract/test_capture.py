"""What capturing keeps beside entries, on every store: accesses, feedback, the review queue."""

from __future__ import annotations

from datetime import timedelta

import pytest

from commonplace.model.actor import Actor
from commonplace.model.capture import (
    Access,
    Feedback,
    FeedbackTally,
    FeedbackVerdict,
    Review,
    ReviewDraft,
    ReviewStatus,
)
from commonplace.model.change import Operation
from commonplace.model.chunk import Unembedded
from commonplace.model.entry import EntryKind, Visibility
from commonplace.model.query import Filter
from commonplace.storage.port import Store
from tests.generate import ALICE, BOB, EVE, MODEL, axis, embed_all, entry_draft, put_chunk
from tests.stores import SteppingClock

CONFIRM, REJECT = FeedbackVerdict.CONFIRM, FeedbackVerdict.REJECT


def add(store: Store, id: str, actor: Actor = ALICE, **content: object) -> int:
    with store.write(actor) as tx:
        return tx.entries.insert(entry_draft(id, EntryKind.ITEM, **content)).key


def test_accesses_count_up_and_keep_the_first_and_last_time(
    store: Store, clock: SteppingClock
) -> None:
    read, unread = add(store, "read"), add(store, "unread")
    times = []
    for _ in range(3):
        with store.write(ALICE) as tx:
            tx.accesses.count([read])
            times.append(tx.now)
        clock.advance(60)
    with store.read(BOB) as tx:
        found = tx.accesses.of([read, unread])
    assert found == {read: Access(3, times[0], times[-1])}
    assert Access() == Access(0, None, None)


def test_an_access_is_no_change(store: Store) -> None:
    key = add(store, "read")
    with store.write(ALICE) as tx:
        before, changes = tx.entries.by_keys([key]), len(tx.changes.since(0, 100))
        tx.accesses.count([key])
        assert tx.entries.by_keys([key]) == before
        assert len(tx.changes.since(0, 100)) == changes


def test_accesses_are_counted_for_the_own_org_only(store: Store) -> None:
    shared = add(store, "shared", visibility=Visibility.NETWORK)
    with store.write(EVE) as tx:
        tx.accesses.count([shared])
        assert tx.accesses.of([shared]) == {}
    with store.read(ALICE) as tx:
        assert tx.accesses.of([shared]) == {}


def test_a_private_entry_is_counted_by_its_author_only(store: Store) -> None:
    private = add(store, "private", visibility=Visibility.PRIVATE)
    with store.write(BOB) as tx:
        tx.accesses.count([private])
    with store.read(ALICE) as tx:
        assert tx.accesses.of([private]) == {}


def test_erasing_an_entry_forgets_its_accesses(store: Store) -> None:
    key = add(store, "gone")
    with store.write(ALICE) as tx:
        tx.accesses.count([key])
        tx.entries.erase(tx.entries.lock([key])[0])
        assert tx.accesses.of([key]) == {}


def test_feedback_is_counted_per_org_and_per_factor(store: Store) -> None:
    said = (
        Feedback("d-1", CONFIRM, 0.9, ("pattern", "sentiment"), "good"),
        Feedback("d-2", CONFIRM, 0.8, ("pattern",)),
        Feedback("d-1", REJECT, 0.4, ("sentiment",)),
    )
    for feedback in said:
        with store.write(ALICE) as tx:
            assert tx.feedback.add(feedback).feedback == feedback
    with store.write(EVE) as tx:
        tx.feedback.add(Feedback("d-9", REJECT, 0.1, ("pattern",)))
    with store.read(BOB) as tx:
        assert tx.feedback.tally() == FeedbackTally(2, 1)
        assert tx.feedback.by_factor() == {
            "pattern": FeedbackTally(2, 0),
            "sentiment": FeedbackTally(1, 1),
        }
        recent = tx.feedback.recent(2)
    assert [r.feedback for r in recent] == [said[2], said[1]]
    assert {r.agent for r in recent} == {"alice"}


def test_unlearned_feedback_counts_but_does_not_teach(store: Store) -> None:
    with store.write(ALICE) as tx:
        tx.feedback.add(Feedback("d-1", CONFIRM, 0.9, ("pattern",)))
        assert tx.feedback.unlearn() == 1
        assert tx.feedback.unlearn() == 0
        tx.feedback.add(Feedback("d-2", REJECT, 0.9, ("structure",)))
        assert tx.feedback.tally() == FeedbackTally(1, 1)
        assert tx.feedback.tally(teaching=True) == FeedbackTally(0, 1)
        assert tx.feedback.by_factor() == {"structure": FeedbackTally(0, 1)}


def test_nothing_said_is_a_rate_of_nothing(store: Store) -> None:
    with store.read(ALICE) as tx:
        tally = tx.feedback.tally()
    assert (tally.total, tally.confirmation_rate) == (0, 0.0)


def draft(id: str, fingerprint: str = "") -> ReviewDraft:
    moment = {"summary": f"Summary of {id}", "content": 'A "quoted" text\n with ünïcode'}
    return ReviewDraft(id, fingerprint or f"print of {id}", moment, 0.76, "medium", "near")


def put_up(store: Store, *ids: str, actor: Actor = ALICE) -> list[Review]:
    with store.write(actor) as tx:
        added = [tx.reviews.add(draft(id)) for id in ids]
    return [review for review in added if review is not None]


def test_a_moment_comes_back_as_it_was_put_up(store: Store) -> None:
    (review,) = put_up(store, "r-1")
    with store.read(BOB) as tx:
        assert tx.reviews.get("r-1") == review
        assert tx.reviews.like("print of r-1") == review
        assert tx.reviews.get("r-2") is None
    assert (review.agent, review.status, review.entry_id) == ("alice", ReviewStatus.WAITING, None)
    assert dict(review.moment) == draft("r-1").moment


def test_an_equal_moment_is_put_up_once(store: Store) -> None:
    put_up(store, "r-1")
    with store.write(BOB) as tx:
        assert tx.reviews.add(draft("r-2", "print of r-1")) is None
        assert tx.reviews.count(ReviewStatus.WAITING) == 1
    assert put_up(store, "r-1", actor=EVE), "another org's queue is another queue"


def test_the_queue_is_paged_newest_first(store: Store) -> None:
    put_up(store, "r-1", "r-2", "r-3")
    put_up(store, "r-9", actor=EVE)
    with store.read(ALICE) as tx:
        pages = [tx.reviews.page(ReviewStatus.WAITING, 2, offset) for offset in (0, 2, 4)]
        assert tx.reviews.count(ReviewStatus.WAITING) == 3
    assert [[r.id for r in page] for page in pages] == [["r-3", "r-2"], ["r-1"], []]


@pytest.mark.parametrize("status", [ReviewStatus.CONFIRMED, ReviewStatus.REJECTED])
def test_a_decision_is_made_once(store: Store, status: ReviewStatus) -> None:
    (review,) = put_up(store, "r-1")
    entry_id = "ki-1" if status is ReviewStatus.CONFIRMED else None
    with store.write(BOB) as tx:
        settled = tx.reviews.settle(review, status, entry_id)
        assert tx.reviews.settle(review, status, entry_id) is None
        assert tx.reviews.get("r-1") == settled
    assert settled is not None
    assert (settled.status, settled.decided_by, settled.entry_id) == (status, "bob", entry_id)
    assert bool(settled.moment) is (status is ReviewStatus.CONFIRMED)


def test_what_was_confirmed_may_still_be_rejected(store: Store) -> None:
    (review,) = put_up(store, "r-1")
    with store.write(BOB) as tx:
        confirmed = tx.reviews.settle(review, ReviewStatus.CONFIRMED, "ki-1")
        assert confirmed is not None
        rejected = tx.reviews.settle(confirmed, ReviewStatus.REJECTED, None)
        assert rejected is not None
        assert (rejected.status, dict(rejected.moment)) == (ReviewStatus.REJECTED, {})
        assert tx.reviews.settle(rejected, ReviewStatus.CONFIRMED, "ki-2") is None


@pytest.mark.parametrize("status", [ReviewStatus.CONFIRMED, ReviewStatus.REJECTED])
def test_a_decision_is_taken_back_with_the_text(store: Store, status: ReviewStatus) -> None:
    (review,) = put_up(store, "r-1")
    with store.write(BOB) as tx:
        settled = tx.reviews.settle(review, status, None)
        assert settled is not None
        assert tx.reviews.reopen(settled) == review
        assert tx.reviews.get("r-1") == review
        assert tx.reviews.reopen(settled) is None, "it waits already"


def test_what_was_rejected_is_erased_after_its_time(store: Store) -> None:
    reviews = put_up(store, "r-1", "r-2", "r-3")
    (theirs,) = put_up(store, "r-9", actor=EVE)
    with store.write(EVE) as tx:
        their_own = tx.reviews.settle(theirs, ReviewStatus.REJECTED, None)
    with store.write(BOB) as tx:
        statuses = [ReviewStatus.REJECTED, ReviewStatus.REJECTED, ReviewStatus.CONFIRMED]
        first, second, kept = map(tx.reviews.settle, reviews, statuses, (None, None, "ki-1"))
        assert first
        assert second
        assert kept
        assert tx.reviews.forget_rejected(tx.now, 10) == 0, "rejected just now"
        later = tx.now + timedelta(seconds=1)
        assert [tx.reviews.forget_rejected(later, 1) for _ in range(3)] == [1, 1, 0]
        assert tx.reviews.reopen(first) is None
        assert tx.reviews.reopen(kept) is not None
    with store.write(EVE) as tx:
        assert their_own is not None
        assert tx.reviews.reopen(their_own) is not None, "another org's sweep is another one"


def test_what_was_said_is_withdrawn_by_its_subject_and_agent(store: Store) -> None:
    for actor, subject, verdict in ((ALICE, "d-1", CONFIRM), (BOB, "d-1", REJECT)):
        with store.write(actor) as tx:
            tx.feedback.add(Feedback(subject, verdict, 0.9, ("pattern",)))
    with store.write(EVE) as tx:
        assert not tx.feedback.withdraw("d-1", "alice"), "another org's words"
    with store.write(ALICE) as tx:
        assert tx.feedback.withdraw("d-1", "alice")
        assert not tx.feedback.withdraw("d-1", "alice")
        assert tx.feedback.tally() == FeedbackTally(0, 1)
        assert tx.feedback.by_factor() == {"pattern": FeedbackTally(0, 1)}


def test_another_org_sees_and_settles_nothing(store: Store) -> None:
    (review,) = put_up(store, "r-1")
    with store.write(EVE) as tx:
        assert tx.reviews.get("r-1") is None
        assert tx.reviews.settle(review, ReviewStatus.REJECTED, None) is None
        assert tx.feedback.tally() == FeedbackTally()


def test_entries_are_tallied_by_category(store: Store) -> None:
    for id, category in (("a", "win"), ("b", "win"), ("c", None), ("d", "gotcha")):
        add(store, id, category=category)
    add(store, "theirs", EVE, category="win")
    with store.read(ALICE) as tx:
        assert tx.entries.tally(Filter()) == {None: 1, "gotcha": 1, "win": 2}
        assert tx.entries.tally(Filter(categories=("win",))) == {"win": 2}


def test_chunks_of_an_owner_that_lack_a_models_vectors(store: Store) -> None:
    with store.write(ALICE) as tx:
        owner = put_chunk(tx, 1, "some words")
        assert len(tx.vectors.of_owner(owner, MODEL)) == 1
    embed_all(store, ALICE, lambda _: [axis(1)])
    with store.write(ALICE) as tx:
        assert tx.vectors.of_owner(owner, MODEL) == []
        assert [c.text for c in tx.vectors.of_owner(owner, "another")] == ["some words"]
        assert [c.text for c in tx.vectors.of_owner(owner, None)] == ["some words"]
        put_chunk(tx, 2, "other words", tags=("red",))
        (waiting,) = tx.vectors.of_owner(put_chunk(tx, 2, "other words", tags=("red",)), MODEL)
        assert tx.chunks.unembedded(10, Filter(any_tags=("red",))) == Unembedded(1)
        assert tx.chunks.unembedded(10, Filter(any_tags=("blue",))) == Unembedded()
        tx.vectors.record_failure(waiting, None, "refused")
        assert tx.chunks.unembedded(10, Filter(tags=("red",))) == Unembedded(0, 1)
        assert tx.chunks.unembedded(10, Filter(tags=("blue",))) == Unembedded()


def test_an_updated_entry_is_later_than_before(store: Store, clock: SteppingClock) -> None:
    clock.advance(-timedelta(days=1).total_seconds())
    with store.write(ALICE) as tx:
        entry = tx.entries.insert(entry_draft("n-1"))
        later = tx.entries.update(entry, Operation.EDIT)
        latest = tx.entries.update(later, Operation.EDIT)
    millisecond = timedelta(milliseconds=1)
    assert entry.updated_at + millisecond <= later.updated_at <= latest.updated_at - millisecond
