"""One question and what is read for it: its filter, files, commits, and sources not read yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from commonplace.model.actor import Actor
from commonplace.model.chunk import ChunkTerms
from commonplace.model.commits import COMMIT_KIND
from commonplace.model.entry import Entry
from commonplace.model.query import Filter, Hit, ListPosition, SearchResult
from commonplace.model.source import SourceStatus
from commonplace.model.workspace import FileState
from commonplace.recall.fitting import HitPassage
from commonplace.recall.judging import Judge
from commonplace.recall.listing import as_list, is_listed
from commonplace.recall.naming import HitContext, listed_passage, passage_of
from commonplace.recall.narrowing import FOLDER_KINDS, narrowed, unknown_project
from commonplace.recall.values import MOST_LISTED, RecallRequest, Verdict
from commonplace.retrieval.fusion import Scored
from commonplace.retrieval.scoring import weighed
from commonplace.retrieval.service.search import RetrievalService
from commonplace.storage.port import Transaction
from commonplace.text.analyse import query_terms
from commonplace.workspace.projects.identity import project_called
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.search.sources import ScopedSources, unread

# Sources are read in the order they were added, so if any are waiting, the latest ones are.
_LATEST = 20
_PAGE = 200
_TO_BE_READ = frozenset({SourceStatus.PENDING, SourceStatus.PROCESSING})
# Rarity is computed as if this many further chunks were stored. Otherwise, in a home of a few
# notes, a word in one of them would count as common, and only words that none has would matter.
_ASSUMED_OTHERS = 10


class Inquiry:
    """The state of one question: its filter, and the data read beside the hits.

    `narrow` and `rank` run inside the transaction of the search, so that an answer is one
    consistent read over one connection. They run again if the search loses its replica.
    """

    def __init__(
        self,
        retrieval: RetrievalService,
        actor: Actor,
        request: RecallRequest,
        *,
        may_list: bool = True,
        everything: bool = False,
    ) -> None:
        self._retrieval = retrieval
        self._actor = actor
        self._list = as_list(request) if may_list and not everything else None
        self._request = self._list or request
        self._everything = everything
        # Whether the model knows the language; otherwise every text in it seems to be near.
        self.is_read = retrieval.reads(request.question)
        # The first entries of the list that was asked for; None if it was a question.
        self.listed: list[Entry] | None = None

    @property
    def is_list(self) -> bool:
        return self._list is not None

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
        self.judge = Judge(
            self._request,
            self.within,
            self.query,
            is_read=self.is_read,
            everything=self._everything,
        )
        self._has_content = bool(statistics.chunks or scoped.attached)
        self._files: Mapping[int, FileState] = {}
        self._touched: Mapping[int, tuple[str, ...]] = {}
        if self.within.filter is not None and self._list is None:
            return self.within.filter
        if self._list is not None:
            entries = self._entries()
            self.listed = list(islice(entries, self._request.limit))
            self.judge.decide_list(len(self.listed), sum(1 for _ in entries))
        self._explain()
        return None

    def rank(self, scored: Sequence[Scored]) -> Sequence[Scored]:
        """The hits to show, best first."""
        chosen = self.judge.rank(scored)
        self._read_files([one.chunk for one in chosen])
        self._explain()
        return chosen

    def is_empty(self, found: SearchResult) -> bool:
        """Whether nothing is stored."""
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

    def _explain(self) -> None:
        """Read what may explain an answer that finds little."""
        self.unread, self.notices = self._unread(), self.within.notices
        named, projects = self._request.project, self._projects
        if self.judge.verdict is not Verdict.NOTHING:
            return
        self._has_content = self._has_content or self._holds_something()
        if named is None:
            return
        if project_called(projects.values(), named) is None:
            unknown = unknown_project(named, projects, self._tx.entries.page(Filter(), _PAGE, 0))
            self.notices = (*self.notices, *filter(None, [unknown]))

    def _holds_something(self) -> bool:
        """Whether anything is stored that the statistics do not count yet."""
        return bool(self._tx.entries.page(Filter(), 1, 0) or self._tx.sources.page(1, None))

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
