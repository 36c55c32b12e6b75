"""A model that is changed while a folder is ingested: no vector is kept under another's name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from commonplace.embedding.serving import ServingEmbedder
from commonplace.model.chunk import passage
from commonplace.model.embedding import ModelState
from commonplace.storage.port import Store
from commonplace.worker.reembedding.service import searchable
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.workspace.runs.outcome import RunRequest, TargetOutcome
from commonplace.workspace.runs.service import RunService
from tests.features.embedders import GramEmbedder, Vector
from tests.folders.yard import Yard, plant
from tests.generate import ALICE


class Mirrored(GramEmbedder):
    """The opposite of what the other model says of each text."""

    def embed_query(self, text: str) -> Vector:
        return -super().embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        return [[-window for window in windows] for windows in super().embed_passages(texts)]


class Replaced(GramEmbedder):
    """Another model takes its place while it embeds for the first time."""

    def __init__(self, store: Store, successor: GramEmbedder) -> None:
        super().__init__("r1")
        self._store, self._successor = store, successor

    def embed_passages(self, texts: Sequence[str]) -> list[list[Vector]]:
        if not self.batches:
            with self._store.write(ALICE) as tx:
                tx.models.put(self.identity.key, ModelState.RETIRED)
                tx.models.put(self._successor.identity.key, ModelState.SERVING)
        return super().embed_passages(texts)


@pytest.fixture
def yard(store: Store) -> Iterator[Yard]:
    made = Yard(store)
    yield made
    made.close()


def test_a_folder_is_ingested_while_the_model_changes(
    store: Store, yard: Yard, tmp_path: Path
) -> None:
    new = Mirrored("r2")
    old = Replaced(store, new)
    with store.write(ALICE) as tx:
        tx.models.put(old.identity.key, ModelState.SERVING)
    model = ServingEmbedder([new, old], partial(searchable, store), seconds=0)
    plant(tmp_path, files=6)
    yard.attach(tmp_path)
    runs = RunService(store, WaitingChunks(store, model), yard.indexer, yard.history)
    (target,) = runs.ingest(ALICE, RunRequest()).targets
    assert target.outcome is TargetOutcome.READY
    assert old.batches, "it was asked"
    with store.read(ALICE) as tx:
        assert tx.chunks.counts().pending == 0
        chunks = tx.reembedding.without_vectors("a model that nobody has", 0, 1000)
        assert tx.reembedding.count(new.identity.key) == len(chunks) > 0
        for chunk in chunks:
            (made,) = new.embed_passages([passage(chunk.context, chunk.text)])
            cosines = tx.vectors.cosines(new.identity.key, made[0], [chunk.key])
            assert cosines[chunk.key] > 0.9, "the new model's own, not its opposite"
