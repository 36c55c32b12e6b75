"""A person's way through the command line, in processes; on the other store in this one."""

from __future__ import annotations

from pathlib import Path

from tests.cli.commands import Outcome, run_anew, run_here, run_process

CACHE = "After a price change the storefront cache is invalidated by tag."


def test_write_find_change_go_back_and_erase(
    place: dict[str, str], dialect: str, tmp_path: Path
) -> None:
    execute = run_process if dialect == "sqlite" else run_here

    def run(*arguments: str, stdin: bytes = b"") -> Outcome:
        outcome = execute(place, *arguments, "--json", stdin=stdin)
        assert (outcome.code, outcome.stderr) == (0, ""), outcome
        return outcome

    file = tmp_path / "note.md"
    file.write_text("The canteen serves soup on Tuesdays.\n", encoding="utf-8")
    cache = run("add", "Fresh prices", CACHE, "--tag", "web").document
    lunch = run("add", "Lunch", "--file", str(file)).document
    run("add", "Hiring", "-", stdin="Interview in pairs – always.\n".encode())
    assert cache["embedding"] == lunch["embedding"] == "ready"

    by_meaning = run("search", "how do we keep shoppers from seeing old amounts").document
    assert by_meaning["hits"][0]["id"] == cache["id"]
    assert by_meaning["mode"] == "hybrid"
    by_word = run("search", "canteen", "--mode", "lexical").document
    assert [hit["id"] for hit in by_word["hits"]] == [lunch["id"]]
    assert by_word["model"] is None

    edited = run("edit", lunch["id"], "The canteen serves stew on Fridays.").document
    assert (edited["revision"], edited["title"]) == (2, "Lunch")
    assert run("search", "soup", "--mode", "lexical").document["hits"] == []
    history = run("history", lunch["id"]).document["revisions"]
    assert [entry["operation"] for entry in history] == ["create", "edit"]
    assert run("undo", lunch["id"]).document["body"].startswith("The canteen serves soup")

    run("delete", lunch["id"])
    assert run("list").document["total"] == 2
    run("undo", lunch["id"])
    assert run("show", lunch["id"]).document["deleted_at"] is None
    superseded = run("supersede", lunch["id"], cache["id"]).document
    assert superseded["newest"] == cache["id"]
    assert run("list").document["total"] == 2
    assert run("list", "--all").document["total"] == 3

    assert run("purge", lunch["id"], "--yes").document == {"id": lunch["id"], "purged": True}
    gone = execute(place, "show", lunch["id"], "--json")
    assert (gone.code, gone.document["error"]["code"]) == (1, "knowledge.not_found")
    rebuilt = run("rebuild").document
    assert (rebuilt["targets"], rebuilt["done"], rebuilt["pending"]) == (1, 1, 0)
    status = run("status").document
    assert (status["entries"], status["embedded"], status["failed"]) == (2, 2, 0)
    assert status["runs"][0]["done"] == 1


def test_a_purged_text_is_not_in_any_file(home: dict[str, str]) -> None:
    entry = run_anew(home, "add", "Secret", "the launch code is hunter2zebra", "--json").document
    run_anew(home, "edit", entry["id"], "the launch code is hunter3zebra")
    assert run_anew(home, "purge", entry["id"], "--yes").code == 0
    for file in Path(home["COMMONPLACE_HOME"]).rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        assert b"hunter2" not in content, file.name
        assert b"hunter3" not in content, file.name


def test_people_get_sentences(home: dict[str, str]) -> None:
    stored = run_anew(home, "add", "Lunch", "Soup on Tuesdays.", "--tag", "food")
    assert stored.stdout.startswith("Stored ")
    assert "(embedding: ready)" in stored.stdout
    found = run_anew(home, "search", "soup")
    assert "Lunch" in found.stdout
    assert "1 of 1 found, hybrid search with granite" in found.stdout


def test_an_error_is_one_sentence_on_stderr(home: dict[str, str]) -> None:
    outcome = run_anew(home, "show", "missing")
    assert (outcome.code, outcome.stdout) == (1, "")
    assert outcome.stderr == "Error: No entry with that id. [knowledge.not_found]\n"
