"""Places of the graph: which of them pass, and the chunks that they stand in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from commonplace.codegraph.answering.answer import PlaceRole, Sighting
from commonplace.codegraph.answering.question import read_question
from commonplace.model.chunk import (
    Chunk,
    ChunkMetadata,
    EmbeddingState,
    Owner,
    OwnerType,
    Position,
    TrustTier,
)
from commonplace.model.workspace import (
    Attached,
    Attachment,
    Indexing,
    KnowledgeType,
    Project,
    Resource,
    ResourceKind,
)
from commonplace.workspace.projects.scope import EVERYTHING
from commonplace.workspace.search.code_map import MapRequest, seen, with_chunk
from commonplace.workspace.search.grouping import ShownLimits
from commonplace.workspace.search.sources import Narrowing, ScopedSources
from tests.stores import START

PROJECT = Project(1, "org", "p", "shop", "Shop", ("/srv/shop",), None, "alice", 1, START)


def attached(
    key: int, folder: str, kind: KnowledgeType = KnowledgeType.CODE, *, enabled: bool = True
) -> Attached:
    resource = Resource(
        key,
        "org",
        f"res_{key}",
        ResourceKind.FOLDER,
        kind,
        f"file:///srv/shop/{folder}",
        folder,
        Indexing(),
        "alice",
        1,
        START,
    )
    attachment = Attachment(
        key, "org", f"att_{key}", key, "p", folder, TrustTier.OPERATIONAL, 1.0, enabled
    )
    return Attached(attachment, resource)


SCOPED = ScopedSources(EVERYTHING, {"p": PROJECT}, [attached(1, "src"), attached(2, "lib")])
DEFINED = Sighting(PlaceRole.DEFINITION, 1, 10, "cache.ts", "ts", 5, 9, "Cache", "class")
USED = Sighting(
    PlaceRole.REFERENCE, 2, 20, "a/main.ts", "ts", 12, 12, "start", "function", call=True
)


def passing(**narrowing: Any) -> list[Sighting | None]:
    wanted = Narrowing(**narrowing)
    sources = SCOPED.sources(wanted)
    found = seen([DEFINED, USED], sources, wanted, SCOPED.paths(sources, wanted))
    return [place.sighting for place in found]


@pytest.mark.parametrize(
    ("narrowing", "expected"),
    [
        ({}, [DEFINED, USED]),
        ({"symbol_kinds": ("function",)}, [USED]),
        ({"languages": ("java",)}, []),
        ({"path_prefixes": ("lib",)}, [USED]),
        ({"path_prefixes": ("lib/a/main.ts",)}, [USED]),
        ({"path_prefixes": ("lib/a/main",)}, []),
        ({"path_prefixes": ("elsewhere",)}, []),
        ({"knowledge_types": frozenset({KnowledgeType.DOCS})}, []),
        ({"attachments": frozenset({"att_1"})}, [DEFINED]),
    ],
)
def test_filters_narrow_places(narrowing: dict[str, Any], expected: list[Sighting]) -> None:
    assert passing(**narrowing) == expected


def test_a_place_is_shown_as_its_project_knows_it() -> None:
    (place, _) = seen([DEFINED, USED], SCOPED.sources(Narrowing()), Narrowing(), ())
    assert (place.path, place.title, place.symbol) == ("src/cache.ts", "Cache", ("Cache", "class"))
    assert (place.language, place.lines) == ("ts", (5, 9))


def test_a_place_stands_in_the_chunk_that_has_its_first_line() -> None:
    owner = Owner(OwnerType.DOCUMENT, 10)
    chunks = [
        Chunk(
            key,
            "org",
            owner,
            key,
            ChunkMetadata("file", "alice"),
            f"text {key} Cache",
            "",
            Position(line_start=first, line_end=last),
            1,
            EmbeddingState.READY,
        )
        for key, (first, last) in enumerate([(1, 4), (5, 9)], start=1)
    ]
    (place,) = seen([DEFINED], SCOPED.sources(Narrowing()), Narrowing(), ())
    whole = with_chunk(place, chunks, "Cache")
    assert whole.chunk is chunks[1]
    assert whole.excerpt == "text 2 Cache"
    assert with_chunk(place, chunks[:1], "Cache").chunk is None


@pytest.mark.parametrize(
    ("query", "shown"),
    [("callers of Cache", KnowledgeType.CODE), ("docs for Cache", KnowledgeType.DOCS)],
)
def test_code_is_shown_unless_docs_are_asked_for(query: str, shown: KnowledgeType) -> None:
    request = MapRequest(query, read_question(query), ShownLimits(5))
    assert request.shown.knowledge_types == frozenset({shown})
    both = frozenset(KnowledgeType)
    asked = replace(request, narrowing=Narrowing(knowledge_types=both))
    assert asked.shown.knowledge_types == both


def test_a_shared_resource_counts_by_its_best_attachment() -> None:
    weak = attached(1, "src")
    strong = replace(
        weak, attachment=replace(weak.attachment, key=9, id="att_9", trust=TrustTier.CANONICAL)
    )
    off = replace(weak, attachment=replace(weak.attachment, key=8, id="att_8", enabled=False))
    scoped = replace(SCOPED, attached=[weak, strong, off])
    (source,) = scoped.sources(Narrowing()).values()
    assert [one.id for one in source.attachments] == ["att_9", "att_1"]
    assert (source.weighting.trust, source.weighting.folder) == (TrustTier.CANONICAL, "src")


def test_no_source_is_no_filter() -> None:
    assert SCOPED.filter({}, Narrowing()) is None
    sources = SCOPED.sources(Narrowing())
    assert SCOPED.filter(sources, Narrowing(path_prefixes=("elsewhere",))) is None
    below = SCOPED.filter(sources, Narrowing(path_prefixes=("lib/a",)))
    assert below is not None
    assert (below.resources, below.paths) == ((2,), ((2, "a"),))
