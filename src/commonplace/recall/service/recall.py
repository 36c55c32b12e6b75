"""The recall service: asks each interpretation of a question, and fits the answer to a budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.query import Grain, RetrievalMode, SearchRequest, SearchResult
from commonplace.recall.interpretation import interpretations
from commonplace.recall.listing import as_list
from commonplace.recall.parts import FoundAnswer, parts_of, questions_of, together
from commonplace.recall.service.inquiry import Inquiry
from commonplace.recall.values import (
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_HITS,
    Recalled,
    RecallHit,
    RecallRequest,
    Verdict,
)
from commonplace.recall.wording import asked_as
from commonplace.retrieval.service.search import RetrievalService

# The number of passages that each leg finds.
DEPTH = 100
_MOST_UNREAD_NAMED = 5


class RecallService:
    """Finds what answers a question among all kinds of knowledge; writes nothing."""

    def __init__(self, retrieval: RetrievalService) -> None:
        self._retrieval = retrieval

    def recall(self, actor: Actor, request: RecallRequest, call: Call = PLAIN_CALL) -> Recalled:
        """The hits most likely to answer, with as much of their text as the budget allows."""
        _check(request)
        found = self._interpreted(actor, request, call)
        if answered := self._answered(actor, request, _asked_alone(request, found), call):
            found = together([found, *answered] if found.verdict is Verdict.ANSWERS else answered)
        return replace(found.fitted(request), question=request.question)

    def _interpreted(self, actor: Actor, request: RecallRequest, call: Call) -> FoundAnswer:
        """The answer to the narrowest interpretation that is answered, or else to the question."""
        narrower = []
        for interpretation in interpretations(request):
            found = self._found(actor, interpretation, call, interpreted=True)
            if found.verdict is Verdict.ANSWERS:
                return found
            narrower.append(found)
        found = self._found(actor, request, call)
        if found.answer.is_list and found.verdict is Verdict.NOTHING:
            searched = self._found(actor, request, call, may_list=False)
            return searched if searched.verdict is Verdict.ANSWERS else found
        if found.verdict is Verdict.ANSWERS:
            return found
        related = (one for one in narrower if one.verdict is Verdict.RELATED)
        empty = (one for one in narrower if one.answer.is_list and found.verdict is Verdict.NOTHING)
        return next(related, None) or next(empty, None) or found

    def _answered(
        self, actor: Actor, request: RecallRequest, parts: Sequence[str], call: Call
    ) -> list[FoundAnswer]:
        """What answers the parts of a question. "What do you know about this?" asks for no list
        there."""
        asked = [replace(request, question=part) for part in parts]
        found = [
            self._found(actor, one, call, interpreted=True) for one in asked if not as_list(one)
        ]
        return [one for one in found if one.verdict is Verdict.ANSWERS]

    def _found(
        self,
        actor: Actor,
        request: RecallRequest,
        call: Call,
        *,
        interpreted: bool = False,
        may_list: bool = True,
    ) -> FoundAnswer:
        """What answers a request; it says what was asked if that is not the question as given."""
        inquiry = Inquiry(self._retrieval, actor, request, may_list=may_list)
        found = self._searched(actor, request, call, inquiry)
        judge, names, within = inquiry.judge, inquiry.unread, inquiry.within
        passages = inquiry.passages(found.hits)
        nearest = None
        if judge.verdict is Verdict.NOTHING:
            nearest, passages = next((one.hit for one in passages), None), []
        answer = Recalled(
            question=request.question,
            verdict=judge.verdict,
            probability=0.0 if judge.verdict is Verdict.NOTHING else judge.probability,
            hits=(),
            left_out=judge.left_out,
            tokens=0,
            asked_at=inquiry.now,
            pending=found.pending,
            given_up=found.given_up,
            unread=tuple(names[:_MOST_UNREAD_NAMED]),
            notices=(
                *(inquiry.notices if not passages else ()),
                *found.notices,
                *([asked_as(request.question, within.restrictions)] if interpreted else ()),
            ),
            narrowed=within.restrictions,
            nothing_stored=inquiry.is_empty(found) and not names,
            nearest=nearest,
            is_list=inquiry.listed is not None,
        )
        return FoundAnswer(answer, passages, inquiry.query.weights)

    def everything(
        self, actor: Actor, request: RecallRequest, mode: RetrievalMode = RetrievalMode.AUTO
    ) -> tuple[RecallHit, ...]:
        """All hits, deduplicated, without text and however unlikely; for fitting the model."""
        _check(request)
        inquiry = Inquiry(self._retrieval, actor, request, everything=True)
        found = self._searched(actor, request, PLAIN_CALL, inquiry, mode)
        return tuple(passage.hit for passage in inquiry.passages(found.hits))

    def _searched(
        self,
        actor: Actor,
        request: RecallRequest,
        call: Call,
        inquiry: Inquiry,
        mode: RetrievalMode = RetrievalMode.AUTO,
    ) -> SearchResult:
        by_words = inquiry.is_list or not inquiry.is_read
        search = SearchRequest(
            query=request.question,
            mode=RetrievalMode.LEXICAL if by_words else mode,
            limit=MOST_HITS,
            depth=DEPTH,
            grain=Grain.CHUNK,
            surroundings=True,
            keep_unrelated=True,
        )
        return self._retrieval.search(actor, search, call, inquiry.rank, inquiry.narrow)


def _asked_alone(request: RecallRequest, found: FoundAnswer) -> tuple[str, ...]:
    """The sentences of a question to ask alone: all of a long one that nothing answers, or several
    questions."""
    if found.answer.nothing_stored:
        return ()
    if found.verdict is Verdict.NOTHING and (parts := parts_of(request.question)):
        return parts
    return questions_of(request.question)


def _check(request: RecallRequest) -> None:
    _within(request.budget, LEAST_BUDGET, MOST_BUDGET, "budget")
    _within(request.limit, 1, MOST_HITS, "limit")
    if not 0 <= request.least_probability <= 1:
        raise InvalidArgument("least_probability must be from 0 to 1.", field="least_probability")


def _within(value: int, least: int, most: int, field: str) -> None:
    if not least <= value <= most:
        raise InvalidArgument(f"{field} must be from {least} to {most}.", field=field)
