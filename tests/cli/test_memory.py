"""`commonplace brief` and `commonplace tidy`, as a person or a session's hook calls them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commonplace.text.context_tokens import estimate_context_tokens
from tests.cli.commands import run_here

SAME = "The nightly job writes its report into the shared bucket before four in the morning."


def add(place: dict[str, str], title: str, body: str) -> str:
    return str(run_here(place, "add", title, body, "--json").document["id"])


def test_an_empty_home_has_nothing_to_say(place: dict[str, str]) -> None:
    told = run_here(place, "brief")
    assert told.stdout == ""
    assert told.stderr.startswith("Nothing is known yet")
    told = run_here(place, "brief", "--project", "shop")
    hint = "`commonplace add --project shop` keeps a note."
    assert told.stderr == f"Nothing is known yet about shop: {hint}\n"
    assert "Nothing looks untidy." in run_here(place, "tidy").stdout


def test_a_brief_is_short_and_names_references(place: dict[str, str]) -> None:
    for number in range(12):
        add(place, f"Fact {number}", f"Thing number {number} is kept in drawer {number * 7}. " * 3)
    told = run_here(place, "brief").stdout
    assert told.startswith("Known in Commonplace")
    assert 0 < told.count("(note:") < 12
    assert 100 < estimate_context_tokens(told) <= 400
    assert estimate_context_tokens(run_here(place, "brief", "--tokens", "100").stdout) <= 100
    document = run_here(place, "brief", "--json").document
    assert document["project"] is None
    assert document["brief"] == told.strip()


def test_a_session_begins_with_the_brief_of_its_folder(
    home: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "shop"
    folder.mkdir()
    (folder / "cart.py").write_text("def add() -> None: ...\n")
    assert run_here(home, "init", str(folder), "--background").code == 0
    add(home, "Elsewhere", "Nothing about this project.")
    monkeypatch.chdir(folder)
    assert run_here(home, "brief").stdout.strip() == ""
    given = json.dumps({"cwd": str(folder)}).encode()
    started = run_here(home, "hook", "start", "--client", "claude-code", stdin=given)
    assert started.code == 0
    monkeypatch.chdir(tmp_path)
    assert "Elsewhere" in run_here(home, "brief").stdout


@pytest.mark.parametrize("command", ["tidy", "brief"])
def test_an_unknown_project_is_told_with_the_known_ones(
    place: dict[str, str], tmp_path: Path, command: str
) -> None:
    folder = tmp_path / "lighthouse"
    folder.mkdir()
    place = place | {"COMMONPLACE_ROOTS": str(tmp_path)}
    assert run_here(place, "init", str(folder), "--background").code == 0
    note = ("add", "Oil", "Oil is bought in spring.", "--project", "stores")
    assert run_here(place, *note).code == 0
    told = run_here(place, command, "--project", "nope", "--json")
    assert "No project is called nope. There is lighthouse." in told.stderr
    for known in ("lighthouse", "stores"):
        assert "No project" not in run_here(place, command, "--project", known).stderr


def test_tidy_shows_what_is_doubled_with_the_command_that_settles_it(
    place: dict[str, str],
) -> None:
    first, second = add(place, "Report", SAME), add(place, "Report again", SAME)
    told = run_here(place, "tidy").stdout
    assert told.startswith("- doubled: Report / Report again")
    (suggestion,) = run_here(place, "tidy", "--json").document["suggestions"]
    assert suggestion["why"] == "doubled"
    assert [entry["id"] for entry in suggestion["entries"]] == [first, second]
    settled = told.partition(": commonplace ")[2].split()
    assert settled[0] == "supersede"
    assert run_here(place, *settled).code == 0
    assert "Nothing looks untidy." in run_here(place, "tidy").stdout
