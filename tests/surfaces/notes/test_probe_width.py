"""How widely the vector index of each store looks, as `efSearch` asks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from commonplace.storage.postgres import session as postgres_session
from commonplace.storage.postgres.session import PostgresSession
from commonplace.storage.sqlite.vectors.layered import LayeredIndex
from commonplace.storage.sqlite.vectors.port import NearestChunks, VectorFeed
from tests.generate import Vector
from tests.surfaces.clients import Caller, Premises
from tests.surfaces.nearness import near
from tests.surfaces.notes.steps import SEARCH, store

# What pgvector allows at most.
WIDEST_PROBE = 1000


@pytest.fixture
def probes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many vectors each search of an index was told to look at; the searches are real."""
    widths: list[int] = []
    search, execute = LayeredIndex.search, PostgresSession._execute

    def searched(
        self: LayeredIndex,
        feed: VectorFeed,
        query: Vector,
        limit: int,
        width: int,
        among: Sequence[int] | None = None,
    ) -> NearestChunks:
        widths.append(limit)
        return search(self, feed, query, limit, width, among)

    def executed(
        self: PostgresSession, statement: str, values: Mapping[str, Any], *more: Any, **options: Any
    ) -> Any:
        if statement == "open_nearest":
            widths.append(int(values["width"]))
        return execute(self, statement, values, *more, **options)

    monkeypatch.setattr(LayeredIndex, "search", searched)
    monkeypatch.setattr(PostgresSession, "_execute", executed)
    monkeypatch.setattr(postgres_session, "EXACT_UP_TO", 1)
    return widths


@pytest.mark.requirement("notes.search.ef-search-default", "notes.search.ef-search-width")
def test_the_index_looks_as_widely_as_it_is_asked_to(
    premises: Premises, alice: Caller, probes: list[int]
) -> None:
    for percent in range(40, 90, 5):
        store(alice, title=f"Note {percent}", body=near(percent))
    premises.embed()

    def probed(**given: int) -> tuple[list[str], int]:
        probes.clear()
        hits = alice.call(SEARCH, query="unshared", **given)["hits"]
        return [hit["id"] for hit in hits], min(probes[-1], WIDEST_PROBE)

    usual, width = probed()
    assert len(usual) == 10
    assert probed(efSearch=64) == (usual, width)
    assert probed(efSearch=32) == (usual, width // 2)
    assert probed(efSearch=128) == (usual, width * 2)
    assert probed(efSearch=200) == (usual, WIDEST_PROBE)
    assert probed(efSearch=1) == (usual, width // 4), "never less than a page needs"
