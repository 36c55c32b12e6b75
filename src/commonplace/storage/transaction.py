"""A transaction as the features see it: the tables over one session."""

from __future__ import annotations

from datetime import datetime

from commonplace.model.actor import Actor
from commonplace.storage.session import Session
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


def opened_for_writing(session: Session) -> SessionTransaction:
    """A transaction of an org that has a row from its first write on, whatever is written."""
    session.run("ensure_org")
    return SessionTransaction(session)


class SessionTransaction:
    """Implements port.Transaction."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.entries = EntryTable(session)
        self.chunks = ChunkTable(session)
        self.vectors = VectorTable(session)
        self.changes = ChangeTable(session)
        self.blobs = BlobTable(session)
        self.runs = RunTable(session)
        self.statistics = StatisticsTable(session)
        self.replays = ReplayTable(session)
        self.usage = UsageTable(session)
        self.sources = SourceTable(session)
        self.accesses = AccessTable(session)
        self.questions = QuestionTable(session)
        self.call_counts = CallCountTable(session)
        self.feedback = FeedbackTable(session)
        self.reviews = ReviewTable(session)
        self.contributions = ContributionTable(session)
        self.verdicts = VerdictTable(session)
        self.tokens = TokenTable(session)
        self.allowances = AllowanceTable(session)
        self.projects = ProjectTable(session)
        self.resources = ResourceTable(session)
        self.attachments = AttachmentTable(session)
        self.files = FileTable(session)
        self.code_files = CodeFileTable(session)
        self.graph = GraphTable(session)
        self.models = ModelTable(session)
        self.reembedding = ReembeddingTable(session)

    @property
    def actor(self) -> Actor:
        return self._session.actor

    @property
    def now(self) -> datetime:
        return self._session.now
