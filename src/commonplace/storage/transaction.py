"""A transaction as the features see it: the tables over one session."""

from __future__ import annotations

from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING, Any

from commonplace.model.actor import Actor
from commonplace.storage.session import Session

if TYPE_CHECKING:
    from commonplace.storage.tables.accesses import AccessTable
    from commonplace.storage.tables.activity import CallCountTable, QuestionTable
    from commonplace.storage.tables.background import BlobTable, RunTable, StatisticsTable
    from commonplace.storage.tables.capture import FeedbackTable, ReviewTable
    from commonplace.storage.tables.chunks import ChunkTable
    from commonplace.storage.tables.codegraph import CodeFileTable, GraphTable
    from commonplace.storage.tables.entries import ChangeTable, EntryTable
    from commonplace.storage.tables.limits import ReplayTable, UsageTable
    from commonplace.storage.tables.models import ModelTable, ReembeddingTable
    from commonplace.storage.tables.registry import ContributionTable, VerdictTable
    from commonplace.storage.tables.sources import SourceTable
    from commonplace.storage.tables.tokens import AllowanceTable, TokenTable
    from commonplace.storage.tables.vectors import VectorTable
    from commonplace.storage.tables.workspace import (
        AttachmentTable,
        FileTable,
        ProjectTable,
        ResourceTable,
    )

# Tables whose module has a different name.
_MODULES = {
    "questions": "activity",
    "call_counts": "activity",
    "blobs": "background",
    "runs": "background",
    "statistics": "background",
    "feedback": "capture",
    "reviews": "capture",
    "code_files": "codegraph",
    "graph": "codegraph",
    "changes": "entries",
    "replays": "limits",
    "usage": "limits",
    "reembedding": "models",
    "contributions": "registry",
    "verdicts": "registry",
    "allowances": "tokens",
    "attachments": "workspace",
    "files": "workspace",
    "projects": "workspace",
    "resources": "workspace",
}


def opened_for_writing(session: Session) -> SessionTransaction:
    """A write transaction; creates the org's row first, whatever is written."""
    session.run("ensure_org")
    return SessionTransaction(session)


class SessionTransaction:
    """Implements port.Transaction; imports and creates a table on first use."""

    entries: EntryTable
    chunks: ChunkTable
    vectors: VectorTable
    changes: ChangeTable
    blobs: BlobTable
    runs: RunTable
    statistics: StatisticsTable
    replays: ReplayTable
    usage: UsageTable
    sources: SourceTable
    accesses: AccessTable
    questions: QuestionTable
    call_counts: CallCountTable
    feedback: FeedbackTable
    reviews: ReviewTable
    contributions: ContributionTable
    verdicts: VerdictTable
    tokens: TokenTable
    allowances: AllowanceTable
    projects: ProjectTable
    resources: ResourceTable
    attachments: AttachmentTable
    files: FileTable
    code_files: CodeFileTable
    graph: GraphTable
    models: ModelTable
    reembedding: ReembeddingTable

    def __init__(self, session: Session) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        kind = SessionTransaction.__annotations__.get(name)
        if kind is None:
            raise AttributeError(name)
        module = import_module(f"commonplace.storage.tables.{_MODULES.get(name, name)}")
        table = getattr(module, kind)(self._session)
        setattr(self, name, table)
        return table

    @property
    def actor(self) -> Actor:
        return self._session.actor

    @property
    def now(self) -> datetime:
        return self._session.now
