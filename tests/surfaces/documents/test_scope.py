"""Who sees a source: everybody, a workspace, one space; alike in search and list."""

from __future__ import annotations

from typing import Any

import pytest

from commonplace.model.source import SourceScope
from tests.surfaces.documents.desk import SPACE, WS, Desk
from tests.surfaces.nearness import near

OTHER_SPACE = "space_789"
OTHER = "ws_999"


@pytest.fixture
def shelves(both_ways: Desk) -> Desk:
    """A source of each scope, and one of each elsewhere."""
    places: dict[str, dict[str, Any]] = {
        "system": {"scope": SourceScope.SYSTEM},
        "workspace": {},
        "space": {"space": SPACE},
        "other space": {"space": OTHER_SPACE},
        "other workspace": {"workspace": OTHER},
        "same space elsewhere": {"workspace": OTHER, "space": SPACE},
    }
    for name, place in places.items():
        both_ways.page(name, f"{near(80)} for {name}.", name=name, **place)
    both_ways.read()
    return both_ways


@pytest.mark.requirement(
    "documents.scope.values",
    "documents.scope.system",
    "documents.scope.workspace",
    "documents.scope.workspace-other",
    "documents.scope.space",
    "documents.scope.space-other",
    "documents.scope.space-without-id",
    "documents.scope.inheritance",
    "documents.scope.same-for-search-and-list",
    "documents.expect.space-of-other-workspace",
)
def test_a_source_is_seen_within_its_scope(shelves: Desk) -> None:
    for workspace, space, seen in (
        (WS, None, {"system", "workspace"}),
        (WS, SPACE, {"system", "workspace", "space"}),
        (WS, OTHER_SPACE, {"system", "workspace", "other space"}),
        (WS, "space_new", {"system", "workspace"}),
        (OTHER, None, {"system", "other workspace"}),
        (OTHER, SPACE, {"system", "other workspace", "same space elsewhere"}),
        (OTHER, OTHER_SPACE, {"system", "other workspace"}),
        ("ws_new", SPACE, {"system"}),
    ):
        named = {"spaceId": space} if space else {}
        assert set(shelves.names(workspace, **named)) == seen, (workspace, space)
        found = shelves.search("oil", workspace, limit=50, **named)
        assert {result["sourceName"] for result in found} == seen, (workspace, space)


@pytest.mark.requirement("documents.scope.respected-in-limit")
def test_what_is_out_of_scope_takes_no_place(desk: Desk) -> None:
    closer = "".join(f"# H{n}\n\n{near(95)} number {n}. {'word ' * 30}\n\n" for n in range(300))
    desk.file("close.md", closer, workspace=OTHER)
    for number in range(7):
        desk.page(f"Own {number}", f"{near(40)} number {number}.")
    desk.read()
    found = desk.search("oil", limit=7)
    assert {result["sourceName"] for result in found} == {f"Own {n}" for n in range(7)}


@pytest.mark.requirement("documents.expect.default-scope", "documents.adding.fields")
def test_without_a_scope_the_narrowest_place_counts(desk: Desk) -> None:
    space = desk.page("A", "Text.", space=SPACE)
    workspace = desk.page("B", "Text.")
    assert desk.get(space)["scope"] == "space"
    assert desk.get(workspace)["scope"] == "workspace"
