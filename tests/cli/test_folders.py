"""`ingest` and `push`, on this machine's store and to a server that runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.commands import run_here, run_process
from tests.server.test_serve import served


def folder(root: Path) -> Path:
    (root / "docs").mkdir(parents=True)
    (root / "docs/page.md").write_text("# Refunds\n\nAbout wolfram.\n")
    (root / "retry.ts").write_text("export function retry() {\n  return 1;\n}\n")
    (root / ".env").write_text("TOKEN=1")
    return root


def test_a_folder_is_pushed_and_ingested(place: dict[str, str], tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    run_here(place, "project", "add", "shop", "--json")

    pushed = run_here(place, "push", str(root), "--project", "shop", "--json").document
    assert (pushed["sent"], pushed["written"], pushed["removed"]) == (2, 2, 0)
    ingested = run_here(place, "ingest", "--project", "shop", "--json").document
    (target,) = ingested["targets"]
    assert (target["status"], target["written"], target["unread"]) == ("ready", 2, [])
    again = run_here(place, "ingest")
    assert again.stdout == "shop  unchanged\n"

    (root / "retry.ts").unlink()
    pushed = run_here(place, "push", str(root), "--project", "shop", "--json").document
    assert (pushed["sent"], pushed["written"], pushed["removed"]) == (0, 0, 1)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("ingest",), "validation.target_required"),
        (("ingest", "--project", "none"), "project.not_found"),
        (("ingest", "--shared", "--attachment", "x"), "validation.invalid_argument"),
        (("push", ".", "--project", "none"), "project.not_found"),
    ],
)
def test_what_cannot_be_done_is_said(
    home: dict[str, str], arguments: tuple[str, ...], code: str
) -> None:
    outcome = run_here(home, *arguments, "--json")
    assert outcome.code == 1
    assert outcome.document["error"]["code"] == code


def test_a_folder_is_pushed_to_a_server(home: dict[str, str], tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    here = {"COMMONPLACE_HOME": str(tmp_path / "elsewhere")}
    with served(home, tmp_path / "log") as server:
        url = f"http://127.0.0.1:{server.port}"
        assert run_process(home, "project", "add", "shop").code == 0
        scopes = "knowledge:read,knowledge:write"
        made = run_process(
            home, "token", "create", "--org", "local", "--agent", "ci", "--scopes", scopes, "--json"
        )
        shown = ("--server", url, "--token", made.document["token"])
        to_server = ("push", str(root), "--project", "shop", *shown, "--json")
        pushed = run_here(here, *to_server).document
        assert (pushed["sent"], pushed["written"]) == (2, 2)
        assert run_here(here, *to_server).document["sent"] == 0
        for wrong, code in (("--token", "auth.invalid_token"), ("--project", "project.not_found")):
            refused = run_here(here, *to_server, wrong, "none").document
            assert refused["error"]["code"] == code
        lost = run_here(here, *to_server, "--server", f"{url}/none").document
        assert lost["error"]["message"].startswith("Nothing")
    nobody = run_here(here, *to_server)
    assert nobody.document["error"]["message"].startswith("The server does not answer")


def test_the_first_push_of_a_project_may_create_it(home: dict[str, str], tmp_path: Path) -> None:
    root = folder(tmp_path / "shop")
    pushing = ("push", str(root), "--project", "shop")
    refused = run_here(home, *pushing)
    assert refused.code == 1
    assert "There is no project shop: --new-project creates it." in refused.stderr
    here = {"COMMONPLACE_HOME": str(tmp_path / "elsewhere")}
    with served(home, tmp_path / "log") as server:
        made = run_process(home, "token", "create", "--agent", "ci", "--json").document
        shown = ("--server", f"http://127.0.0.1:{server.port}", "--token", made["token"])
        refused = run_here(here, *pushing, *shown)
        assert "There is no project shop: --new-project creates it." in refused.stderr
        for sent in (2, 0):
            pushed = run_here(here, *pushing, *shown, "--new-project", "--json").document
            assert (pushed["sent"], pushed["written"]) == (sent, sent)
    again = run_here(home, *pushing, "--new-project", "--json").document
    assert (again["sent"], again["written"]) == (0, 0)


def test_a_file_that_is_not_read_is_named_with_the_reason(
    home: dict[str, str], tmp_path: Path
) -> None:
    root = folder(tmp_path / "shop")
    (root / ".env").write_text("TOKEN=x")
    said = run_here(home, "init", str(root)).stdout
    assert "1 not read" in said
    assert "Not read: .env: " in said
