"""The `project` commands, and how a folder finds its project: by its place or its repository."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.commands import Outcome, run_here, run_process

REMOTE = "https://code.example/acme/shop.git"


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=Test", "-c", "user.email=test@example.com")
    subprocess.run(
        ["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True, timeout=60
    )


def repository(folder: Path, remote: str | None = None) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "--quiet")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    (folder / "packages" / "cart").mkdir(parents=True)
    (folder / "readme.md").write_text("# Shop\n")
    git(folder, "add", "readme.md")
    git(folder, "commit", "--quiet", "-m", "Begin")
    return folder


@pytest.fixture
def place(place: dict[str, str]) -> dict[str, str]:
    """A server for many may read the folders of the tests."""
    return place | {"COMMONPLACE_ROOTS": "/"}


def code_of(outcome: Outcome) -> str:
    assert outcome.code == 1, outcome.stdout
    code: str = outcome.document["error"]["code"]
    return code


def test_the_life_of_a_project(place: dict[str, str], tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    added = run_process(
        place, "project", "add", "shop", "--root", str(shop), "--name", "The shop", "--json"
    )
    assert added.code == 0, added.stderr
    project = added.document
    assert project["repository"] == "code.example/acme/shop"
    assert (project["key"], project["name"], project["roots"]) == ("shop", "The shop", [str(shop)])
    listed = run_here(place, "project", "list", "--json").document
    assert listed == {"projects": [project], "count": 1}
    for named in ("shop", project["id"]):
        shown = run_here(place, "project", "show", named, "--json").document
        assert shown == project | {"sources": []}
    assert "The shop" in run_here(place, "project", "show", "--root", str(shop)).stdout
    removed = run_here(place, "project", "remove", "shop", "--json").document
    assert removed == {"id": project["id"], "removed": True}
    assert code_of(run_here(place, "project", "show", "shop", "--json")) == "project.not_found"
    again = run_here(place, "project", "add", "shop", "--id", "proj_1", "--json").document
    assert (again["id"], again["roots"], again["name"]) == ("proj_1", [], "shop")


def test_folders_are_attached_read_and_detached(home: dict[str, str], tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    run_here(home, "project", "add", "shop", "--root", str(shop))
    attach = ("project", "attach", "shop", str(shop), "--docs", "--label", "Pages", "--json")
    first = run_here(home, *attach).document
    assert (first["label"], first["status"]) == ("Pages", "attached")
    assert run_here(home, *attach).document == {**first, "status": "already_attached"}
    assert run_here(home, "ingest", "--project", "shop").code == 0
    (source,) = run_here(home, "project", "show", "shop", "--json").document["sources"]
    assert (source["attachment"], source["status"]) == (first["attachment"], "ready")
    assert source["chunks"] > 0
    outside = run_here(home, "project", "attach", "shop", str(tmp_path), "--json")
    assert code_of(outside) == "source.outside_project"
    detached = run_here(home, "project", "detach", "shop", first["attachment"], "--json").document
    assert detached["status"] == "detached"
    assert run_here(home, "project", "show", "shop", "--json").document["sources"] == []
    gone = run_here(home, "project", "detach", "shop", first["attachment"], "--json")
    assert code_of(gone) == "attachment.not_found"


def test_a_worktree_and_a_clone_find_the_project(home: dict[str, str], tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    id = run_here(home, "project", "add", "shop", "--root", str(shop), "--json").document["id"]
    git(shop, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    clone = repository(tmp_path / "clone", "git@code.example:acme/shop")
    for folder in (shop, shop / "packages", tmp_path / "tree", clone, clone / "packages" / "cart"):
        found = run_here(home, "project", "show", "--root", str(folder), "--json").document
        assert found["id"] == id, folder
    stranger = repository(tmp_path / "other", "https://code.example/acme/other")
    missing = run_here(home, "project", "show", "--root", str(stranger), "--json")
    assert code_of(missing) == "project.not_found"


def test_a_worktree_of_a_repository_without_a_remote(home: dict[str, str], tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop")
    id = run_here(home, "project", "add", "shop", "--root", str(shop), "--json").document["id"]
    git(shop, "worktree", "add", "--quiet", str(tmp_path / "tree"))
    git(tmp_path, "clone", "--quiet", str(shop), "clone")
    for folder in (tmp_path / "tree", tmp_path / "clone"):
        found = run_here(home, "project", "show", "--root", str(folder), "--json").document
        assert found["id"] == id, folder


def test_adding_it_again_adds_roots(home: dict[str, str], tmp_path: Path) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    clone = repository(tmp_path / "clone", REMOTE)
    first = run_here(home, "project", "add", "shop", "--root", str(shop), "--json").document
    second = run_here(home, "project", "add", "shop", "--root", str(clone), "--json").document
    assert second["id"] == first["id"]
    assert second["roots"] == [str(shop), str(clone)]
    other_key = run_here(home, "project", "add", "store", "--root", str(clone), "--json")
    assert code_of(other_key) == "knowledge.conflict"
    assert "shop" in other_key.document["error"]["message"]
    other_id = run_here(home, "project", "add", "shop", "--id", "proj_2", "--json")
    assert code_of(other_id) == "knowledge.conflict"


def test_a_part_of_a_repository_is_a_project_of_its_own(
    home: dict[str, str], tmp_path: Path
) -> None:
    shop = repository(tmp_path / "shop", REMOTE)
    clone = repository(tmp_path / "clone", REMOTE)
    cart = shop / "packages" / "cart"
    run_here(home, "project", "add", "shop", "--root", str(shop))
    added = run_here(home, "project", "add", "cart", "--root", str(cart), "--json").document
    assert added["repository"] == "code.example/acme/shop#packages/cart"
    for folder in (cart, clone / "packages" / "cart"):
        found = run_here(home, "project", "show", "--root", str(folder), "--json").document
        assert found["key"] == "cart"
    found = run_here(home, "project", "show", "--root", str(clone), "--json").document
    assert found["key"] == "shop"


@pytest.mark.parametrize(
    ("root", "code"),
    [
        ("/", "source.too_broad"),
        ("/etc", "source.too_broad"),
        ("/no/such/folder", "source.locator_invalid"),
        ("https://code.example/shop", "source.locator_invalid"),
        ("hidden/.ssh", "source.sensitive"),
    ],
)
def test_a_root_that_no_project_may_have(
    home: dict[str, str], tmp_path: Path, root: str, code: str
) -> None:
    given = root
    if root.startswith("hidden"):
        (tmp_path / root).mkdir(parents=True)
        given = str(tmp_path / root)
    outcome = run_here(home, "project", "add", "shop", "--root", given, "--json")
    assert code_of(outcome) == code
    assert run_here(home, "project", "list", "--json").document["count"] == 0
    assert run_here(home, "project", "list").stdout == "0 projects\n"


@pytest.mark.parametrize(
    "arguments", [("two words",), ("shop", "--id", "a/b"), ("shop", "--name", " ")]
)
def test_names_that_are_refused(home: dict[str, str], arguments: tuple[str, ...]) -> None:
    outcome = run_here(home, "project", "add", *arguments, "--json")
    assert code_of(outcome) == "validation.invalid_argument"
