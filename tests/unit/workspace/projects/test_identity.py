"""By which names a project is known."""

from __future__ import annotations

import pytest

from commonplace.model.workspace import Project
from commonplace.workspace.projects.identity import project_called
from tests.stores import START


def project(id: str, handle: str, name: str) -> Project:
    return Project(
        key=1, org="acme", agent="alice", created_at=START, id=id, handle=handle, name=name,
        roots=(), repository=None, revision=1,
    )  # fmt: skip


PROJECTS = [
    project("proj_B", "shop-2", "Shop"),
    project("proj_C", "SHOP", "Old shop"),
    project("proj_A", "shop", "Shop"),
]


@pytest.mark.parametrize(
    ("given", "handle"),
    [
        ("shop", "shop"),
        ("SHOP", "SHOP"),
        ("proj_B", "shop-2"),
        ("PROJ_B", "shop-2"),
        ("old SHOP", "SHOP"),
        ("Shop", "SHOP"),
    ],
)
def test_the_nearest_of_its_names_counts(given: str, handle: str) -> None:
    found = project_called(PROJECTS, given)
    assert found is not None
    assert found.handle == handle


def test_an_unknown_name_is_no_project() -> None:
    assert project_called(PROJECTS, "lamp") is None
    assert project_called([], "shop") is None
