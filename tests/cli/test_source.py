"""The `source` commands: adding, listing, showing, refreshing, removing and restoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import Outcome, run_here, run_process


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "papers"
    (folder / "deep").mkdir(parents=True)
    (folder / "lamp.md").write_text("# Lamp\n\nNine litres of oil a night keep it burning.\n")
    (folder / "deep" / "horn.txt").write_text("The horn sounds every thirty seconds in fog.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    return folder


def code_of(outcome: Outcome) -> str:
    assert outcome.code == 1
    code: str = outcome.document["error"]["code"]
    return code


def test_the_life_of_a_source(place: dict[str, str], folder: Path) -> None:
    lamp = str(folder / "lamp.md")
    added = run_process(place, "source", "add", "--workspace", "ws", "--file", lamp, "--json")
    assert added.code == 0, added.stderr
    id = added.document["id"]
    assert (added.document["status"], added.document["chunk_count"]) == ("ready", 1)
    shown = run_here(place, "source", "show", id, "--chunks", "--json").document
    assert shown["chunks"][0]["headings"] == ["Lamp"]
    found = run_here(place, "search", "how much oil", "--kind", "document", "--json").document
    assert (found["hits"][0]["id"], found["hits"][0]["title"]) == (id, "lamp.md > Lamp")
    (folder / "lamp.md").write_text("# Lamp\n\nTen litres of oil a night keep it burning.\n")
    refreshed = run_here(place, "source", "refresh", id, "--file", lamp, "--json")
    assert refreshed.document["status"] == "ready"
    assert "Ten litres" in run_here(place, "source", "show", id, "--chunks").stdout
    assert run_here(place, "source", "remove", id, "--json").document == {
        "id": id,
        "removed": True,
    }
    assert code_of(run_here(place, "source", "show", id, "--json")) == "knowledge.not_found"
    restored = run_here(place, "source", "restore", id, "--json").document
    assert (restored["status"], restored["chunk_count"]) == ("ready", 1)
    assert run_here(place, "source", "remove", id, "--purge").code == 0
    assert code_of(run_here(place, "source", "restore", id, "--json")) == "knowledge.not_found"


def test_a_purged_source_is_in_no_file(home: dict[str, str], folder: Path) -> None:
    (folder / "lamp.md").write_text("The launch code is quokkazebra.")
    given = ("source", "add", "--workspace", "ws", "--file", str(folder / "lamp.md"), "--json")
    source = run_here(home, *given).document
    assert run_here(home, "rebuild").code == 0
    assert run_here(home, "source", "remove", source["id"], "--purge").code == 0
    for file in Path(home["COMMONPLACE_HOME"]).rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert b"quokkazebra" not in content, file.name


def test_a_script_is_shown_no_progress(home: dict[str, str], folder: Path) -> None:
    told = run_process(
        home, "source", "add", "--workspace", "ws", "--file", str(folder / "lamp.md")
    )
    assert told.stdout.endswith("ready, 1 chunk\n")
    assert told.stderr == ""


def test_a_folder_is_added_file_by_file(home: dict[str, str], folder: Path) -> None:
    added = run_here(home, "source", "add", "--workspace", "ws", "--file", str(folder), "--json")
    assert {s["name"]: s["status"] for s in added.document["sources"]} == {
        "horn.txt": "ready",
        "lamp.md": "ready",
    }
    listed = run_here(home, "source", "list", "--workspace", "ws", "--json").document
    assert listed["count"] == 2
    assert run_here(home, "source", "list").stdout.endswith("\n2 sources\n")
    refreshed = run_here(home, "source", "refresh", "--all", "--json").document
    assert {s["status"] for s in refreshed["sources"]} == {"ready"}


def test_what_cannot_be_added_is_said(home: dict[str, str], folder: Path) -> None:
    bad = "validation.invalid_argument"
    place = ("--workspace", "ws", "--json")
    for options in (
        (),
        ("--url", "http://a.example", "--page", "T"),
        ("--url", "ftp://a.example"),
        ("--file", str(folder / "none.txt")),
        ("--file", str(folder / "deep" / "..") + "/empty"),
        ("--page", " "),
    ):
        assert code_of(run_here(home, "source", "add", *options, *place)) == bad
    for command in (("refresh",), ("refresh", "ks_1", "--all"), ("list", "--space", "s")):
        assert code_of(run_here(home, "source", *command, "--json")) == bad
    broken = run_here(home, "source", "add", "--file", str(folder / "picture.png"), *place)
    assert (broken.code, broken.document["status"]) == (1, "error")
    assert "an image" in broken.document["error"]
