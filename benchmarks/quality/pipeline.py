"""A judged set in the product: stored as entries, embedded by the worker, asked by its search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import fmean

from benchmarks.databases import settings_for
from benchmarks.quality.datasets import Dataset, data_folder, owner_of
from benchmarks.quality.kept_vectors import KeptVectors
from benchmarks.quality.measures import DEPTH, ndcg
from commonplace.bootstrap import build_store, utc_now
from commonplace.embedding.bundled import BundledEmbedder
from commonplace.embedding.serving import ServingEmbedder
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import Fusion, RetrievalMode, SearchRequest
from commonplace.retrieval.service.search import RetrievalService
from commonplace.worker.service.loop import Worker
from tests.models import entry_chunks

ACTOR = Actor(org="bench", agent="bench")
_LONGEST_TITLE = 500
_ONE_HOUR = 3600.0
# So many pieces that ten files are among them.
_PIECES = 100


@dataclass(frozen=True, slots=True)
class Way:
    """One way of searching that is measured."""

    name: str
    mode: RetrievalMode
    fusion: Fusion = Fusion.ABSOLUTE


FUSED = Way("fused", RetrievalMode.AUTO)
WAYS = (
    Way("lexical", RetrievalMode.LEXICAL),
    Way("semantic", RetrievalMode.SEMANTIC),
    FUSED,
    Way("equal RRF", RetrievalMode.AUTO, Fusion.RECIPROCAL_RANK),
)


def content_of(text: str) -> EntryContent:
    """The first line of a text is its title: an abstract's own, a function's signature."""
    title, _, body = text.strip().partition("\n")
    return EntryContent(title=title[:_LONGEST_TITLE], body=body if body.strip() else title)


@contextmanager
def searchable(
    dataset: Dataset, dialect: str, tell: Callable[[str], None] = print
) -> Iterator[RetrievalService]:
    """The set in a fresh database, everything embedded and counted."""
    with settings_for(dialect) as settings:
        store = build_store(settings, utc_now)
        embedder = KeptVectors(BundledEmbedder(), data_folder() / "vectors")
        model = ServingEmbedder([embedder], list)
        knowledge = KnowledgeService(store, QuotaService(store), model, entry_chunks())
        for id, text in dataset.documents.items():
            knowledge.add(ACTOR, EntryKind.NOTE, content_of(text), id=id)
        Worker(store, model, utc_now, {}, _ONE_HOUR).drain(_ONE_HOUR)
        with store.read(ACTOR) as tx:
            counts = tx.chunks.counts()
        tell(f"{dataset.name} on {dialect}: {counts}, {embedder.computed} embedded in this run")
        try:
            yield RetrievalService(store, model)
        finally:
            store.close()


def quality(retrieval: RetrievalService, dataset: Dataset, way: Way) -> float:
    """Mean nDCG@10 over the queries."""
    return fmean(
        ndcg(ranking(retrieval, text, way), dataset.judgments[query])
        for query, text in dataset.queries.items()
    )


def ranking(retrieval: RetrievalService, query: str, way: Way) -> list[str]:
    """What judgments name, best first: a file stands where its best piece does."""
    request = SearchRequest(
        query=query, mode=way.mode, fusion=way.fusion, limit=_PIECES, depth=_PIECES
    )
    hits = retrieval.search(ACTOR, request).hits
    return list(dict.fromkeys(owner_of(hit.entry.id) for hit in hits if hit.entry))[:DEPTH]
