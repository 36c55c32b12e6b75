"""`export` and `import` from the command line: what comes in is found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.commands import run_here
from tests.cli.test_commands import UNREACHABLE, code_of


def test_what_is_moved_is_found(home: dict[str, str], tmp_path: Path) -> None:
    old, new = home | UNREACHABLE, {"COMMONPLACE_HOME": str(tmp_path / "new")} | UNREACHABLE
    run_here(old, "add", "Title", "a zebra", "-t", "x")
    for format_, path in (("jsonl", tmp_path / "all.jsonl"), ("markdown", tmp_path / "notes")):
        done = run_here(old, "export", str(path), "--format", format_, "--json")
        assert done.code == 0, done.stdout
    rehearsed = run_here(new, "import", str(tmp_path / "all.jsonl"), "--dry-run", "--json").document
    assert (rehearsed["format"], rehearsed["added"]["entries"]) == ("jsonl", 1)
    assert run_here(new, "list", "--json").document["total"] == 0
    taken = run_here(new, "import", str(tmp_path / "all.jsonl"), "--json").document
    assert taken["added"] == rehearsed["added"]
    assert len(run_here(new, "search", "zebra", "--json").document["hits"]) == 1
    (file,) = (tmp_path / "notes").rglob("*.md")
    file.write_text(file.read_text().replace("zebra", "giraffe"))
    again = run_here(new, "import", str(tmp_path / "notes"), "--json").document
    assert (again["format"], again["changed"]) == ("markdown", {"entries": 1})
    assert len(run_here(new, "search", "giraffe", "--json").document["hits"]) == 1
    assert "exist already" in run_here(new, "import", str(tmp_path / "notes")).stdout


def test_how_many_were_exported_is_said_in_words_that_agree(
    home: dict[str, str], tmp_path: Path
) -> None:
    for count, told in ((1, "1 entry is in"), (2, "2 entries are in")):
        run_here(home | UNREACHABLE, "add", f"Title {count}", "Body")
        folder = str(tmp_path / f"notes{count}")
        done = run_here(home | UNREACHABLE, "export", folder, "--format", "markdown")
        assert done.stdout == f"{told} {folder}\n"


def test_an_export_can_be_piped(home: dict[str, str], tmp_path: Path) -> None:
    run_here(home | UNREACHABLE, "add", "Title", "Body")
    lines = run_here(home | UNREACHABLE, "export", "-").stdout.splitlines()
    assert json.loads(lines[0])["format"] == "commonplace-export"
    assert all(json.loads(line)["table"] for line in lines[1:])


def test_other_servers_files_are_recognised(home: dict[str, str], tmp_path: Path) -> None:
    settings = home | UNREACHABLE
    memory = tmp_path / "memory.jsonl"
    memory.write_text('{"type":"entity","name":"A","entityType":"t","observations":["zebra"]}\n')
    assert run_here(settings, "import", str(memory), "--json").document["format"] == "mcp-memory"
    folder = tmp_path / "basic"
    folder.mkdir()
    (folder / "note.md").write_text("---\ntitle: N\npermalink: n\n---\n- [fact] okapi #x\n")
    assert run_here(settings, "import", str(folder), "--json").document["format"] == "basic-memory"
    assert len(run_here(settings, "search", "okapi", "--json").document["hits"]) == 1


def test_refusals_write_nothing(home: dict[str, str], tmp_path: Path) -> None:
    settings = home | UNREACHABLE
    (tmp_path / "odd.txt").write_text("hello\n")
    (tmp_path / "bytes.jsonl").write_bytes(b'{"type":"entity"\xff}\n')
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "x").write_text("")
    for arguments in (
        ["import", str(tmp_path / "absent")],
        ["import", str(tmp_path / "odd.txt")],
        ["import", str(tmp_path / "bytes.jsonl")],
        ["import", str(tmp_path / "odd.txt"), "--format", "markdown"],
        ["import", str(tmp_path / "full"), "--format", "jsonl"],
        ["export", str(tmp_path / "odd.txt")],
        ["export", str(tmp_path / "full"), "--format", "markdown"],
        ["export", str(tmp_path / "no" / "such" / "folder")],
    ):
        refused = run_here(settings, *arguments, "--json")
        assert code_of(refused) == "validation.invalid_argument", arguments
        assert str(tmp_path) not in refused.document["error"]["message"]
    assert (
        code_of(run_here(settings, "export", "-", "--org", "x", "--json")) == "knowledge.not_found"
    )


def test_a_folder_without_markdown_is_not_said_to_be_imported(
    home: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "pictures"
    folder.mkdir()
    assert run_here(home, "import", str(folder)).code == 0, "an export of nothing"
    (folder / "lamp.png").write_bytes(b"\x89PNG")
    outcome = run_here(home, "import", str(folder), "--json")
    assert outcome.code == 1
    assert outcome.document["error"]["message"] == "The folder has no Markdown file."


@pytest.mark.parametrize("format_", ["jsonl", "mcp-memory"])
def test_a_bad_line_is_told_with_its_number(
    home: dict[str, str], tmp_path: Path, format_: str
) -> None:
    (tmp_path / "bad").write_text("\nnonsense\n")
    refused = run_here(home | UNREACHABLE, "import", str(tmp_path / "bad"), "--format", format_)
    assert refused.code == 1
    assert "line " in refused.stderr
    assert "[validation.invalid_argument]" in refused.stderr


@pytest.mark.parametrize("command", [("import",), ("restore", "--force")])
def test_a_device_that_never_ends_is_not_read(
    home: dict[str, str], command: tuple[str, ...]
) -> None:
    done = run_here(home | UNREACHABLE, *command, "/dev/zero")
    assert done.code == 1
    assert "device" in done.stderr
