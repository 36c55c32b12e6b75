"""One process's view of a shared database, wired as `bootstrap` does, with a chosen model.

Decides leases and clocks for tests; every adapter and service is the real one.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import SecretStr

from commonplace.bootstrap import build_store, utc_now
from commonplace.embedding.port import Embedder
from commonplace.knowledge.service.entries import KnowledgeService
from commonplace.knowledge.service.rebuilding import RebuildService
from commonplace.knowledge.service.writes import index
from commonplace.knowledge.usage.service import QuotaService
from commonplace.model.actor import Actor
from commonplace.model.chunk import Urgency
from commonplace.model.entry import EntryContent, EntryDraft, EntryKind
from commonplace.model.run import RunKind
from commonplace.model.times import Clock
from commonplace.retrieval.service.search import RetrievalService
from commonplace.settings import Settings
from commonplace.storage.port import Store
from commonplace.worker.leases import STANDARD_LEASES, Leases
from commonplace.worker.service.loop import Worker
from tests.models import always, entry_chunks

IDLE_SECONDS = 300.0
# A killed worker's work is free again before the next kill.
HASTY_LEASES = Leases(claim=0.5, worker=0.2, renew=0.05)


@dataclass(frozen=True, slots=True)
class Node:
    store: Store
    knowledge: KnowledgeService
    retrieval: RetrievalService
    worker: Worker


def settings_of(address: str) -> Settings:
    """An address is a PostgreSQL URL or the home folder of an embedded server."""
    if address.startswith("postgresql:"):
        return Settings(database_url=SecretStr(address), database_pool=4)
    return Settings(home=Path(address))


def actor_of(agent: str) -> Actor:
    return Actor(org="local", agent=agent, client="test")


def after_all_leases() -> datetime:
    """What somebody's clock says who comes by an hour later."""
    return utc_now() + timedelta(hours=1)


@contextmanager
def open_node(
    address: str,
    embedder: Embedder,
    leases: Leases = STANDARD_LEASES,
    clock: Clock = utc_now,
) -> Iterator[Node]:
    store = build_store(settings_of(address), clock)
    try:
        model = always(embedder)
        knowledge = KnowledgeService(store, QuotaService(store), model, entry_chunks())
        handlers = {RunKind.REBUILD: RebuildService(store).batch}
        worker = Worker(store, model, clock, handlers, IDLE_SECONDS, leases)
        yield Node(store, knowledge, RetrievalService(store, model), worker)
    finally:
        store.close()


def content_of(author: str, number: int) -> EntryContent:
    """A note that a search for its author's name finds."""
    return EntryContent(
        title=f"{author} remembers fact {number}",
        body=f"The harvest of {author} was counted, and number {number} was written down.",
        tags=(author,),
    )


def put_bulk(store: Store, actor: Actor, count: int, body: str) -> None:
    """As an ingest run does: many chunks in one transaction, none of them urgent."""
    with store.write(actor) as tx:
        for number in range(count):
            content = EntryContent(f"page {number}", f"{body} {number}")
            entry = tx.entries.insert(EntryDraft(f"page-{number}", EntryKind.PAGE, content))
            index(tx, entry, Urgency.BULK)
