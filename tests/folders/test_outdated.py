"""Files that are chunked anew or renamed, on both stores: found by meaning all the while."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace.model.chunk import ChunkCounts, ChunkDraft, Indexed, Owner, OwnerType, Urgency
from commonplace.model.query import Filter
from commonplace.storage.port import Store
from commonplace.worker.service.embedding import WaitingChunks
from commonplace.workspace.indexing.drafts import metadata_of
from tests.folders.yard import Yard, plant
from tests.generate import ALICE


@pytest.fixture
def yard(store: Store) -> Iterator[Yard]:
    made = Yard(store)
    yield made
    made.close()


def bring(yard: Yard) -> None:
    yard.indexer.refresh(ALICE, "res_yard", anew=False, whole=False)


def embed(yard: Yard) -> None:
    waiting = WaitingChunks(yard.store, yard.model)
    while waiting.embed(ALICE, Urgency.FRESH) or waiting.embed(ALICE, Urgency.BULK):
        pass


def chunked_by_an_earlier_revision(store: Store) -> None:
    """Cut each file as before its name belonged to the context."""
    with store.write(ALICE) as tx:
        resource = tx.resources.get("res_yard")
        assert resource is not None
        for state in tx.files.of_resource(resource.key):
            owner = Owner(OwnerType.DOCUMENT, state.key)
            drafts = [
                ChunkDraft(
                    ordinal=chunk.ordinal,
                    text=chunk.text,
                    context="",
                    position=chunk.position,
                    token_count=chunk.token_count,
                    text_hash=f"{state.key}-{chunk.ordinal}",
                    indexed=Indexed("old", "old", "old"),
                    urgency=Urgency.BULK,
                )
                for chunk in tx.chunks.page(owner, 1000, 0)
            ]
            tx.chunks.replace(owner, metadata_of(resource, state.path), drafts)
            tx.files.put(resource.key, replace(state, content_hash="0-" + state.content_hash))


def found(yard: Yard) -> list[int]:
    """The chunks that a search by meaning finds."""
    question = yard.embedder.embed_query("refund an invoice")
    with yard.store.read(ALICE) as tx:
        hits = tx.vectors.nearest(yard.embedder.identity.key, question, Filter(), 1000, 1000).hits
    return sorted(key for key, _ in hits)


def counts(yard: Yard) -> ChunkCounts:
    with yard.store.read(ALICE) as tx:
        return tx.chunks.counts()


def test_files_chunked_by_a_new_revision_are_found_by_meaning_meanwhile(
    yard: Yard, tmp_path: Path
) -> None:
    plant(tmp_path, files=20)  # more than somebody edits at once
    yard.attach(tmp_path)
    bring(yard)
    chunked_by_an_earlier_revision(yard.store)
    embed(yard)
    before, total = found(yard), counts(yard).total
    assert len(before) == total
    bring(yard)
    assert found(yard) == before
    assert counts(yard) == ChunkCounts(total=total, previewed=total, outdated=total)
    embed(yard)
    assert found(yard) == before
    assert counts(yard) == ChunkCounts(total=total, ready=total)


def test_files_of_a_renamed_folder_are_found_by_meaning_meanwhile(
    yard: Yard, tmp_path: Path
) -> None:
    plant(tmp_path, files=12)
    yard.attach(tmp_path)
    bring(yard)
    embed(yard)
    before, total = found(yard), counts(yard).total
    (tmp_path / "docs").rename(tmp_path / "pages")
    bring(yard)
    assert found(yard) == before
    assert counts(yard).pending == 0
    assert counts(yard).previewed > 0
    embed(yard)
    assert counts(yard) == ChunkCounts(total=total, ready=total)


def test_an_edit_takes_meaning_only_from_what_it_changed(yard: Yard, tmp_path: Path) -> None:
    plant(tmp_path, files=4)
    yard.attach(tmp_path)
    bring(yard)
    embed(yard)
    before, total = found(yard), counts(yard).total
    page = tmp_path / "docs/page0.md"
    page.write_text(page.read_text().replace("More on", "Nothing on"))
    bring(yard)
    assert len(before) - len(found(yard)) == 1
    assert counts(yard) == ChunkCounts(total=total, ready=total - 1, pending=1)
