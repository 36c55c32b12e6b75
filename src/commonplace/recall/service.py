"""The recall service: searches everything, judges and chooses hits, and fits them to a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, takewhile, tee

from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import ChunkTerms
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.entry import Entry
from commonplace.model.query import (
    Filter,
    Grain,
    Hit,
    ListPosition,
    RetrievalMode,
    SearchRequest,
    SearchResult,
)
from commonplace.model.source import SourceStatus
from commonplace.model.workspace import FileState
from commonplace.recall.choosing import Distinct, Judged, spread
from commonplace.recall.evidence import Evidence, evidence_of
from commonplace.recall.fitting import HitPassage, enough, fitted
from commonplace.recall.interpretation import interpretations
from commonplace.recall.listing import as_list, is_listed
from commonplace.recall.naming import HitContext, listed_passage, passage_of
from commonplace.recall.narrowing import FOLDER_KINDS, Narrowed, narrowed
from commonplace.recall.parts import parts_of
from commonplace.recall.probability import (
    LISTED,
    QUESTION_LOOKS_AT,
    answered_probability,
    calibrated,
    hit_probability,
    is_known,
    non_increasing,
    raised_to,
)
from commonplace.recall.question import question_wording
from commonplace.recall.reranking import reranked
from commonplace.recall.values import (
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_HITS,
    MOST_LISTED,
    Recalled,
    RecallHit,
    RecallRequest,
    Verdict,
)
from commonplace.recall.wording import asked_as
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, counted, weighed
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Transaction
from commonplace.text.analyse import query_terms
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.search.sources import ScopedSources, unread

# The number of passages that each leg finds.
DEPTH = 100
_MOST_UNREAD_NAMED = 5
# Sources are read in the order they were added, so if any are waiting, the latest ones are.
_LATEST = 20
_PAGE = 200
_TO_BE_READ = frozenset({SourceStatus.PENDING, SourceStatus.PROCESSING})
# Rarity is computed as if this many further chunks were stored. Otherwise, in a home of a few
# notes, a word in one of them would count as common, and only words that none has would matter.
_ASSUMED_OTHERS = 10


# If nothing relevant is known, the nearest passage is named if an answer is at least this likely.
# In homes of up to thirty notes this named the right one for 3 of 4 refused questions, and any for
# 2 of 768 unrelated ones (tuning half of benchmarks/recall/small.py).
_NEAREST_FROM = 0.2


class RecallService:
    """Finds what answers a question among all kinds of knowledge; writes nothing."""

    def __init__(self, retrieval: RetrievalService) -> None:
        self._retrieval = retrieval

    def recall(self, actor: Actor, request: RecallRequest, call: Call = PLAIN_CALL) -> Recalled:
        """The hits most likely to answer, with as much of their text as the budget allows."""
        _check(request)
        answer = self._interpreted(actor, request, call)
        if answer.verdict is Verdict.NOTHING and not answer.nothing_stored:
            answer = self._answered_in_part(actor, request, call) or answer
        return replace(answer, question=request.question)

    def _interpreted(self, actor: Actor, request: RecallRequest, call: Call) -> Recalled:
        """The answer to the narrowest interpretation that is answered, or else to the question."""
        narrower = []
        for interpretation in interpretations(request):
            answer = self._recalled(actor, interpretation, call, interpreted=True)
            if answer.verdict is Verdict.ANSWERS:
                return answer
            narrower.append(answer)
        answer = self._recalled(actor, request, call)
        if answer.verdict is Verdict.ANSWERS:
            return answer
        related = (one for one in narrower if one.verdict is Verdict.RELATED)
        empty = (one for one in narrower if one.is_list and answer.verdict is Verdict.NOTHING)
        return next(related, None) or next(empty, None) or answer

    def _answered_in_part(
        self, actor: Actor, request: RecallRequest, call: Call
    ) -> Recalled | None:
        """The likeliest answer to a sentence of a long question; None if none is answered.

        "What do you know about this?" asks for no list there.
        """
        asked = [replace(request, question=part) for part in parts_of(request.question)]
        answers = [
            self._recalled(actor, one, call, interpreted=True) for one in asked if not as_list(one)
        ]
        answered = [one for one in answers if one.verdict is Verdict.ANSWERS]
        return max(answered, key=lambda one: one.probability, default=None)

    def _recalled(
        self, actor: Actor, request: RecallRequest, call: Call, *, interpreted: bool = False
    ) -> Recalled:
        """The answer to a request; it says what was asked if that is not the question as given."""
        inquiry, found = self._searched(actor, request, call, RetrievalMode.AUTO)
        judge, names, within = inquiry.judge, inquiry.unread, inquiry.within
        passages = inquiry.passages(found.hits)
        nearest = None
        if judge.verdict is Verdict.NOTHING:
            nearest, passages = next((one.hit for one in passages), None), []
        answer = Recalled(
            question=request.question,
            verdict=judge.verdict,
            probability=judge.probability,
            hits=(),
            left_out=judge.left_out,
            tokens=0,
            asked_at=inquiry.now,
            pending=found.pending,
            given_up=found.given_up,
            unread=tuple(names[:_MOST_UNREAD_NAMED]),
            notices=(
                *(within.notices if not passages else ()),
                *found.notices,
                *([asked_as(request.question, within.restrictions)] if interpreted else ()),
            ),
            narrowed=within.restrictions,
            nothing_stored=inquiry.is_empty(found) and not names,
            nearest=nearest,
            is_list=inquiry.listed is not None,
        )
        return fitted(answer, passages, inquiry.query.weights, request.budget)

    def everything(
        self, actor: Actor, request: RecallRequest, mode: RetrievalMode = RetrievalMode.AUTO
    ) -> tuple[RecallHit, ...]:
        """All hits, deduplicated, without text and however unlikely; for fitting the model."""
        _check(request)
        inquiry, found = self._searched(actor, request, PLAIN_CALL, mode, everything=True)
        return tuple(passage.hit for passage in inquiry.passages(found.hits))

    def _searched(
        self,
        actor: Actor,
        request: RecallRequest,
        call: Call,
        mode: RetrievalMode,
        *,
        everything: bool = False,
    ) -> tuple[_Inquiry, SearchResult]:
        inquiry = _Inquiry(self._retrieval, actor, request, everything=everything)
        search = SearchRequest(
            query=request.question,
            mode=mode,
            limit=MOST_HITS,
            depth=DEPTH,
            grain=Grain.CHUNK,
            surroundings=True,
            keep_unrelated=True,
        )
        found = self._retrieval.search(actor, search, call, inquiry.rank, inquiry.narrow)
        return inquiry, found


class _Inquiry:
    """The state of one question: its filter, and the data read beside the hits.

    `narrow` and `rank` run inside the transaction of the search, so that an answer is one
    consistent read over one connection. They run again if the search loses its replica.
    """

    def __init__(
        self, retrieval: RetrievalService, actor: Actor, request: RecallRequest, *, everything: bool
    ) -> None:
        self._retrieval = retrieval
        self._actor = actor
        self._list = None if everything else as_list(request)
        self._request = self._list or request
        self._everything = everything
        # The first entries of the list that was asked for; None if it was a question.
        self.listed: list[Entry] | None = None

    def narrow(self, tx: Transaction) -> Filter | None:
        """The filter of the search; None if nothing can pass it, or a list was asked for."""
        self._tx, self.now = tx, tx.now
        self._projects = {project.id: project for project in tx.projects.all()}
        scoped = ScopedSources(EVERYTHING, self._projects, tx.attachments.all())
        statistics = self._retrieval.statistics(tx)
        self.query = weighed(
            query_terms(self._request.question), statistics.with_others(_ASSUMED_OTHERS)
        )
        self.within = narrowed(self._request, scoped, tx.resources.histories(), self.now)
        self.judge = _Judge(self._request, self.within, self.query, everything=self._everything)
        self._has_content = bool(statistics.chunks or scoped.attached)
        self._files: Mapping[int, FileState] = {}
        self._touched: Mapping[int, tuple[str, ...]] = {}
        if self.within.filter is not None and self._list is None:
            return self.within.filter
        if self._list is not None:
            entries = self._entries()
            self.listed = list(islice(entries, self._request.limit))
            self.judge.decide_list(len(self.listed), sum(1 for _ in entries))
        self.unread = self._unread()
        return None

    def rank(self, scored: Sequence[Scored]) -> Sequence[Scored]:
        """The hits to show, best first."""
        chosen = self.judge.rank(scored)
        self._read_files([one.chunk for one in chosen])
        self.unread = self._unread()
        return chosen

    def is_empty(self, found: SearchResult) -> bool:
        """Whether nothing is stored. The statistics may be outdated, so hits count, too."""
        kept = self._has_content or found.pending or self.judge.looked_at or self.listed
        return not (kept or self.within.restrictions)

    def passages(self, hits: Sequence[Hit]) -> list[HitPassage]:
        """The hits with the texts from which their excerpts are cut."""
        context = HitContext(
            self._actor.org, self.within, self._projects, self._files, self.now, self._touched
        )
        if self.listed is not None:
            return [listed_passage(entry, context) for entry in self.listed]
        return [passage_of(hit, self.judge.shown[hit.chunk.key], context) for hit in hits]

    def _entries(self) -> Iterator[Entry]:
        """The entries of the list that was asked for, newest first."""
        wanted, before = self.within.filter, None
        for _ in range(MOST_LISTED // _PAGE):
            if wanted is None:
                return
            page = self._tx.entries.page(wanted, _PAGE, 0, before)
            yield from (entry for entry in page if is_listed(entry, self.within.kinds))
            if len(page) < _PAGE:
                return
            before = ListPosition(page[-1].created_at, page[-1].key)

    def _unread(self) -> list[str]:
        """Names of sources not read yet. Those just added are omitted if the question is answered,
        as they are not needed then."""
        names = [source.effective.label for source in unread(self.within.sources)]
        if self.judge.verdict is Verdict.ANSWERS:
            return names
        waiting = [
            source.name
            for source in self._tx.sources.page(_LATEST, None)
            if source.document is None
            and source.sync.status in _TO_BE_READ
            and self._request.project in (None, source.place.workspace)
        ]
        return [*names, *waiting]

    def _read_files(self, chosen: Sequence[ChunkTerms]) -> None:
        """Read the state of the files and commits shown, and which files the commits touched."""
        keys = [chunk.owner.key for chunk in chosen if chunk.kind in FOLDER_KINDS]
        if not keys:
            return
        self._files = self._tx.files.get(keys)
        if commits := [chunk.owner.key for chunk in chosen if chunk.kind == COMMIT_KIND]:
            self._touched = self._tx.files.touched(commits)


class _Judge:
    """Judges hits and chooses which to show, before retrieval reads their texts.

    Keeps its verdict and the judged hits for the answer.
    """

    def __init__(
        self,
        request: RecallRequest,
        within: Narrowed,
        query: WeighedTerms,
        *,
        everything: bool = False,
    ) -> None:
        self._request = request
        self._everything = everything
        self._within = within
        self._query = query
        self.shown: dict[int, Judged] = {}
        self.verdict = Verdict.NOTHING
        self.probability = 0.0
        self.left_out = 0
        self.looked_at = 0

    def rank(self, scored: Sequence[Scored]) -> Sequence[Scored]:
        self.looked_at = len(scored)
        passing = [one for one in scored if self._within.passes(one.chunk)]
        query = self._query
        wording = question_wording(self._request.question, query.weights)
        counts = {one.chunk.key: one.counts or counted(one.chunk, query) for one in passing}
        found = reranked(passing, counts, query, wording, self._within.class_of)
        evidence = evidence_of(found, counts, query, wording.names)
        judged = Distinct(found, self._judged(found, evidence), counts)
        self._decide(judged.first(QUESTION_LOOKS_AT))
        listed = [one.probability for one in judged.first(LISTED)]
        raised = raised_to(listed, self.probability)
        likely = (replace(one, probability=raised(one.probability)) for one in judged)
        if self._everything:
            chosen = list(islice(likely, MOST_HITS))
        else:
            chosen = self._chosen(likely, len(judged.first(self._request.limit)))
        self.shown = {one.chunk.key: one for one in judged.with_copies(chosen)}
        return [one.scored for one in chosen]

    def decide_list(self, shown: int, left_out: int) -> None:
        """A list answers for certain, unless nothing is in it."""
        if shown:
            self.verdict, self.probability, self.left_out = Verdict.ANSWERS, 1.0, left_out

    def _chosen(self, judged: Iterator[Judged], listed: int) -> list[Judged]:
        if self.verdict is Verdict.NOTHING:
            return list(islice(judged, self.probability >= _NEAREST_FROM))
        least, limit = self._request.least_probability, self._request.limit
        likely = takewhile(lambda one: one.probability >= least, judged)
        first = list(islice(likely, limit))
        most = enough([one.probability for one in first])
        self.left_out = listed - most
        return spread(chain(first, likely), most)

    def _judged(self, found: Sequence[Scored], evidence: Iterator[Evidence]) -> Iterator[Judged]:
        evidence, kept = tee(evidence)
        kinds = (self._within.kind_of(one.chunk) for one in found)
        return map(Judged, found, kept, non_increasing(map(hit_probability, evidence, kinds)))

    def _decide(self, judged: Sequence[Judged]) -> None:
        numbers, seen = calibrated(), [one.evidence for one in judged]
        self.probability = answered_probability(seen, [one.probability for one in judged])
        if not is_known(seen):
            self.verdict = Verdict.NOTHING
        elif self.probability < numbers.answers_from:
            self.verdict = Verdict.RELATED
        else:
            self.verdict = Verdict.ANSWERS


def _check(request: RecallRequest) -> None:
    _within(request.budget, LEAST_BUDGET, MOST_BUDGET, "budget")
    _within(request.limit, 1, MOST_HITS, "limit")
    if not 0 <= request.least_probability <= 1:
        raise InvalidArgument("least_probability must be from 0 to 1.", field="least_probability")


def _within(value: int, least: int, most: int, field: str) -> None:
    if not least <= value <= most:
        raise InvalidArgument(f"{field} must be from {least} to {most}.", field=field)
