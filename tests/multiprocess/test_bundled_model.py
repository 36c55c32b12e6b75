"""The product's own worker with the model inside the package: its order, and its sudden end."""

from __future__ import annotations

from commonplace.bootstrap import build
from commonplace.model.chunk import EmbeddingState
from commonplace.model.entry import EntryContent, EntryKind
from commonplace.model.query import RetrievalMode, SearchRequest
from commonplace.storage.port import Store
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import actor_of, after_all_leases, open_node, put_bulk, settings_of
from tests.multiprocess.spawn import Members
from tests.waiting import eventually

ACTOR = actor_of("agent")
_PARAGRAPH = "The keeper of the archive reads every page once and files it by its colour. " * 12
_WHALES = EntryContent("Large animals", "The blue whale is the heaviest animal that ever lived.")


def ready_chunks(store: Store) -> int:
    with store.read(ACTOR) as tx:
        return tx.chunks.counts().ready


def begun(store: Store) -> bool:
    """Whether the first of the bulk has a vector; at first it is that of its beginning."""
    with store.read(ACTOR) as tx:
        counts = tx.chunks.counts()
    return counts.previewed + counts.ready > 0


def test_a_fresh_note_is_embedded_while_bulk_waits(members: Members, home: str) -> None:
    """It goes before what has no vector at all, not only before what is embedded exactly."""
    with open_node(home, LightEmbedder()) as node:
        put_bulk(node.store, ACTOR, 1_000, _PARAGRAPH)
        worker = members.command(home, "worker")
        eventually(lambda: begun(node.store))
        entry = node.knowledge.add(ACTOR, EntryKind.NOTE, _WHALES)
        eventually(lambda: node.knowledge.get(ACTOR, entry.id).embedding is EmbeddingState.READY)
        worker.kill()
        with node.store.read(ACTOR) as tx:
            assert tx.chunks.counts().pending > 0, "the bulk went first"


def test_what_a_killed_worker_began_another_finishes(members: Members, home: str) -> None:
    with open_node(home, LightEmbedder()) as node:
        put_bulk(node.store, ACTOR, 30, _PARAGRAPH)
        worker = members.command(home, "worker")
        eventually(lambda: ready_chunks(node.store) > 0)
        node.knowledge.add(ACTOR, EntryKind.NOTE, _WHALES, id="whales")
        worker.kill()
    application = build(settings_of(home), after_all_leases)
    assert application.new_worker().drain(240.0)
    request = SearchRequest("biggest creature of the sea", mode=RetrievalMode.SEMANTIC)
    found = application.retrieval.search(ACTOR, request)
    application.close()
    assert (found.pending, found.mode_used) == (0, RetrievalMode.SEMANTIC)
    assert found.hits[0].entry is not None
    assert found.hits[0].entry.id == "whales"
