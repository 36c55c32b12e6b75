"""The order of hits: relevance in coarse steps, then quality."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from commonplace.model.chunk import Chunk, ChunkMetadata, EmbeddingState, Owner, OwnerType, Position
from commonplace.model.entry import Entry, EntryContent, EntryKind
from commonplace.model.query import Hit
from commonplace.registry.ranking import by_quality, ordered

NOW = datetime(2030, 1, 1, tzinfo=UTC)
CHUNK = Chunk(
    1,
    "acme",
    Owner(OwnerType.ENTRY, 1),
    0,
    ChunkMetadata("skill", "ann"),
    "text",
    "",
    Position(),
    1,
    EmbeddingState.READY,
)


def entry(id: str, quality: float) -> Entry:
    content = EntryContent("Title", "Body", confidence=quality)
    return Entry(1, "acme", id, EntryKind.SKILL, content, "agent", "ann", 1, NOW, NOW)


def order(*hits: tuple[str, float, float]) -> list[str]:
    """Of hits with (id, score, quality)."""
    found = [Hit(CHUNK, score, (), "", entry=entry(id, quality)) for id, score, quality in hits]
    return [one.id for one in ordered(found)]


def test_quality_decides_where_relevance_is_about_equal() -> None:
    assert order(("a", 0.8, 0.6), ("b", 0.75, 0.9)) == ["b", "a"]
    assert order(("a", 0.8, 0.6), ("b", 0.5, 0.9)) == ["a", "b"]
    assert order(("a", 0.8, 0.6), ("b", 0.79, 0.6)) == ["a", "b"]


def test_nothing_and_chunks_without_an_entry() -> None:
    assert ordered([]) == []
    assert ordered([Hit(replace(CHUNK, key=2), 0.5, (), "")]) == []
    assert [one.id for one in by_quality([entry("a", 0.1), entry("b", 0.2)])] == ["b", "a"]
