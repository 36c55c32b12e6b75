"""One question over everything: gathers through retrieval, judges, chooses, and fits a budget."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from itertools import chain, islice, takewhile, tee

from commonplace.errors import InvalidArgument
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL, Call
from commonplace.model.chunk import OwnerType
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.query import Grain, Hit, RetrievalMode, SearchRequest, SearchResult
from commonplace.model.source import SourceStatus
from commonplace.model.workspace import FileState, Project
from commonplace.recall.asking import asked_in
from commonplace.recall.choosing import Distinct, Judged, spread
from commonplace.recall.evidence import Evidence, evidence_of
from commonplace.recall.fitting import HitPassage, enough, fitted
from commonplace.recall.naming import Surrounded, passage_of
from commonplace.recall.narrowing import Narrowed, narrowed
from commonplace.recall.probability import (
    LISTED,
    QUESTION_LOOKS_AT,
    answered_probability,
    calibrated,
    falling,
    hit_probability,
    is_known,
    raising,
)
from commonplace.recall.reranking import reranked
from commonplace.recall.values import (
    LEAST_BUDGET,
    MOST_BUDGET,
    MOST_HITS,
    Recalled,
    RecallHit,
    RecallRequest,
    Verdict,
)
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import WeighedTerms, counted, weighed
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Store
from commonplace.storage.port.searches import retry_lost_replica
from commonplace.text.analyse import query_terms
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.search.sources import ScopedSources, unread

# How many passages each leg brings.
DEPTH = 100
_MOST_UNREAD_NAMED = 5
# Sources are read in the order in which they were added: where any waits, the last ones do.
_LATEST = 20
_TO_BE_READ = frozenset({SourceStatus.PENDING, SourceStatus.PROCESSING})
# In a home of a few notes a word that one of them has would count as common, and the words that
# none has as all that matters: what is rare is told as if these had been kept, too.
_OTHERS = 10


class RecallService:
    """Finds what answers a question, whatever kind of thing it is; writes nothing."""

    def __init__(self, store: Store, retrieval: RetrievalService) -> None:
        self._store = store
        self._retrieval = retrieval

    def recall(self, actor: Actor, request: RecallRequest, call: Call = PLAIN_CALL) -> Recalled:
        """The hits that answer, with as much of their text as the budget allows."""
        heard = retry_lost_replica(partial(self._heard, actor, request, call))
        jury, found = heard.jury, heard.found
        names = self._unread(actor, request, heard)
        answer = Recalled(
            question=request.question,
            verdict=jury.verdict,
            probability=jury.probability,
            hits=(),
            left_out=jury.left_out,
            tokens=0,
            asked_at=heard.now,
            pending=found.pending,
            given_up=found.given_up,
            unread=tuple(names[:_MOST_UNREAD_NAMED]),
            notices=(*(() if jury.shown else heard.within.notices), *found.notices),
            narrowed=heard.within.told,
            nothing_stored=heard.is_empty and not names,
        )
        return fitted(answer, self._passages(actor, heard), heard.query.weights, request.budget)

    def everything(
        self, actor: Actor, request: RecallRequest, mode: RetrievalMode = RetrievalMode.AUTO
    ) -> tuple[RecallHit, ...]:
        """All that was found, each once, without text and however unlikely: to fit numbers on."""
        asked = partial(self._heard, actor, request, PLAIN_CALL, mode, everything=True)
        heard = retry_lost_replica(asked)
        return tuple(passage.hit for passage in self._passages(actor, heard))

    def _heard(
        self,
        actor: Actor,
        request: RecallRequest,
        call: Call,
        mode: RetrievalMode = RetrievalMode.AUTO,
        *,
        everything: bool = False,
    ) -> _Heard:
        _check(request)
        with self._store.search(actor) as tx:
            projects = {project.id: project for project in tx.projects.all()}
            scoped = ScopedSources(EVERYTHING, projects, tx.attachments.all())
            histories = tx.resources.histories()
            statistics = self._retrieval.statistics(tx)
            query = weighed(query_terms(request.question), statistics.among(_OTHERS))
            now = tx.now
        within = narrowed(request, scoped, histories, now)
        jury = _Jury(request, within, query, everything=everything)
        search = SearchRequest(
            query=request.question,
            mode=mode,
            limit=MOST_HITS,
            depth=DEPTH,
            grain=Grain.CHUNK,
            surroundings=True,
            keep_unrelated=True,
        )
        if within.filter is None:
            found = self._retrieval.search_nowhere(search)
        else:
            search = replace(search, filter=within.filter)
            found = self._retrieval.search(actor, search, call, jury.rank)
        # Counts are kept for a while: where only a part is looked at they alone prove nothing.
        kept = statistics.chunks or scoped.attached or found.pending or jury.looked_at
        empty = not (kept or within.told)
        return _Heard(projects, within, query, jury, found, now, empty)

    def _unread(self, actor: Actor, request: RecallRequest, heard: _Heard) -> list[str]:
        """Names of what may hold the answer and was not read yet, what was just added with it."""
        names = [source.effective.label for source in unread(heard.within.sources)]
        if heard.jury.verdict is Verdict.ANSWERS:
            return names
        return [*names, *retry_lost_replica(partial(self._waiting, actor, request.project))]

    def _waiting(self, actor: Actor, project: str | None) -> list[str]:
        with self._store.search(actor) as tx:
            latest = tx.sources.page(_LATEST, None)
        return [
            source.name
            for source in latest
            if source.document is None
            and source.sync.status in _TO_BE_READ
            and project in (None, source.place.workspace)
        ]

    def _passages(self, actor: Actor, heard: _Heard) -> list[HitPassage]:
        hits, shown = heard.found.hits, heard.jury.shown
        files, touched = retry_lost_replica(partial(self._files, actor, hits))
        around = Surrounded(actor.org, heard.within, heard.projects, files, heard.now, touched)
        return [passage_of(hit, shown[hit.chunk.key], around) for hit in hits]

    def _files(
        self, actor: Actor, hits: Sequence[Hit]
    ) -> tuple[Mapping[int, FileState], Mapping[int, tuple[str, ...]]]:
        """The files that were found, and of commits those that they touched."""
        keys = [
            hit.chunk.owner.key
            for hit in hits
            if hit.chunk.owner.type is OwnerType.DOCUMENT and hit.source is None
        ]
        if not keys:
            return {}, {}
        commits = [h.chunk.owner.key for h in hits if h.chunk.metadata.kind == COMMIT_KIND]
        with self._store.search(actor) as tx:
            return tx.files.get(keys), tx.files.touched(commits) if commits else {}


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a question was asked of, and what came back."""

    projects: Mapping[str, Project]
    within: Narrowed
    query: WeighedTerms
    jury: _Jury
    found: SearchResult
    now: datetime
    is_empty: bool


class _Jury:
    """Judges and chooses between what was found and what is read of it, as a rerank of retrieval.

    Remembers what it thought, for the answer.
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
        query, asked = self._query, asked_in(self._request.question, self._query.weights)
        counts = {one.chunk.key: one.counts or counted(one.chunk, query) for one in passing}
        found = reranked(passing, counts, query, asked, self._within.class_of)
        evidence = evidence_of(found, counts, query, asked.names)
        judged = Distinct(found, self._judged(found, evidence), counts)
        self._decide(judged.first(QUESTION_LOOKS_AT))
        listed = [one.probability for one in judged.first(LISTED)]
        told = raising(listed, self.probability)
        likely = (replace(one, probability=told(one.probability)) for one in judged)
        if self._everything:
            chosen = list(islice(likely, MOST_HITS))
        else:
            chosen = self._chosen(likely, len(judged.first(self._request.limit)))
        self.shown = {one.chunk.key: one for one in judged.with_copies(chosen)}
        return [one.scored for one in chosen]

    def _chosen(self, judged: Iterator[Judged], listed: int) -> list[Judged]:
        if self.verdict is Verdict.NOTHING:
            return []
        least, limit = self._request.least_probability, self._request.limit
        likely = takewhile(lambda one: one.probability >= least, judged)
        first = list(islice(likely, limit))
        most = enough([one.probability for one in first])
        self.left_out = listed - most
        return spread(chain(first, likely), most)

    def _judged(self, found: Sequence[Scored], evidence: Iterator[Evidence]) -> Iterator[Judged]:
        evidence, told = tee(evidence)
        kinds = (self._within.kind_of(one.chunk) for one in found)
        return map(Judged, found, told, falling(map(hit_probability, evidence, kinds)))

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
