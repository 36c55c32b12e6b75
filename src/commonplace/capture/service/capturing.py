"""Capture a text: find its moments, and save them or put them up for review."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from commonplace.capture.finding import CaptureRequest, FoundMoment
from commonplace.capture.handed_out import HandedOut
from commonplace.capture.items import (
    KIND,
    captured_item,
    content_of,
    kept,
)
from commonplace.capture.likeness import (
    Fingerprint,
    combined,
    fingerprint,
    is_duplicate,
    is_echo,
)
from commonplace.capture.moments import Moment, MomentAction
from commonplace.capture.report import (
    Captured,
    CapturedBefore,
    CaptureReport,
    Flagged,
    Reason,
    Skipped,
)
from commonplace.capture.service.analysing import AnalysisService
from commonplace.capture.service.ids import new_item_id, new_review_id
from commonplace.capture.service.learning import LearningService
from commonplace.knowledge.rules import permit_adding
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.writes import insert_prepared
from commonplace.knowledge.usage.service import QuotaService
from commonplace.knowledge.values import Prepared
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.capture import (
    Review,
    ReviewDraft,
    ReviewStatus,
)
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.query import Hit, SearchRequest
from commonplace.model.verdict import Peer
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store, Transaction

_ASKED_CHARACTERS = 2000
_LIKELY_DUPLICATES = 5


@dataclass(frozen=True, slots=True)
class _Plan:
    """The outcome for each moment: saved, put up for review, or skipped."""

    items: tuple[tuple[FoundMoment, Prepared], ...]
    reviews: tuple[tuple[FoundMoment, Reason], ...]
    skipped: tuple[Skipped, ...]


class CaptureService:
    """Captures the moments of a text that are not known yet."""

    def __init__(
        self,
        store: Store,
        knowledge: KnowledgeService,
        retrieval: RetrievalService,
        quotas: QuotaService,
        learning: LearningService,
        analysis: AnalysisService,
    ) -> None:
        self._store = store
        self._knowledge = knowledge
        self._quotas = quotas
        self._retrieval = retrieval
        self._handed_out = HandedOut()
        self._learning = learning
        self._analysis = analysis

    def remember(self, actor: Actor, text: str, asked: str) -> None:
        """Remember an answer, so that its text, but not the caller's own words, counts as known."""
        self._handed_out.add(Peer(actor.org, actor.agent), text, asked, time.monotonic())

    def auto_capture(
        self, actor: Actor, request: CaptureRequest, call: Call = PLAIN_CALL
    ) -> CaptureReport:
        """Find moments in a text without its secrets; save them, or put them up for review."""
        permit_adding(actor, KIND)
        learned = self._learning.learned(actor)
        moved = learned.moved(request.thresholds.high) if request.threshold is None else None
        sought = request.sought(learned.weights, moved)
        found = self._analysis.find(actor, request.text, sought, call)
        plan = self._planned(actor, request, sought.threshold, found.candidates, call)
        captured, flagged, confirmed = self._carried_out(actor, plan, call)
        return CaptureReport(
            text_length=len(request.text),
            suggested_type=found.best.type,
            project=found.best.project,
            file_context=found.best.file_context,
            threshold=sought.threshold,
            moved=moved.told if moved else None,
            auto_save=request.auto_save,
            processed=found.processed,
            captured=captured,
            flagged=flagged,
            skipped=(*plan.skipped, *confirmed),
            secrets=found.secrets,
        )

    def _planned(
        self,
        actor: Actor,
        request: CaptureRequest,
        threshold: float,
        found: Sequence[FoundMoment],
        call: Call,
    ) -> _Plan:
        """Look up duplicates and embed, outside of any transaction."""
        returned = combined(self._handed_out.of(Peer(actor.org, actor.agent), time.monotonic()))
        items: list[tuple[FoundMoment, Prepared]] = []
        reviews: list[tuple[FoundMoment, Reason]] = []
        skipped: list[Skipped] = []
        for one in found:
            call.check()
            if one.repeats:
                skipped.append(Skipped(one.moment.text, CapturedBefore.DUPLICATE))
            elif known := self._known(actor, one, returned, call):
                skipped.append(known)
            elif one.verdict is MomentAction.CAPTURE and len(items) < request.max_captures:
                content = content_of(captured_item(kept(one.moment)))
                items.append((one, self._knowledge.prepare(actor, KIND, content, call)))
            else:
                reviews.append(
                    (one, _reason(one.moment.score, threshold, auto_save=request.auto_save))
                )
        return _Plan(tuple(items), tuple(reviews), tuple(skipped))

    def _known(
        self, actor: Actor, one: FoundMoment, returned: Fingerprint, call: Call
    ) -> Skipped | None:
        text = one.moment.text
        if is_echo(one.looks, returned):
            return Skipped(text, CapturedBefore.ECHO)
        with self._store.read(actor) as tx:
            decided = tx.reviews.like(one.words)
        if decided is not None and decided.status is ReviewStatus.REJECTED:
            return Skipped(text, CapturedBefore.REJECTED)
        request = SearchRequest(query=text[:_ASKED_CHARACTERS], limit=_LIKELY_DUPLICATES)
        for hit in self._retrieval.search(actor, request, call).hits:
            # What is captured from a commit is more than the commit, which people prune.
            if hit.chunk.metadata.kind == COMMIT_KIND:
                continue
            if is_duplicate(one.looks, fingerprint(_text_of(hit))):
                known_as = hit.entry.id if hit.entry else None
                return Skipped(text, CapturedBefore.DUPLICATE, known_as)
        return None

    def _carried_out(
        self, actor: Actor, plan: _Plan, call: Call
    ) -> tuple[tuple[Captured, ...], tuple[Flagged, ...], tuple[Skipped, ...]]:
        """Write everything in one transaction: a text is captured whole or not at all."""
        flagged: list[Flagged] = []
        confirmed: list[Skipped] = []
        with self._store.write(actor) as tx:
            self._quotas.spend(tx, len(plan.items))
            captured = tuple(_save(tx, one, prepared) for one, prepared in plan.items)
            for one, reason in plan.reviews:
                review, moment = _put_up(tx, one, reason), one.moment
                if review.status is ReviewStatus.WAITING:
                    flagged.append(_flagged(review, moment, reason))
                else:
                    confirmed.append(
                        Skipped(moment.text, CapturedBefore.DUPLICATE, review.entry_id)
                    )
            call.check()
        return captured, tuple(flagged), tuple(confirmed)


def _reason(score: float, threshold: float, *, auto_save: bool) -> Reason:
    if score < threshold:
        return Reason.NEAR
    return Reason.TOO_MANY if auto_save else Reason.NOT_SAVING


def _text_of(hit: Hit) -> str:
    """The whole text of an entry, or the found chunk of a document."""
    return f"{hit.entry.content.title}\n{hit.entry.content.body}" if hit.entry else hit.chunk.text


def _save(tx: Transaction, one: FoundMoment, prepared: Prepared) -> Captured:
    entry = insert_prepared(tx, prepared, new_item_id(tx.now))
    tx.accesses.count([entry.key])
    waiting = tx.reviews.like(one.words)
    if waiting is not None:
        tx.reviews.settle(waiting, ReviewStatus.CONFIRMED, entry.id)
    return Captured(entry.id, one.moment.type, one.moment.summary, one.moment.score)


def _put_up(tx: Transaction, one: FoundMoment, reason: Reason) -> Review:
    """Put a moment into the queue; one that was there before keeps its status."""
    draft = ReviewDraft(
        id=new_review_id(tx.now),
        fingerprint=one.words,
        moment=kept(one.moment),
        confidence=one.moment.score,
        level=one.moment.level,
        reason=reason.value,
    )
    review = tx.reviews.add(draft) or tx.reviews.like(draft.fingerprint)
    assert review is not None, "what cannot be added is there"
    return review


def _flagged(review: Review, moment: Moment, reason: Reason) -> Flagged:
    return Flagged(review.id, moment.type, moment.text, moment.score, moment.level, reason)
