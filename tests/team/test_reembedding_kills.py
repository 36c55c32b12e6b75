"""A worker is killed while it prepares another model: the next one goes on from there."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pydantic import SecretStr

from commonplace.application import Application
from commonplace.bootstrap import build
from commonplace.model.actor import Actor
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import RetrievalMode, SearchRequest
from commonplace.settings import Settings
from commonplace.worker.reembedding.service import Progress
from tests.stores import MakeDatabase
from tests.surfaces.nearness import DIMENSION, answer, embedded_at
from tests.team.test_worker_kills import hasty_worker
from tests.unit.embedding.local_endpoint import Answered, Asked, local_endpoint
from tests.waiting import eventually

ALICE = Actor("acme", "alice")
NOTES = 40
BATCH = 16
OLD, NEW = f"old-endpoint@{DIMENSION}", f"new-endpoint@{DIMENSION}"


class Models:
    """Two models at one endpoint; the new one stops answering after so many texts."""

    def __init__(self) -> None:
        self.embedded: list[str] = []
        self.most = 0
        self.asked_for_more = threading.Event()
        self.goes_on = threading.Event()

    def __call__(self, asked: Asked) -> Answered:
        if asked.body["model"] == "new":
            if len(self.embedded) >= self.most:
                self.asked_for_more.set()
                self.goes_on.wait()
            self.embedded += asked.inputs
        return answer(asked)


@pytest.fixture
def settings(dialect: str, tmp_path: Path, make_database: MakeDatabase) -> Settings:
    address = make_database(dialect).address
    home = tmp_path / "home"
    if dialect == "sqlite":
        home.mkdir()
        settings = Settings(home=home, worker=False)
        Path(address).rename(settings.database_file)
        return settings
    return Settings(home=home, database_url=SecretStr(address), worker=False)


@contextmanager
def product_of(settings: Settings) -> Iterator[Application]:
    product = build(settings)
    try:
        yield product
    finally:
        product.close()


def fill(settings: Settings) -> None:
    """Notes that the old model has embedded."""
    with product_of(settings) as product:
        for number in range(NOTES):
            content = EntryContent(title=f"Note {number}", body="nearness 90 harvest")
            product.knowledge.add(ALICE, EntryKind.NOTE, content)
        assert product.new_worker().drain(120)


def found_by(product: Application) -> str | None:
    request = SearchRequest(
        "anything", mode=RetrievalMode.SEMANTIC, limit=NOTES, keep_unrelated=True
    )
    result = product.retrieval.search(ALICE, request)
    assert len(result.hits) == NOTES
    return result.model


def begun(product: Application) -> Progress:
    product.reembedding.adopt()
    return product.reembedding.start()


def test_a_killed_change_of_model_goes_on_where_it_was(settings: Settings) -> None:
    models = Models()
    models.most = 2 * BATCH
    with local_endpoint(models) as endpoint:
        old = settings.model_copy(update=embedded_at(endpoint.url) | {"embedding_model": "old"})
        new = old.model_copy(update={"embedding_model": "new"})
        fill(old)
        with product_of(new) as product, product_of(old) as unchanged:
            assert begun(product).embedded == 0
            with hasty_worker(new) as worker:
                eventually(models.asked_for_more.is_set)
                worker.kill()
            half = product.reembedding.progress()
            assert (half.serving, half.preparing, half.embedded) == (OLD, NEW, 2 * BATCH)
            assert found_by(unchanged) == OLD, "searches notice nothing until it is complete"
            models.goes_on.set()
            eventually(lambda: len(models.embedded) == NOTES)
            models.embedded.clear()
            with hasty_worker(new):
                eventually(lambda: product.reembedding.progress().complete)
            assert len(models.embedded) == NOTES - 2 * BATCH, "what was embedded stays embedded"
            assert found_by(product) == NEW
