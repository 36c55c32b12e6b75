"""`commonplace init`: one command from a folder to something that can be asked."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from commonplace.workspace.projects.identity import free_key
from tests.cli.commands import run_here, run_process


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A small project with code, docs, rules of editors, and what is not to be read."""
    root = tmp_path / "The Shop!"
    files = {
        "prices.py": "def discount(amount):\n    return amount * 0.9\n",
        "docs/cache.md": "# Cache\n\nPrices are purged from the CDN within a minute.\n",
        "CLAUDE.md": "Run the linter before a zebra commit.\n",
        ".cursor/rules/style.mdc": "Prefer walrus operators.\n",
        ".commonplaceignore": "vendor/\n",
        "vendor/giant.py": "def giant_vendored():\n    pass\n",
    }
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    return root


def test_an_empty_folder_is_not_said_to_be_ready_to_ask(
    home: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "bare").mkdir()
    (tmp_path / "bare" / ".gitignore").write_text("*\n")
    done = run_here(home, "init", str(tmp_path / "bare"))
    assert done.code == 0
    assert "Nothing in it was indexed" in done.stdout
    assert "Ask it" not in done.stdout


def test_a_folder_is_ready_to_ask_after_one_command(
    home: dict[str, str], shop: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shop)
    done = run_process(home | {"HOME": str(shop.parent)}, "init")
    assert done.code == 0, done.stderr
    assert "Project The-Shop: ~/The Shop!\n" in done.stdout
    assert "5 written" in done.stdout

    found = run_process(home, "find", "purge stale prices", "--project", "The-Shop", "--json")
    assert found.document["hits"][0]["path"].endswith("docs/cache.md")
    assert run_process(home, "map", "discount", "--json").code == 0
    for word in ("zebra", "walrus"):
        hits = run_here(home, "find", word, "--mode", "lexical", "--json").document["hits"]
        assert len(hits) == 1, f"{word}: what clients were told is read with the project"
    vendored = run_here(home, "find", "giant_vendored", "--mode", "lexical", "--json")
    assert all("vendor/" not in hit["path"] for hit in vendored.document["hits"])


def test_a_folder_that_is_refused_leaves_no_project_behind(
    place: dict[str, str], dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A home is too broad; a team's server reads no folders unless it was told which."""
    monkeypatch.setenv("HOME", str(tmp_path))
    refused = run_here(place, "init", str(tmp_path), "--json")
    assert refused.code == 1
    assert refused.document["error"]["code"].startswith("source."), dialect
    assert run_here(place, "project", "list", "--json").document["projects"] == []


def test_again_it_reads_what_changed_and_makes_no_second_project(
    home: dict[str, str], shop: Path, tmp_path: Path
) -> None:
    first = run_here(home, "init", str(shop), "--json").document
    assert (first["project"]["key"], first["targets"][0]["status"]) == ("The-Shop", "ready")
    (shop / "docs" / "new.md").write_text("# New\n\nA quokka.\n")
    below = run_here(home, "init", str(shop / "docs"), "--json").document
    assert below["project"]["id"] == first["project"]["id"]
    assert [target["written"] for target in below["targets"]] == [1]
    assert len(run_here(home, "project", "list", "--json").document["projects"]) == 1

    other = tmp_path / "other" / "The Shop!"
    other.mkdir(parents=True)
    (other / "a.md").write_text("Something else.\n")
    second = run_here(home, "init", str(other), "--json").document
    assert second["project"]["key"] == "The-Shop-2"
    taken = run_here(home, "init", str(tmp_path / "other"), "--key", "The-Shop")
    assert "choose another --key" in taken.stderr
    renamed = run_here(home, "init", str(shop), "--key", "store")
    assert "is already the project The-Shop" in renamed.stderr


def test_a_key_is_made_of_any_folder() -> None:
    assert free_key("shop", {"shop", "shop-2"}) == "shop-3"
    assert free_key("…", ()) == "project"
    assert free_key(".dotfiles", ()) == "dotfiles"


def test_what_waits_for_its_vector_is_said(home: dict[str, str], shop: Path) -> None:
    absent = {
        "COMMONPLACE_EMBEDDING_URL": "http://127.0.0.1:1/v1",
        "COMMONPLACE_EMBEDDING_MODEL": "absent",
        "COMMONPLACE_EMBEDDING_DIMENSION": "8",
    }
    waiting = run_here(home | absent, "init", str(shop), "--json").document["pending"]
    assert waiting > 1
    assert f"{waiting} passages found by words only so far" in (
        run_here(home | absent, "init", str(shop)).stdout
    )
    assert "so far" not in run_here(home, "init", str(shop)).stdout
