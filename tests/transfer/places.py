"""A database with something of every canonical table in it, and services to move it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

from commonplace.embedding.bundled import BundledEmbedder
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.capture import Feedback, FeedbackVerdict, ReviewDraft
from commonplace.model.entry import EntryContent, EntryKind, Place, Visibility
from commonplace.model.verdict import Peer
from commonplace.model.workspace import FileState
from commonplace.operations.transfer.service.transfers import TransferService
from commonplace.storage.port import Store
from commonplace.storage.port.canonical import CanonicalRows
from tests.generate import ALICE, BOB, EVE, source_draft
from tests.models import always, entry_chunks
from tests.stores import START, Database


def canonical_rows(database: Database) -> CanonicalRows:
    if database.dialect == "sqlite":
        from commonplace.storage.sqlite.canonical import SqliteRows

        return SqliteRows(Path(database.address), database.clock)
    from commonplace.storage.postgres.canonical import PostgresRows

    return PostgresRows(database.address, database.clock)


@dataclass
class Server:
    """One server's store and what moves its rows."""

    database: Database
    store: Store = field(init=False)

    def __post_init__(self) -> None:
        self.store = self.database.open()
        self.transfer = TransferService(canonical_rows(self.database), self.database.clock)
        self.knowledge = KnowledgeService(
            self.store, QuotaService(self.store), always(BundledEmbedder()), entry_chunks()
        )

    def lines(self, org: str | None = None) -> list[str]:
        return list(self.transfer.lines(org))

    def files(self, org: str | None = None) -> dict[str, str]:
        return dict(self.transfer.files(org))


def fill(server: Server) -> None:
    """Every canonical table, two orgs, history, supersession, deletion, odd characters."""
    knowledge, clock = server.knowledge, server.database.clock
    odd = EntryContent(
        title='Ünï: code # "quoted" – it\'s 💡',
        body="first\r\n---\n\n  last line with spaces  \n\n",
        tags=("a b", "ü", "#x", "yes"),
        visibility=Visibility.NETWORK,
        place=Place("w", "s", "p"),
        confidence=0.123456789,
        attributes={"n": 1, "f": 1e22, "t": "2001-01-01", "deep": {"l": [None, True, "no"]}},
        category="decision",
        domain="testing",
    )
    knowledge.add(ALICE, EntryKind.UNIT, odd, id="odd/../id")
    for actor in (ALICE, EVE):
        for number in range(3):
            content = EntryContent(f"Note {number}", f"zebra number {number}")
            knowledge.add(actor, EntryKind.NOTE, content, id=f"n-{number}")
            clock.advance(1)
    knowledge.edit(
        ALICE, "n-0", EntryContent("Note 0", "edited", expires_at=clock() + timedelta(days=9))
    )
    knowledge.supersede(ALICE, EntryKind.NOTE, "n-1", "n-2")
    knowledge.add(ALICE, EntryKind.NOTE, EntryContent("Gone", "gone"), id="gone")
    knowledge.delete(ALICE, "gone")
    with server.store.write(ALICE) as tx:
        unit = tx.entries.get("odd/../id")
        assert unit is not None
        tx.accesses.count([unit.key])
        tx.contributions.add(unit, "alice", "line")
        tx.verdicts.put(unit, Peer("umbrella", "eve"), valid=True, feedback="fine")
        tx.feedback.add(Feedback("d-1", FeedbackVerdict.CONFIRM, 0.5, ("a", "b"), "well"))
        tx.reviews.add(ReviewDraft("r-1", "print", {"text": "x"}, 0.5, "low", "near"))
        digest = tx.blobs.put(bytes(range(256)), "application/octet-stream")
        given = tx.sources.insert(source_draft("ks_1"))
        tx.files.put(given.key, FileState(0, "pushed.py", "hash", 3, 256, 5, "python", digest))
        tx.files.put(given.key, FileState(0, "read.py", "hash", 3, 256, 5, "python"))
    files = {"files": [{"path": "all.bin", "digest": digest, "size": 256}]}
    skill = EntryContent("Skill", "# how", attributes=files)
    knowledge.add(BOB, EntryKind.SKILL, skill, id="n-0")
    assert server.database.clock() > START
