"""Where people were stuck: marks in lists, short ids, names with a slip, and what to do next."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from commonplace.cli.main import COMMANDS, GROUPS
from tests.cli.commands import environment, run_here, run_process

AWAY = {
    "COMMONPLACE_EMBEDDING_URL": "http://127.0.0.1:1/v1",
    "COMMONPLACE_EMBEDDING_MODEL": "absent",
    "COMMONPLACE_EMBEDDING_DIMENSION": "8",
}


@pytest.fixture
def quick(home: dict[str, str]) -> dict[str, str]:
    """Nothing is embedded."""
    return home | AWAY


def add(settings: dict[str, str], title: str, body: str = "A body.") -> str:
    id: str = run_here(settings, "add", title, body, "--json").document["id"]
    return id


@pytest.mark.parametrize(
    "words",
    [
        ("export",),
        ("import",),
        ("backup",),
        ("restore",),
        ("salvage",),
        ("capture",),
        ("capture", "--git"),
        ("demo", "--keep"),
        ("skill", "import"),
        ("skill", "export"),
        ("graph", "export"),
    ],
)
def test_a_path_that_cannot_be_looked_up_is_refused(
    quick: dict[str, str], tmp_path: Path, words: tuple[str, ...]
) -> None:
    (tmp_path / "round").symlink_to("round")
    for name, reason in (("x" * 300, "file name too long"), ("round", "too many levels of symbol")):
        refused = run_here(quick, *words, str(tmp_path / name))
        assert refused.code == 1
        assert f"The path cannot be used: {reason}" in refused.stderr


def test_a_list_says_what_its_entries_are(quick: dict[str, str]) -> None:
    old, new = add(quick, "Old zebra"), add(quick, "New zebra")
    assert run_here(quick, "supersede", old[:8], new[:8]).code == 0
    (line, count) = run_here(quick, "list").stdout.splitlines()
    day = run_here(quick, "show", new, "--json").document["created_at"][:10]
    assert line.split() == [new, day, "note", "New", "zebra"]
    assert count == "1 of 1"
    lines = run_here(quick, "list", "--all").stdout.splitlines()
    assert [f"(superseded by {new})" in line for line in lines] == [False, True, False]
    shown = run_here(quick, "search", "zebra", "--all").stdout.splitlines()
    marked = {line.split("[")[1][:36]: "superseded" in line for line in shown if "[" in line}
    assert marked == {old: True, new: False}
    hits = run_here(quick, "search", "zebra", "--all", "--json").document["hits"]
    assert {hit["id"]: hit["superseded_by"] for hit in hits} == {old: new, new: None}


@pytest.mark.parametrize("command", ["show", "history", "delete", "undo", "edit", "purge"])
def test_the_beginning_of_an_id_is_enough(quick: dict[str, str], command: str) -> None:
    id = add(quick, "Title")
    more = {"edit": ["New body"], "purge": ["--yes"], "undo": []}.get(command, [])
    if command == "undo":
        run_here(quick, "delete", id)
    done = run_here(quick, command, id[:8], *more, "--json")
    assert done.code == 0, done.stdout
    assert done.document["id"] == id


def test_an_entry_is_named_as_agents_name_it(quick: dict[str, str]) -> None:
    id = add(quick, "Title")
    reference = f"note:{id.replace('-', '')[:10]}"
    assert run_here(quick, "show", reference, "--json").document["id"] == id
    assert run_here(quick, "edit", reference, "New body", "--json").document["id"] == id


def test_a_beginning_that_is_not_enough_says_so(quick: dict[str, str]) -> None:
    ids = [add(quick, f"Title {number}") for number in range(2)]
    for given in ("", ids[0][:3], "zzzzzzzz"):
        refused = run_here(quick, "show", given, "--json")
        assert refused.document["error"]["code"] == "knowledge.not_found"
    from commonplace.cli.session import resolve_id
    from commonplace.errors import InvalidArgument

    assert resolve_id("abcd-1", ["abcd-1", "abcd-12"]) == "abcd-1", "a whole id is that one"
    with pytest.raises(InvalidArgument, match="abcd-1, abcd-2"):
        resolve_id("abcd", ["abcd-1", "abcd-2", "other"])


def test_what_is_not_relevant_is_not_listed(home: dict[str, str]) -> None:
    run_here(home, "add", "Deploying", "The release is deployed from the main branch on Fridays.")
    found = run_here(home, "search", "chocolate cake recipe")
    assert "Nothing relevant was found." in found.stdout
    assert run_here(home, "search", "chocolate cake recipe", "--json").document["hits"] == []
    assert "Deploying" in run_here(home, "search", "how is it deployed").stdout


def test_a_page_without_text_is_refused(quick: dict[str, str]) -> None:
    for stdin in (None, b"", b"  \n"):
        given = [] if stdin is None else ["--text-file", "-"]
        refused = run_here(
            quick, "source", "add", "--workspace", "w", "--page", "X", *given, "--json",
            stdin=stdin or b"",
        )  # fmt: skip
        assert refused.document["error"]["code"] == "validation.invalid_argument"
        assert "--text-file" in refused.document["error"]["message"]
    assert run_here(quick, "source", "list", "--json").document["count"] == 0


def test_what_could_not_be_read_is_seen_and_removed(home: dict[str, str], tmp_path: Path) -> None:
    broken, whole = tmp_path / "broken.pdf", tmp_path / "whole.txt"
    broken.write_bytes(b"%PDF-1.7 nothing")
    whole.write_text("The lamp is lit at dusk.")
    for file in (broken, whole):
        run_here(home, "source", "add", "--workspace", "w", "--file", str(file))
    (failed,) = run_here(home, "source", "list", "--failed", "--json").document["sources"]
    assert (failed["name"], failed["status"]) == ("broken.pdf", "error")
    line = run_here(home, "source", "list", "--failed").stdout
    assert failed["error"] in line
    assert run_here(home, "source", "remove", failed["id"][:10]).code == 0
    assert run_here(home, "source", "list", "--failed", "--json").document["count"] == 0
    assert run_here(home, "source", "list", "--json").document["count"] == 1


def test_a_project_shows_what_detach_wants(quick: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "repo").mkdir()
    (tmp_path / "repo" / "a.md").write_text("# Lamp\n\nIt is lit at dusk.")
    run_here(quick, "project", "add", "lamp", "--root", str(tmp_path / "repo"))
    attached = run_here(quick, "project", "attach", "lamp", str(tmp_path / "repo"), "--json")
    id: str = attached.document["attachment"]
    assert id in run_here(quick, "project", "show", "lamp").stdout
    first = run_here(quick, "ingest", "--attachment", id[:-4]).stdout
    assert "1 written" in first
    assert run_here(quick, "ingest").stdout.split() == ["repo", "unchanged"]
    assert run_here(quick, "project", "detach", "lamp", id[:-4]).code == 0
    assert id not in run_here(quick, "project", "show", "lamp").stdout


def test_a_slip_in_a_name_is_answered_with_what_may_be_meant(home: dict[str, str]) -> None:
    refused = run_here(home, "serch", "zebra")
    assert refused.code == 2
    assert "Did you mean search" in refused.stderr
    assert "Did you mean" not in run_here(home, "xyzzy").stderr


def test_the_list_of_commands_is_whole_and_costs_little(home: dict[str, str]) -> None:
    shown = run_here(home, "-h").stdout
    assert "..." not in shown.partition("Options:")[2]
    for title, commands in GROUPS.items():
        assert f"{title}:" in shown
        for name, (_, line) in commands.items():
            assert any(row.split(maxsplit=1) == [name, line] for row in shown.splitlines())
    assert len(COMMANDS) == sum(map(len, GROUPS.values())), "each once"
    loads = (
        "import sys; from click.testing import CliRunner; from commonplace.cli.main import main; "
        "assert CliRunner().invoke(main, ['--help']).exit_code == 0; "
        "print([m for m in sys.modules if m.startswith('commonplace.cli.') and m[16:] != 'main'])"
    )
    done = subprocess.run([sys.executable, "-c", loads], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]", "no command is loaded for a list of them"


@pytest.mark.parametrize(("command", "said"), [("mcp", "MCP"), ("worker", "background work")])
def test_who_starts_it_at_a_terminal_is_told_what_it_does(
    quick: dict[str, str], command: str, said: str
) -> None:
    ours, theirs = pty.openpty()
    started = subprocess.Popen(
        [sys.executable, "-m", "commonplace", command],
        env=environment(quick),
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
    )
    try:
        heard = ""
        while "Ctrl-C" not in heard:
            heard += os.read(ours, 1000).decode()
        assert said in heard
    finally:
        started.terminate()
        assert started.communicate(timeout=60)[0] == b"", "standard output belongs to MCP"
        os.close(ours)
        os.close(theirs)


def test_a_program_that_starts_it_is_told_nothing(quick: dict[str, str]) -> None:
    assert run_process(quick, "mcp").stderr == ""
