"""The health of a scope, in counts. The code graph provides the symbol counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from commonplace.model.actor import Actor
from commonplace.model.graph import GraphCounts
from commonplace.model.workspace import IndexStatus, KnowledgeType, Resource
from commonplace.workspace.projects.changes import View


class SymbolCounter(Protocol):
    def counts(self, actor: Actor, resources: Sequence[int]) -> GraphCounts:
        """The symbol counts of these resources."""
        ...


@dataclass(frozen=True, slots=True)
class IndexHealth:
    """The counts of a scope. Only sources are counted, except in `entries` and `pending`."""

    view: View
    resources: int
    attachments: int
    entries: int
    chunks: int
    code_chunks: int
    docs_chunks: int
    pending: int
    previewed: int
    left_out: int
    code_resources: int
    docs_resources: int
    stale: int
    failed: int
    watching: int
    sweep_only: int
    languages: tuple[str, ...]
    graph: GraphCounts
    model: str


def health_of(view: View, now: datetime, graph: GraphCounts, model: str) -> IndexHealth:
    sources = view.sources
    folders = sources.resources
    code = [r for r in folders if r.knowledge_type is KnowledgeType.CODE]
    docs = [r for r in folders if r.knowledge_type is KnowledgeType.DOCS]
    watching = sum(_is_watched(resource, now) for resource in folders)
    return IndexHealth(
        view=view,
        resources=len(folders),
        attachments=len(sources.attached),
        entries=len(view.resources) - len(folders),
        chunks=_chunks(view, folders),
        code_chunks=_chunks(view, code),
        docs_chunks=_chunks(view, docs),
        pending=view.pending,
        previewed=view.previewed,
        left_out=view.left_out,
        code_resources=len(code),
        docs_resources=len(docs),
        stale=sources.with_status(IndexStatus.STALE),
        failed=sources.with_status(IndexStatus.FAILED),
        watching=watching,
        sweep_only=len(folders) - watching,
        languages=_languages(view, code),
        graph=graph,
        model=model,
    )


def _chunks(view: View, resources: Iterable[Resource]) -> int:
    return sum(view.counts[resource.key].chunks for resource in resources)


def _languages(view: View, code: Iterable[Resource]) -> tuple[str, ...]:
    return tuple(sorted({name for r in code for name in view.counts[r.key].languages}))


def _is_watched(resource: Resource, now: datetime) -> bool:
    until = resource.indexing.watched_until
    return until is not None and until > now
