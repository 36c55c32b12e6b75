"""Capturing: from text to moments, to items or the review queue; and learning from feedback."""

from __future__ import annotations

import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.analysis.confidence import DEFAULT_WEIGHTS, PRESETS, Assessment, Weights, assess
from commonplace.analysis.learning import FactorEvidence, adapted
from commonplace.capture.handed_out import HandedOut
from commonplace.capture.items import (
    AUTO_CAPTURED,
    KIND,
    Item,
    captured_item,
    content_of,
    item_of,
    kept,
)
from commonplace.capture.judging import feedback_of
from commonplace.capture.likeness import (
    Fingerprint,
    combined,
    fingerprint,
    is_duplicate,
    is_echo,
    same_text,
)
from commonplace.capture.long_texts import LongTexts
from commonplace.capture.moments import Moment, MomentAction, moments, verdict_of
from commonplace.capture.report import (
    Action,
    Captured,
    CapturedBefore,
    CaptureReport,
    FeedbackOutcome,
    Flagged,
    Reason,
    Skipped,
)
from commonplace.capture.secrets import mask_secrets
from commonplace.errors import NotFound
from commonplace.knowledge.rules import permit_adding, permitted, present
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import delete_in, insert_prepared
from commonplace.knowledge.shown import Prepared
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.capture import (
    Feedback,
    FeedbackTally,
    RecordedFeedback,
    Review,
    ReviewDraft,
    ReviewStatus,
)
from commonplace.model.moment import micros
from commonplace.model.query import Hit, SearchRequest
from commonplace.model.rights import Thing, Verb, Whose, permit
from commonplace.model.verdict import Peer
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store, Transaction

_BASE36 = "0123456789abcdefghijklmnopqrstuvwxyz"
_DEFAULT_PRESET = "conservative"
_ASKED_CHARACTERS = 2000
_LIKELY_DUPLICATES = 5


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """A text, and what to do with what is found in it."""

    text: str
    threshold: float
    auto_save: bool
    preset: str | None
    max_captures: int


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be written of a text: items, moments for review, and what is known already."""

    items: tuple[tuple[Moment, Prepared], ...]
    reviews: tuple[tuple[Moment, Reason], ...]
    skipped: tuple[Skipped, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """The weights in force, those they started from, and the evidence between the two."""

    weights: Weights
    defaults: Weights
    teaching: FeedbackTally
    factors: tuple[FactorEvidence, ...]


def new_item_id(now: datetime) -> str:
    return _new_id("ki", now)


def _new_id(prefix: str, now: datetime) -> str:
    chosen = "".join(secrets.choice(_BASE36) for _ in range(7))
    return f"{prefix}-{micros(now) // 1000}-{chosen}"


class CaptureService:
    """Moments, reviews and feedback of an org."""

    def __init__(
        self,
        store: Store,
        knowledge: KnowledgeService,
        retrieval: RetrievalService,
        quotas: QuotaService,
    ) -> None:
        self._store = store
        self._knowledge = knowledge
        self._quotas = quotas
        self._retrieval = retrieval
        self._handed_out = HandedOut()
        self.long_texts = LongTexts()

    def remember(self, actor: Actor, text: str, asked: str) -> None:
        """What was handed out is not to be captured as news, except for the caller's own words."""
        self._handed_out.add(Peer(actor.org, actor.agent), text, asked, time.monotonic())

    def assess(
        self,
        actor: Actor,
        text: str,
        preset: str | None,
        weights: Weights | None = None,
        call: Call = PLAIN_CALL,
    ) -> Assessment:
        """Scores a text by the org's own weights, unless others are given."""
        used = weights or self.learned(actor).weights
        with self.long_texts.turn(text, call):
            return assess(text, weights=used, thresholds=PRESETS[preset or _DEFAULT_PRESET])

    def learned(self, actor: Actor) -> Learned:
        with self._store.read(actor) as tx:
            teaching = tx.feedback.tally(teaching=True)
            factors = tuple(
                FactorEvidence(name, said.confirmed, said.rejected)
                for name, said in tx.feedback.by_factor().items()
            )
        weights = adapted(DEFAULT_WEIGHTS, factors, teaching.total)
        return Learned(weights, DEFAULT_WEIGHTS, teaching, factors)

    def unlearn(self, actor: Actor) -> int:
        """Back to the weights that everybody starts with; what was said stays on record."""
        with self._store.write(actor) as tx:
            return tx.feedback.unlearn()

    def record(
        self, actor: Actor, feedback: Feedback, *, call: Call = PLAIN_CALL
    ) -> tuple[RecordedFeedback, FeedbackTally]:
        with self._store.write(actor) as tx:
            said = tx.feedback.add(feedback)
            tally = tx.feedback.tally()
            call.check()
        return said, tally

    def auto_capture(
        self, actor: Actor, request: CaptureRequest, call: Call = PLAIN_CALL
    ) -> CaptureReport:
        """Find moments in a text without its secrets; save them, or put them up for review."""
        permit_adding(actor, KIND)
        weights = self.learned(actor).weights
        thresholds = PRESETS[request.preset or _DEFAULT_PRESET]
        with self.long_texts.turn(request.text, call):
            masked = mask_secrets(request.text, call.check)
            found = moments(masked.text, weights=weights, thresholds=thresholds, check=call.check)
        plan = self._planned(actor, request, found, call)
        captured, flagged, confirmed = self._carried_out(actor, plan, call)
        best = max(found, key=lambda moment: moment.assessment.score)
        return CaptureReport(
            text_length=len(request.text),
            suggested_type=best.type,
            project=best.project,
            file_context=best.file_context,
            threshold=request.threshold,
            auto_save=request.auto_save,
            processed=len(found),
            captured=captured,
            flagged=flagged,
            skipped=(*plan.skipped, *confirmed),
            secrets=masked.found,
        )

    def _planned(
        self, actor: Actor, request: CaptureRequest, found: Sequence[Moment], call: Call
    ) -> _Plan:
        """Looks things up and embeds, outside of any transaction."""
        returned = combined(self._handed_out.of(Peer(actor.org, actor.agent), time.monotonic()))
        items: list[tuple[Moment, Prepared]] = []
        reviews: list[tuple[Moment, Reason]] = []
        skipped: list[Skipped] = []
        planned: list[Fingerprint] = []
        for moment in found:
            call.check()
            score = moment.assessment.score
            verdict = verdict_of(score, threshold=request.threshold, auto_save=request.auto_save)
            if verdict is MomentAction.IGNORE:
                continue
            looks = fingerprint(moment.text)
            if any(is_duplicate(looks, earlier) for earlier in planned):
                skipped.append(Skipped(moment.text, CapturedBefore.DUPLICATE))
                continue
            planned.append(looks)
            if known := self._known(actor, moment, looks, returned, call):
                skipped.append(known)
            elif verdict is MomentAction.CAPTURE and len(items) < request.max_captures:
                content = content_of(captured_item(kept(moment)))
                items.append((moment, self._knowledge.prepare(KIND, content, call)))
            else:
                reviews.append((moment, _reason(score, request)))
        return _Plan(tuple(items), tuple(reviews), tuple(skipped))

    def _known(
        self, actor: Actor, moment: Moment, looks: Fingerprint, returned: Fingerprint, call: Call
    ) -> Skipped | None:
        if is_echo(looks, returned):
            return Skipped(moment.text, CapturedBefore.ECHO)
        with self._store.read(actor) as tx:
            decided = tx.reviews.like(same_text(moment.text))
        if decided is not None and decided.status is ReviewStatus.REJECTED:
            return Skipped(moment.text, CapturedBefore.REJECTED)
        request = SearchRequest(query=moment.text[:_ASKED_CHARACTERS], limit=_LIKELY_DUPLICATES)
        for hit in self._retrieval.search(actor, request, call).hits:
            if is_duplicate(looks, fingerprint(_text_of(hit))):
                known_as = hit.entry.id if hit.entry else None
                return Skipped(moment.text, CapturedBefore.DUPLICATE, known_as)
        return None

    def _carried_out(
        self, actor: Actor, plan: _Plan, call: Call
    ) -> tuple[tuple[Captured, ...], tuple[Flagged, ...], tuple[Skipped, ...]]:
        """Everything in one transaction: a text is captured whole or not at all."""
        flagged: list[Flagged] = []
        confirmed: list[Skipped] = []
        with self._store.write(actor) as tx:
            self._quotas.spend(tx, len(plan.items))
            captured = tuple(_save(tx, moment, prepared) for moment, prepared in plan.items)
            for moment, reason in plan.reviews:
                review = _put_up(tx, moment, reason)
                if review.status is ReviewStatus.WAITING:
                    flagged.append(_flagged(review, moment, reason))
                else:
                    confirmed.append(
                        Skipped(moment.text, CapturedBefore.DUPLICATE, review.entry_id)
                    )
            call.check()
        return captured, tuple(flagged), tuple(confirmed)

    def judge(
        self,
        actor: Actor,
        id: str,
        action: Action,
        comment: str | None = None,
        *,
        call: Call = PLAIN_CALL,
    ) -> FeedbackOutcome:
        """Decide on an item, or on a moment that waits: confirming one makes it an item."""
        waiting = self._waiting(actor, id)
        if waiting is not None:
            return self._judge_moment(actor, waiting, action, comment, call)
        with self._store.write(actor) as tx:
            if action is Action.REJECT:
                entry = delete_in(tx, id, KIND)
            else:
                entry = present(permitted(tx.entries.get(id, KIND), actor, Verb.JUDGE))
            item = item_of(entry.content)
            if action is Action.REJECT and AUTO_CAPTURED in item.tags:
                _remember_rejection(tx, item)
            tx.feedback.add(feedback_of(id, action, item.detected_by, comment))
            call.check()
        return FeedbackOutcome(entry.id, item.summary, action, comment)

    def _waiting(self, actor: Actor, id: str) -> Review | None:
        with self._store.read(actor) as tx:
            review = tx.reviews.get(id)
        if review is not None and review.status is not ReviewStatus.WAITING:
            raise NotFound("No moment with that id waits for review.")
        return review

    def _judge_moment(
        self, actor: Actor, review: Review, action: Action, comment: str | None, call: Call
    ) -> FeedbackOutcome:
        permit(actor, Thing.MOMENT, Verb.JUDGE, Whose.SHARED)
        item = captured_item(review.moment)
        prepared = None
        if action is not Action.REJECT:
            prepared = self._knowledge.prepare(KIND, content_of(item), call)
        with self._store.write(actor) as tx:
            if prepared:
                self._quotas.spend(tx)
            item_id = new_item_id(tx.now) if prepared else None
            status = ReviewStatus.CONFIRMED if prepared else ReviewStatus.REJECTED
            if tx.reviews.settle(review, status, item_id) is None:
                raise NotFound("No moment with that id waits for review.")
            if prepared and item_id:
                insert_prepared(tx, prepared, item_id)
            tx.feedback.add(feedback_of(review.id, action, item.detected_by, comment))
            call.check()
        return FeedbackOutcome(item_id or review.id, item.summary, action, comment)

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


def _reason(score: float, request: CaptureRequest) -> Reason:
    if score < request.threshold:
        return Reason.NEAR
    return Reason.TOO_MANY if request.auto_save else Reason.NOT_SAVING


def _text_of(hit: Hit) -> str:
    """All that a hit says; of a document the chunk that was found."""
    return f"{hit.entry.content.title}\n{hit.entry.content.body}" if hit.entry else hit.chunk.text


def _save(tx: Transaction, moment: Moment, prepared: Prepared) -> Captured:
    entry = insert_prepared(tx, prepared, new_item_id(tx.now))
    tx.accesses.count([entry.key])
    waiting = tx.reviews.like(same_text(moment.text))
    if waiting is not None:
        tx.reviews.settle(waiting, ReviewStatus.CONFIRMED, entry.id)
    return Captured(entry.id, moment.type, moment.summary, moment.assessment.score)


def _put_up(tx: Transaction, moment: Moment, reason: Reason) -> Review:
    """The moment in the queue; one that was put up before stays what it has become."""
    draft = ReviewDraft(
        id=_new_id("rv", tx.now),
        fingerprint=same_text(moment.text),
        moment=kept(moment),
        confidence=moment.assessment.score,
        level=moment.assessment.level,
        reason=reason.value,
    )
    review = tx.reviews.add(draft) or tx.reviews.like(draft.fingerprint)
    assert review is not None, "what cannot be added is there"
    return review


def _remember_rejection(tx: Transaction, item: Item) -> None:
    """Keeps a rejected text, so that it is not captured once more."""
    draft = ReviewDraft(
        id=_new_id("rv", tx.now),
        fingerprint=same_text(item.content),
        moment={},
        confidence=0.0,
        level="low",
        reason="rejected after it was saved",
    )
    review = tx.reviews.add(draft) or tx.reviews.like(draft.fingerprint)
    if review is not None:
        tx.reviews.settle(review, ReviewStatus.REJECTED, None)


def _flagged(review: Review, moment: Moment, reason: Reason) -> Flagged:
    assessment = moment.assessment
    return Flagged(review.id, moment.type, moment.text, assessment.score, assessment.level, reason)
