"""Review items and waiting moments: confirm, reject, reword, reopen."""

from __future__ import annotations

from commonplace.analysis.learning import LIKELIHOOD, moved_threshold
from commonplace.capture.finding import DEFAULT_THRESHOLD
from commonplace.capture.items import (
    AUTO_CAPTURED,
    KIND,
    Item,
    Wording,
    captured_item,
    content_of,
    item_of,
    reworded,
)
from commonplace.capture.judging import feedback_of
from commonplace.capture.likeness import (
    same_text,
)
from commonplace.capture.report import (
    Action,
    FeedbackOutcome,
)
from commonplace.capture.secrets import mask_secrets
from commonplace.capture.service.ids import new_item_id, new_review_id
from commonplace.capture.service.learning import factors_of
from commonplace.errors import Conflict, NotFound
from commonplace.knowledge.rules import permitted, present
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import delete_in, insert_prepared
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.capture import (
    Review,
    ReviewDraft,
    ReviewStatus,
)
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.storage.port import Store, Transaction


class ReviewService:
    """The review queue of an org."""

    def __init__(self, store: Store, knowledge: KnowledgeService, quotas: QuotaService) -> None:
        self._store = store
        self._knowledge = knowledge
        self._quotas = quotas

    def review(self, actor: Actor, id: str) -> Review:
        with self._store.read(actor) as tx:
            review = tx.reviews.get(id)
        if review is None:
            raise NotFound("No moment with that id.")
        return review

    def reviews(
        self, actor: Actor, status: ReviewStatus, limit: int, offset: int = 0
    ) -> tuple[list[Review], int]:
        """Newest first, and how many there are in all."""
        with self._store.read(actor) as tx:
            return tx.reviews.page(status, limit, offset), tx.reviews.count(status)

    def judge(
        self,
        actor: Actor,
        id: str,
        action: Action,
        comment: str | None = None,
        *,
        for_good: bool = False,
        call: Call = PLAIN_CALL,
    ) -> FeedbackOutcome:
        """Judge an item or a waiting moment; a confirmed moment becomes an item.

        A comment is kept and told with its secrets masked. What is rejected `for_good` is erased
        now, and cannot be brought back.
        """
        comment = comment and mask_secrets(comment, call.check).text
        waiting = self._waiting(actor, id)
        if waiting is not None:
            item = captured_item(waiting.moment)
            return self._judge_moment(
                actor, waiting, item, action, comment, call, for_good=for_good
            )
        with self._store.write(actor) as tx:
            if action is Action.REJECT:
                entry = delete_in(tx, id, KIND)
            else:
                entry = present(permitted(tx.entries.get(id, KIND), actor, Verb.JUDGE))
            item = item_of(entry.content)
            if action is Action.REJECT and AUTO_CAPTURED in item.tags:
                _remember_rejection(tx, item)
            tx.feedback.add(feedback_of(id, action, item.detected_by, comment))
            moved = _moved(tx, item)
            call.check()
        return FeedbackOutcome(entry.id, item.summary, action, comment, moved)

    def accept(self, actor: Actor, id: str, wording: Wording) -> FeedbackOutcome:
        """Accept a waiting moment as an item with new wording."""
        waiting = self._waiting(actor, id)
        if waiting is None:
            raise NotFound("No moment with that id.")
        item = reworded(captured_item(waiting.moment), wording)
        return self._judge_moment(actor, waiting, item, Action.MODIFY, None, PLAIN_CALL)

    def reopen(self, actor: Actor, id: str, *, call: Call = PLAIN_CALL) -> Review:
        """Take a decision back: the moment waits again, and what it became is deleted."""
        permit(actor, Thing.MOMENT, Verb.JUDGE, Whose.SHARED)
        with self._store.write(actor) as tx:
            review = tx.reviews.get(id)
            if review is None or review.decided_by is None:
                raise NotFound("No moment with that id was decided on.")
            if review.entry_id:
                _take_back(tx, review.entry_id)
            reopened = tx.reviews.reopen(review)
            if reopened is None:
                raise Conflict("It was rejected too long ago: its text is forgotten.")
            tx.feedback.withdraw(id, review.decided_by)
            call.check()
        return reopened

    def _waiting(self, actor: Actor, id: str) -> Review | None:
        with self._store.read(actor) as tx:
            review = tx.reviews.get(id)
        if review is not None and review.status is not ReviewStatus.WAITING:
            raise NotFound("No moment with that id waits for review.")
        return review

    def _judge_moment(
        self,
        actor: Actor,
        review: Review,
        item: Item,
        action: Action,
        comment: str | None,
        call: Call,
        *,
        for_good: bool = False,
    ) -> FeedbackOutcome:
        permit(actor, Thing.MOMENT, Verb.JUDGE, Whose.SHARED)
        prepared = None
        if action is not Action.REJECT:
            prepared = self._knowledge.prepare(actor, KIND, content_of(item), call)
        with self._store.write(actor) as tx:
            if prepared:
                self._quotas.spend(tx)
            item_id = new_item_id(tx.now) if prepared else None
            status = ReviewStatus.CONFIRMED if prepared else ReviewStatus.REJECTED
            forgotten = for_good and not prepared
            if tx.reviews.settle(review, status, item_id, forgotten=forgotten) is None:
                raise NotFound("No moment with that id waits for review.")
            if prepared and item_id:
                insert_prepared(tx, prepared, item_id)
            tx.feedback.add(feedback_of(review.id, action, item.detected_by, comment))
            moved = _moved(tx, item)
            call.check()
        return FeedbackOutcome(item_id or review.id, item.summary, action, comment, moved)


def _take_back(tx: Transaction, item_id: str) -> None:
    """Delete the item that a moment became, unless it has been changed since."""
    entry = tx.entries.get(item_id, KIND)
    if entry is None or entry.deleted_at:
        return
    if entry.revision > 1:
        raise Conflict(f"The item {item_id} was changed since; delete that instead.")
    delete_in(tx, item_id, KIND)


def _moved(tx: Transaction, item: Item) -> str | None:
    """The threshold after all reviews, including this one."""
    if LIKELIHOOD not in item.detected_by:
        return None
    moved = moved_threshold(DEFAULT_THRESHOLD, factors_of(tx.feedback.by_factor()))
    return moved.told if moved else None


def _remember_rejection(tx: Transaction, item: Item) -> None:
    """Keep a rejected text, so that it is not captured again."""
    draft = ReviewDraft(
        id=new_review_id(tx.now),
        fingerprint=same_text(item.content),
        moment={},
        confidence=0.0,
        level="low",
        reason="rejected after it was saved",
    )
    review = tx.reviews.add(draft) or tx.reviews.like(draft.fingerprint)
    if review is not None:
        tx.reviews.settle(review, ReviewStatus.REJECTED, None)
