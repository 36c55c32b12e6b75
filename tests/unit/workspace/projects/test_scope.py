"""Scopes: what each holds, and which ids it needs."""

from __future__ import annotations

import pytest

from commonplace.errors import ProjectRequired
from commonplace.workspace.projects.scope import EVERYTHING, ScopeName, WorkspaceScope, scope_of


@pytest.mark.parametrize(
    ("scope", "held"),
    [
        (WorkspaceScope(ScopeName.PROJECT, ("a",)), ["a"]),
        (WorkspaceScope(ScopeName.PROJECTS, ("a", "b")), ["a", "b"]),
        (WorkspaceScope(ScopeName.GLOBAL), [None]),
        (EVERYTHING, ["a", "b", "c", None]),
    ],
)
def test_what_a_scope_holds(scope: WorkspaceScope, held: list[str | None]) -> None:
    assert [owner for owner in ("a", "b", "c", None) if scope.holds(owner)] == held


def test_a_scope_that_is_not_named_is_as_wide_as_its_ids() -> None:
    assert scope_of(None, "a") == WorkspaceScope(ScopeName.PROJECT, ("a",))
    assert scope_of(None, None, ["a", "b", "a"]) == WorkspaceScope(ScopeName.PROJECTS, ("a", "b"))
    assert scope_of(None, None) == EVERYTHING


@pytest.mark.parametrize("name", [ScopeName.PROJECT, ScopeName.PROJECTS])
def test_a_project_scope_needs_its_ids(name: ScopeName) -> None:
    with pytest.raises(ProjectRequired):
        scope_of(name, None)


def test_only_one_project_can_be_written_to() -> None:
    assert scope_of(ScopeName.PROJECT, "a").project == "a"
    assert scope_of(ScopeName.GLOBAL, None).project is None
