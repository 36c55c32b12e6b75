"""The generated pages say what the code says now, and the drawn error tree is the real one."""

from __future__ import annotations

import pytest

from commonplace import errors
from tools.docs import lists, reference, rights
from tools.docs.errors import tree


@pytest.mark.parametrize("name", reference.PAGES)
def test_reference_page_is_fresh(name: str) -> None:
    file = reference.REFERENCE / name
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    assert written == reference.PAGES[name](), f"docs/reference/{name} lags: run `make docs`"


def test_reference_holds_only_generated_pages() -> None:
    assert {file.name for file in reference.REFERENCE.iterdir()} == set(reference.PAGES)


@pytest.mark.parametrize("name", lists.PAGES)
def test_a_list_of_tools_is_fresh(name: str) -> None:
    """Servers tell from it without importing what it lists; it may never say anything else."""
    file = lists.LISTS / name
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    assert written == lists.PAGES[name](), f"server/mcp/lists/{name} lags: run `make docs`"


def test_lists_are_of_surfaces_that_there_are() -> None:
    assert {file.name for file in lists.LISTS.iterdir()} == set(lists.PAGES)


def test_the_table_of_rights_is_the_one_that_is_asked() -> None:
    assert rights.PAGE.read_text(encoding="utf-8") == rights.page(), "it lags: run `make docs`"


def test_error_codes_are_unique() -> None:
    codes = [error.code for error in tree(errors.CommonplaceError)]
    assert sorted(set(codes)) == sorted(codes)


def test_the_drawn_error_tree_names_every_class_with_its_code() -> None:
    drawn = [line.strip("│├└─ ").split() for line in (errors.__doc__ or "").splitlines()[2:]]
    assert drawn == [[error.__name__, error.code] for error in tree(errors.CommonplaceError)]
