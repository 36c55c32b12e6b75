"""What an agent just wrote is embedded before bulk work that waits, whatever its amount."""

from __future__ import annotations

from collections.abc import Sequence

from commonplace.model.entry import EntryContent, EntryKind
from tests.multiprocess.embedder import LightEmbedder
from tests.multiprocess.node import actor_of, open_node, put_bulk

_BULK = {"sqlite": 2_000, "postgres": 500}  # a server takes each row on its own
_FRESH = "a note about the fresh trout"
ACTOR = actor_of("agent")


def test_a_fresh_note_is_in_the_next_batch(address: str, dialect: str) -> None:
    batches: list[list[str]] = []

    def note_down(texts: Sequence[str]) -> None:
        batches.append(list(texts))
        if len(batches) == 10:
            node.knowledge.add(ACTOR, EntryKind.NOTE, EntryContent(_FRESH, "It swims."))

    with open_node(address, LightEmbedder(note_down)) as node:
        put_bulk(node.store, ACTOR, _BULK[dialect], "The page")
        assert node.worker.drain(240.0)
    fresh = [number for number, texts in enumerate(batches) if _FRESH in "".join(texts)]
    assert fresh == [10], "the tenth batch was under way, the next one has the note"
    assert len(batches[10]) == 1
    assert sum(map(len, batches)) == _BULK[dialect] + 1
