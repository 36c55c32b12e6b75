"""Paths as callers write them, against paths as the index has them."""

from __future__ import annotations

import pytest

from commonplace.errors import LocatorInvalid
from commonplace.workspace.search.paths import folder_of, indexed_prefixes, shown_path

ROOTS = ["/srv/shop", "/srv/tools"]
FOLDERS = {1: "/srv/shop/docs", 2: "/srv/shop/src", 3: "/srv/tools", 4: None}


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("docs/runbooks", {(1, "runbooks"), (3, "docs/runbooks"), (4, "docs/runbooks")}),
        ("docs/", {(1, ""), (3, "docs"), (4, "docs")}),
        ("./src/../docs", {(1, ""), (3, "docs"), (4, "docs")}),
        (".", {(1, ""), (2, ""), (3, ""), (4, "")}),
        ("/srv/shop", {(1, ""), (2, "")}),
        ("/srv/shop/docs-old", set()),
        ("/srv/shop/src/a.ts", {(2, "a.ts")}),
        ("file:///srv/shop/src/a%20b/", {(2, "a b")}),
        ("file:///srv", {(1, ""), (2, ""), (3, "")}),
        ("../tools", {(3, ""), (4, "../tools")}),
        ("elsewhere", {(3, "elsewhere"), (4, "elsewhere")}),
    ],
)
def test_a_prefix_names_parts_of_resources(prefix: str, expected: set[tuple[int, str]]) -> None:
    assert set(indexed_prefixes([prefix], FOLDERS, ROOTS)) == expected


def test_several_prefixes_widen() -> None:
    both = indexed_prefixes(["/srv/shop/docs", "/srv/shop/src", "/srv/shop/docs"], FOLDERS, [])
    assert both == ((1, ""), (2, ""))


@pytest.mark.parametrize("prefix", ["https://example.org/docs", "ftp://x", "git+ssh://x/y"])
def test_other_schemes_are_refused(prefix: str) -> None:
    with pytest.raises(LocatorInvalid, match="pathPrefixes"):
        indexed_prefixes([prefix], FOLDERS, ROOTS)


def test_a_folder_is_read_from_its_locator() -> None:
    assert folder_of("file:///srv/my%20shop/docs/") == "/srv/my shop/docs"
    assert folder_of("notes://global/alice") is None


@pytest.mark.parametrize(
    ("folder", "roots", "shown"),
    [
        ("/srv/shop/src", ROOTS, "src/a/b.ts"),
        ("/srv/shop", ["/work", "/srv/shop"], "a/b.ts"),
        ("/elsewhere", ROOTS, "/elsewhere/a/b.ts"),
        (None, ROOTS, "a/b.ts"),
    ],
)
def test_a_path_is_shown_from_its_root(folder: str | None, roots: list[str], shown: str) -> None:
    assert shown_path("a/b.ts", folder, roots) == shown


def test_a_path_is_shown_from_the_innermost_root() -> None:
    roots = ["/srv/shop", "/srv/shop/packages/core"]
    assert shown_path("src/a.ts", "/srv/shop/packages/core", roots) == "src/a.ts"
    assert shown_path("a.md", "/srv/shop/docs", roots) == "docs/a.md"
