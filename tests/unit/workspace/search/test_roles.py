"""What a passage is to a name that no graph knows."""

from __future__ import annotations

import pytest

from commonplace.codegraph.answering.answer import PlaceRole
from commonplace.codegraph.answering.question import read_question
from commonplace.model.chunk import (
    Chunk,
    ChunkMetadata,
    EmbeddingState,
    Owner,
    OwnerType,
    Position,
    SymbolMark,
)
from commonplace.workspace.search.roles import calls, mentions, role_of

OWNER = Owner(OwnerType.DOCUMENT, 1)


def chunk(
    text: str, path: str = "src/a.ts", symbol: str | None = None, headings: tuple[str, ...] = ()
) -> Chunk:
    metadata = ChunkMetadata("file", "alice", path=path, language=None if headings else "ts")
    mark = SymbolMark("class", symbol) if symbol else None
    return Chunk(
        1, "org", OWNER, 0, metadata, text, "", Position(), 1, EmbeddingState.READY, headings, mark
    )


@pytest.mark.parametrize(
    ("found", "role"),
    [
        (chunk("class Cache { get() {} }", symbol="Cache"), PlaceRole.DEFINITION),
        (chunk("class Inner {}", symbol="Outer.Cache"), PlaceRole.DEFINITION),
        (chunk("import { Cache } from './cache';"), PlaceRole.IMPORT),
        (chunk("const Cache = require('./cache');"), PlaceRole.IMPORT),
        (chunk("export { Cache };"), PlaceRole.EXPORT),
        (chunk("import { Cache } from './cache';\nnew Cache().get();"), PlaceRole.REFERENCE),
        (chunk("const CacheManager = 1;"), PlaceRole.RELATED),
        (chunk("new Cache()", path="test/cache.ts"), PlaceRole.TEST),
        (chunk("The Cache keeps answers.", path="README.md", headings=("Cache",)), PlaceRole.DOC),
    ],
)
def test_a_passage_has_a_role(found: Chunk, role: PlaceRole) -> None:
    assert role_of(found, read_question("references to Cache")) is role


def test_a_name_path_must_end_alike() -> None:
    asked = read_question("definition of Cache.get")
    assert role_of(chunk("get() {}", symbol="Cache.get"), asked) is PlaceRole.DEFINITION
    assert role_of(chunk("get() {}", symbol="Basket.get"), asked) is PlaceRole.REFERENCE


def test_prose_has_no_name_to_define() -> None:
    assert role_of(chunk("class Cache {}", symbol="Cache"), read_question("some prose")) is (
        PlaceRole.RELATED
    )


def test_a_call_has_brackets() -> None:
    asked = read_question("callers of render")
    assert calls(chunk("this.render ()"), asked)
    assert not calls(chunk("const f = render; rerender()"), asked)
    assert not calls(chunk("render()"), read_question("some prose"))


def test_the_very_name_or_subject() -> None:
    about = chunk("Through staging.", headings=("Deployment Runbooks",))
    assert mentions(about, read_question("docs for deployment runbooks"))
    assert not mentions(about, read_question("docs for release runbooks"))
    assert mentions(chunk("x = parseConfig()"), read_question("docs for parseConfig"))
    assert not mentions(chunk("x = parseConfigs()"), read_question("docs for parseConfig"))
    assert not mentions(about, read_question("some prose"))
