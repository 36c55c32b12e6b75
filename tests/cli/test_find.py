"""`find`: passages of what is attached to projects."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import run_here
from tests.cli.test_folders import folder


def test_attached_folders_are_searched(place: dict[str, str], tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    run_here(place, "project", "add", "shop", "--json")
    run_here(place, "push", str(root), "--project", "shop", "--json")
    run_here(place, "ingest", "--project", "shop", "--json")

    words = ("--mode", "lexical", "--json")
    found = run_here(place, "find", "wolfram", "--project", "shop", *words).document
    (hit,) = found["hits"]
    assert (hit["title"], hit["path"], hit["line_start"]) == ("Refunds", "docs/page.md", 1)
    assert (found["total"], found["mode"], hit["source"]) == (1, "lexical", "shop")
    assert hit["parts"]["trust"] == 0.7
    assert run_here(place, "find", "wolfram", "--path", "src", *words).document["hits"] == []
    (code,) = run_here(place, "find", "retry", "--language", "ts", *words).document["hits"]
    assert code["title"] == "retry"

    shown = run_here(place, "find", "wolfram", "--mode", "lexical").stdout
    assert "Refunds  [docs/page.md:1]" in shown
    assert "1 of 1 found, lexical search" in shown
    assert "trust 0.70" not in shown
    explained = run_here(place, "find", "wolfram", "--mode", "lexical", "--explain").stdout
    assert "trust 0.70" in explained
    everything = run_here(place, "search", "wolfram", *words).document
    assert [(hit["id"], hit["title"]) for hit in everything["hits"]] == [
        ("docs/page.md", "Refunds")
    ]


def test_a_project_that_is_not_there(home: dict[str, str]) -> None:
    outcome = run_here(home, "find", "wolfram", "--project", "none", "--json")
    assert outcome.document["error"]["code"] == "project.not_found"
