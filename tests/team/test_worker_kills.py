"""A worker is killed again and again, while it embeds or reads: all is done in the end."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.documents.rules import NewSource
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import RetrievalMode, SearchRequest
from commonplace.model.source import SourceStatus, SourceType
from commonplace.settings import Settings
from tests.forked import ForkedModule
from tests.surfaces.nearness import answer, embedded_at
from tests.surfaces.processes import environment
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint
from tests.waiting import eventually

ALICE = Actor("acme", "alice")
NOTES = 20
PAGE = "# Chapter\n\n" + "\n\n".join(f"A paragraph of document {n}. " * 30 for n in range(6))


class Model:
    """An endpoint that keeps a worker waiting in the middle of its work until it is dead."""

    def __init__(self) -> None:
        self.asked = threading.Event()
        self.goes_on = threading.Event()
        self.about = ""

    def __call__(self, asked: Asked) -> Answered:
        if self.about and any(self.about in text for text in asked.inputs):
            self.asked.set()
            self.goes_on.wait()
        return answer(asked)

    def catch(self, about: str) -> None:
        """Keep the next one who asks about this waiting."""
        self.about = about
        self.asked.clear()
        self.goes_on.clear()

    def let_go(self) -> None:
        self.about = ""
        self.goes_on.set()


@contextmanager
def hasty_worker(settings: Settings) -> Iterator[ForkedModule]:
    log = settings.home.with_name("worker.log")
    process = ForkedModule("tests.team.hasty_worker", env=environment(settings), stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def model() -> Model:
    return Model()


@pytest.fixture
def application(settings: Settings, model: Model) -> Iterator[tuple[Application, Settings]]:
    with local_endpoint(model) as running:
        slow = settings.model_copy(update=embedded_at(running.url))
        application = build(slow)
        yield application, slow
        model.let_go()
        application.close()


def add_work(application: Application) -> None:
    for number in range(NOTES):
        content = EntryContent(title=f"Note {number}", body="nearness 90 harvest")
        application.knowledge.add(ALICE, EntryKind.NOTE, content)
    page = NewSource(SourceType.PAGE, workspace="ws", title="Page", text=PAGE)
    application.documents.add(ALICE, page)


def all_done(application: Application) -> bool:
    read = [source.sync.status for source in application.documents.in_reach(ALICE)]
    assert SourceStatus.ERROR not in read
    chunks = application.status.of_org(ALICE).chunks
    assert chunks.failed == 0
    return set(read) == {SourceStatus.READY} and not chunks.pending


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.soak, id="soak")])
def test_a_killed_worker_loses_nothing(
    application: tuple[Application, Settings], model: Model, kills: int
) -> None:
    product, settings = application
    for number in range(kills):
        add_work(product)
        model.catch(("Note", "document")[number % 2])
        with hasty_worker(settings) as worker:
            eventually(model.asked.is_set)
            worker.kill()
        model.let_go()
    with hasty_worker(settings):
        eventually(lambda: all_done(product))
    request = SearchRequest("anything", mode=RetrievalMode.SEMANTIC, limit=500, keep_unrelated=True)
    hits = product.retrieval.search(ALICE, request).hits
    assert len({hit.entry.id for hit in hits if hit.entry}) == kills * NOTES
    assert len({hit.source.id for hit in hits if hit.source}) == kills
