"""Store a judged set in the product, embed it with the worker, and search it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from tempfile import TemporaryDirectory

from benchmarks.databases import settings_for
from benchmarks.quality.datasets import Dataset, data_folder
from benchmarks.quality.kept_vectors import KeptVectors
from benchmarks.quality.measures import DEPTH, ndcg
from commonplace.application import Application
from commonplace.bootstrap import utc_now
from commonplace.bootstrap.application import WiredApplication
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.port import Embedder
from commonplace.model.actor import Actor
from commonplace.model.call import PLAIN_CALL
from commonplace.model.chunk import ChunkCounts
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import Fusion, Grain, Hit, RetrievalMode, SearchRequest
from commonplace.retrieval.service.search import RetrievalService
from commonplace.settings import Settings
from commonplace.workspace.projects.changes import AttachmentChange, AttachmentOp
from commonplace.workspace.projects.identity import NewProject
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope

ACTOR = Actor(org="bench", agent="bench")
_LONGEST_TITLE = 500
_ONE_HOUR = 3600.0
_MOST_FILES = 20_000
# Enough chunks to have ten files among them.
_PIECES = 100


@dataclass(frozen=True, slots=True)
class Way:
    """A way of searching that is measured."""

    name: str
    mode: RetrievalMode
    fusion: Fusion = Fusion.ABSOLUTE


SEMANTIC = Way("semantic", RetrievalMode.SEMANTIC)
FUSED = Way("fused", RetrievalMode.AUTO)
WAYS = (
    Way("lexical", RetrievalMode.LEXICAL),
    SEMANTIC,
    FUSED,
    Way("equal RRF", RetrievalMode.AUTO, Fusion.RECIPROCAL_RANK),
)


def content_of(text: str) -> EntryContent:
    """Use the first line as the title: of an abstract, its own title."""
    title, _, body = text.strip().partition("\n")
    return EntryContent(title=title[:_LONGEST_TITLE], body=body if body.strip() else title)


class _Keeping(WiredApplication):
    """The product with an embedder that remembers its vectors between runs."""

    def __init__(self, settings: Settings, root: Path, embedder: Embedder) -> None:
        folders = {"roots": str(root), "max_source_files": _MOST_FILES}
        super().__init__(settings.model_copy(update={"worker": False, **folders}), utc_now)
        vars(self._adapters)["bundled"] = embedder


class Library:
    """A set in a database of its own."""

    def __init__(self, application: Application, embedder: KeptVectors) -> None:
        self._application = application
        self._embedder = embedder

    @property
    def retrieval(self) -> RetrievalService:
        return self._application.retrieval

    @property
    def counts(self) -> ChunkCounts:
        return self._application.status.of_org(ACTOR).chunks

    @property
    def computed(self) -> int:
        """How many texts were embedded in this run; the others were embedded before."""
        return self._embedder.computed

    def preview(self) -> None:
        """Embed until every chunk has at least a preview."""
        worker = self._application.new_worker()
        while self.counts.pending and worker.step():
            pass
        worker.stop()
        self._forget_statistics()

    def complete(self) -> None:
        assert self._application.new_worker().drain(_ONE_HOUR)
        self._forget_statistics()

    def _forget_statistics(self) -> None:
        """Make the next search read the counts of terms again, instead of half a minute later."""
        vars(self._application).pop("retrieval", None)


@contextmanager
def stored(dataset: Dataset, dialect: str) -> Iterator[Library]:
    """The set in a new database, not embedded yet."""
    with settings_for(dialect) as settings, TemporaryDirectory(prefix="cp-files-") as made:
        root = Path(made).resolve()
        embedder = KeptVectors(BundledEmbedder(), data_folder() / "vectors")
        application = _Keeping(settings, root, embedder)
        try:
            _store(application, dataset, root)
            yield Library(application, embedder)
        finally:
            application.close()


def _store(application: Application, dataset: Dataset, root: Path) -> None:
    """Store code as an attached folder (where no git ignores it), everything else as entries."""
    if dataset.files is None:
        for id, text in dataset.documents.items():
            application.knowledge.add(ACTOR, EntryKind.NOTE, content_of(text), id=id)
        return
    shutil.copytree(dataset.files, root, dirs_exist_ok=True)
    workspace = application.workspace
    project = workspace.add_project(ACTOR, NewProject(dataset.name, (str(root),)))
    folder = AttachmentChange(
        AttachmentOp.ADD,
        knowledge_type="code_intelligence",
        resource_kind="folder",
        locator=str(root),
    )
    workspace.change(ACTOR, WorkspaceScope(ScopeName.PROJECT, (project.id,)), [folder])
    (attached,) = workspace.view(ACTOR, EVERYTHING).attached
    subject = {"resource": attached.resource.id, "anew": False, "whole": False}
    application.runs.process(ACTOR, subject, PLAIN_CALL)


def quality(retrieval: RetrievalService, dataset: Dataset, way: Way) -> float:
    """Mean nDCG@10 over the queries."""
    return fmean(
        ndcg(ranking(retrieval, dataset, text, way), dataset.judgments[query])
        for query, text in dataset.queries.items()
    )


def ranking(retrieval: RetrievalService, dataset: Dataset, query: str, way: Way) -> list[str]:
    """The ids that judgments name, best first; a file ranks as its best chunk does."""
    request = SearchRequest(
        query=query,
        mode=way.mode,
        fusion=way.fusion,
        limit=_PIECES if dataset.files else DEPTH,
        depth=_PIECES,
        grain=Grain.CHUNK if dataset.files else Grain.OWNER,
    )
    named = map(_name_of, retrieval.search(ACTOR, request).hits)
    return list(dict.fromkeys(named))[:DEPTH]


def _name_of(hit: Hit) -> str:
    return hit.entry.id if hit.entry else hit.chunk.metadata.path or ""
