"""`connect` and `disconnect` on homes like those that people have, one for each client."""

from __future__ import annotations

import json
import os
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace.cli.client_files import Machine
from commonplace.clients.catalog import CLIENTS, SERVER, Client, Syntax
from commonplace.clients.hooks import HOOKS
from commonplace.clients.json_text import read
from commonplace.surfaces.memory.tools import MEMORY
from tests.cli.commands import Outcome, run_here, run_process

MEMORY_ALONE = {"COMMONPLACE_SURFACES": "memory"}
JSON_FILES = {
    "absent": None,
    "empty": "",
    "other settings": '{\n  "theme": "One Dark",\n  "numStartups": 7\n}\n',
    "comments": '// mine\n{\n  "theme": "dark", // at night\n  /* last */\n}\n',
    "other servers": '{\n    "SERVERS": {\n        "files": { "command": "files" }\n    }\n}\n',
    "one line": '{"SERVERS":{"files":{"command":"files","env":{"KEY":"v"}}}}',
    "a mark at its beginning": '\ufeff{\r\n  "theme": "dark"\r\n}\r\n',
}
TOML_FILES = {
    "absent": None,
    "empty": "",
    "other settings": '# mine\nmodel = "gpt-5" # the usual\n\n[tui]\nnotifications = true\n',
    "other servers": '[mcp_servers.files]\ncommand = "files"\n\n[mcp_servers.files.env]\nA = "b"\n',
}
BROKEN = {
    Syntax.JSON: ['{"theme": "dark"', "[]", '{"SERVERS": []}', '{"SERVERS": 3}'],
    Syntax.TOML: ["model = ", 'mcp_servers = { commonplace = { command = "x" } }\n'],
}
EVERY = [
    pytest.param(client, text, id=f"{client.name}: {name}")
    for client in CLIENTS.values()
    for name, text in (TOML_FILES if client.syntax is Syntax.TOML else JSON_FILES).items()
]
UNUSABLE = [
    pytest.param(client, text, id=f"{client.name}: {text}")
    for client in CLIENTS.values()
    for text in BROKEN[client.syntax]
]


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A person without any client, whose programs are not those of this machine."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("PATH", "/nowhere")
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    return Machine.here()


def furnished(machine: Machine, client: Client, text: str | None) -> Path:
    path = machine.configuration(client)
    if text is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.replace("SERVERS", client.servers[0]).encode())
    return path


def said_by(client: Client, path: Path) -> dict[str, Any]:
    text = path.read_bytes().decode("utf-8-sig") if path.exists() else ""
    said: dict[str, Any] = tomllib.loads(text) if client.syntax is Syntax.TOML else read(text)
    return said


def connect(home: dict[str, str], *arguments: str) -> Outcome:
    return run_here(home, "connect", "--yes", "--no-check", *arguments)


def files_below(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())


@pytest.mark.parametrize(("client", "text"), EVERY)
def test_a_client_is_connected_and_disconnected_and_all_else_stays(
    client: Client, text: str | None, machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, client, text)
    before, said = path.read_bytes() if path.exists() else None, said_by(client, path)

    done = connect(home, client.name, "--no-brief")
    assert done.code == 0, done.stderr
    there = said_by(client, path)
    servers = there[client.servers[0]]
    command = servers.pop(SERVER)
    assert {k: v for k, v in there.items() if k != client.servers[0]} == {
        k: v for k, v in said.items() if k != client.servers[0]
    }
    assert servers == said.get(client.servers[0], {})
    started = command["command"], *command.get("args", ())
    program, *arguments = started if isinstance(started[0], str) else started[0]
    assert Path(program).is_absolute()
    assert arguments[-1] == "mcp"
    variables = command.get("env") or command["environment"]
    assert variables == MEMORY_ALONE | home

    again = connect(home, client.name, "--no-brief", "--json")
    assert again.document["clients"][0]["state"] == "unchanged"

    assert run_here(home, "disconnect", client.name, "--yes").code == 0
    after = path.read_bytes() if path.exists() else None
    assert after == before or not (before or b"").strip()
    if before:
        assert before in [file.read_bytes() for file in files_below(path.parent)], "no backup"


def test_what_was_ours_alone_leaves_no_copy_behind(machine: Machine, home: dict[str, str]) -> None:
    """Nobody needs a backup of a file that `connect` created and `disconnect` removed."""
    client = CLIENTS["codex"]
    machine.configuration(client).parent.mkdir(parents=True, exist_ok=True)
    assert connect(home, client.name).code == 0
    assert list(files_below(Path(machine.folders["home"])))
    assert run_here(home, "disconnect", client.name, "--yes").code == 0
    left = {file.suffix for file in files_below(Path(machine.folders["home"]))}
    assert ".bak" not in left


@pytest.mark.parametrize("endless", ["pipe", "device"])
def test_what_may_never_end_is_not_read(
    endless: str, machine: Machine, home: dict[str, str]
) -> None:
    client = CLIENTS["codex"]
    path = machine.configuration(client)
    path.parent.mkdir(parents=True, exist_ok=True)
    if endless == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    done = connect(home, client.name)
    assert done.code == 1
    assert "is left alone: it is not a file." in done.stdout


@pytest.mark.parametrize(("client", "text"), UNUSABLE)
def test_a_broken_file_is_refused_and_nothing_is_written(
    client: Client, text: str, machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, client, text)
    before = {file: file.read_bytes() for file in files_below(Path(machine.folders["home"]))}
    done = connect(home, client.name)
    assert done.code == 1
    assert "is left alone" in done.stdout
    assert path.name in done.stdout
    assert {file: file.read_bytes() for file in before} == before
    assert set(files_below(Path(machine.folders["home"]))) == set(before)


def test_one_broken_file_does_not_keep_the_others_away(
    machine: Machine, home: dict[str, str]
) -> None:
    furnished(machine, CLIENTS["cursor"], "{")
    furnished(machine, CLIENTS["zed"], "{}")
    done = run_here(home, "connect", "--yes", "--no-check", "--json")
    states = {one["client"]: one["state"] for one in done.document["clients"]}
    assert (done.code, states) == (1, {"cursor": "refused", "zed": "connected"})


def test_nothing_is_written_unless_it_was_wanted(machine: Machine, home: dict[str, str]) -> None:
    path = furnished(machine, CLIENTS["cursor"], "{}")
    shown = run_here(home, "connect", "--no-check", "--dry-run")
    assert (shown.code, path.read_text()) == (0, "{}")
    assert f'+    "{SERVER}": {{' in shown.stdout
    unasked = run_here(home, "connect", "--no-check")
    assert unasked.code == 1
    assert "use --yes" in unasked.stderr
    assert path.read_text() == "{}"


def test_what_somebody_added_to_the_entry_stays(machine: Machine, home: dict[str, str]) -> None:
    agent = {"COMMONPLACE_AGENT": "me"}
    entry = {"command": "old", "args": ["mcp"], "disabled": True, "env": agent}
    path = furnished(machine, CLIENTS["cursor"], None)
    path.parent.mkdir()
    path.write_text(json.dumps({"mcpServers": {SERVER: entry}}))
    assert connect(home, "cursor").code == 0
    (there,) = said_by(CLIENTS["cursor"], path)["mcpServers"].values()
    assert there["disabled"] is True
    assert there["env"] == agent | home
    assert there["command"] != "old"


def test_a_new_client_gets_the_memory_alone_or_the_dialects_that_the_shell_names(
    machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, CLIENTS["cursor"], "{}")

    def offered(variables: dict[str, str]) -> object:
        done = connect(variables, "cursor")
        assert (done.code, "restart" in done.stderr) == (0, True)
        (entry,) = said_by(CLIENTS["cursor"], path)["mcpServers"].values()
        return entry["env"]

    assert offered(home) == MEMORY_ALONE | home
    named = {"COMMONPLACE_SURFACES": "memory,notes"}
    assert offered(home | named) == named | home
    again = connect(home, "cursor", "--json").document["clients"][0]
    assert again["state"] == "unchanged", "an entry that exists keeps its dialects"
    assert "restart" not in connect(home, "cursor").stderr, "nothing was written"


def test_a_connection_by_address_is_not_mixed_with_ours(
    machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, CLIENTS["cursor"], None)
    path.parent.mkdir()
    path.write_text('{"mcpServers": {"commonplace": {"url": "https://k.example.com/mcp"}}}')
    done = connect(home, "cursor")
    assert done.code == 1
    assert "connects to an address; disconnect it first" in done.stdout


def test_a_link_stays_a_link_and_the_file_as_private_as_it_was(
    machine: Machine, home: dict[str, str], tmp_path: Path
) -> None:
    kept = tmp_path / "dotfiles" / "mcp.json"
    kept.parent.mkdir()
    kept.write_text("{}")
    kept.chmod(0o640)
    path = machine.configuration(CLIENTS["cursor"])
    path.parent.mkdir()
    path.symlink_to(kept)
    assert connect(home, "cursor").code == 0
    assert path.is_symlink()
    assert SERVER in kept.read_text()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o640


def test_a_file_that_others_change_meanwhile_is_left_alone(
    machine: Machine, home: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = furnished(machine, CLIENTS["cursor"], "{}")
    monkeypatch.setattr(
        "commonplace.cli.connecting._shown", lambda _: path.write_text('{"a": 1}') and ()
    )
    done = connect(home, "cursor")
    assert (done.code, path.read_text()) == (1, '{"a": 1}')
    assert "changed in the meantime" in done.stdout


def test_instructions_are_a_paragraph_between_marks(machine: Machine, home: dict[str, str]) -> None:
    claude, code = CLIENTS["claude-code"], CLIENTS["vscode"]
    path = machine.path(claude.instructions)
    path.parent.mkdir()
    path.write_text("# Rules\n\nBe brief.\n")
    assert connect(home, "claude-code", "vscode").code == 0
    assert path.read_text().startswith("# Rules\n\nBe brief.\n\n<!-- commonplace: begin -->\n")
    assert machine.path(code.instructions).read_text().startswith('---\napplyTo: "**"\n---\n')
    assert "unchanged" in connect(home, "claude-code").stdout, "it comes once"
    assert run_here(home, "disconnect", "--yes").code == 0
    assert path.read_text() == "# Rules\n\nBe brief.\n"
    assert not machine.path(code.instructions).exists()


@pytest.mark.parametrize("name", HOOKS)
def test_hooks_come_and_go_with_the_connection(
    name: str, machine: Machine, home: dict[str, str]
) -> None:
    path = machine.path(HOOKS[name].file)
    path.parent.mkdir(parents=True)
    path.write_text('{\n  "theme": "dark"\n}\n')
    assert connect(home, name, "--no-brief").code == 0
    assert "hook end" not in path.read_text()
    assert connect(home, name, "--capture").code == 0
    assert f"hook end --client {name}" in path.read_text()
    assert connect(home, name, "--capture", "--json").document["clients"][0]["state"] == "unchanged"
    assert run_here(home, "disconnect", "--yes").code == 0
    left = {k: v for k, v in json.loads(path.read_text()).items() if k != "version"}
    assert left == {"theme": "dark"}


def test_what_clients_were_told_is_taken_in_where_that_is_wanted(
    machine: Machine, home: dict[str, str]
) -> None:
    told = machine.path("{claude}/CLAUDE.md")
    noted = machine.path("{claude}/projects/-srv-shop/memory/prices.md")
    noted.parent.mkdir(parents=True)
    told.write_text("Run the zebra linter.\n")
    noted.write_text("Prices are walrus integers.\n")

    offered = connect(home, "claude-code", "codex", "--json").document
    assert offered["memories"] == [str(told), str(noted)], "what we wrote ourselves is no memory"
    assert offered["taken"] == 0
    taken = connect(home, "claude-code", "--memories", "--json")
    assert (taken.code, taken.document["taken"]) == (0, 2)
    told.write_text("Run the quokka linter.\n")
    assert connect(home, "claude-code", "--memories", "--json").document["taken"] == 2
    sources = run_here(home, "source", "list", "--json").document["sources"]
    assert sorted(source["name"] for source in sources) == [
        "~/.claude/CLAUDE.md",
        "~/.claude/projects/-srv-shop/memory/prices.md",
    ]
    shown = [run_here(home, "source", "show", s["id"], "--chunks").stdout for s in sources]
    assert "quokka" in "".join(shown)
    assert "zebra" not in "".join(shown)
    assert "recall" not in "".join(shown), "what we wrote ourselves is no memory"


def test_what_changes_in_a_long_line_is_shown_whole(machine: Machine, home: dict[str, str]) -> None:
    other = {"other": {"command": "x", "args": ["walrus" * 100]}, "last": {"command": "y"}}
    path = furnished(machine, CLIENTS["cursor"], json.dumps({"mcpServers": other, "z": "q" * 500}))
    shown = connect(home, "cursor", "--dry-run", "--no-instructions", "--no-brief").stdout
    removed, added = (
        next(line for line in shown.splitlines() if line.startswith(sign) and path.name not in line)
        for sign in "-+"
    )
    assert '"args": ["mcp"]' in added
    assert [(line[:2], line[-1]) for line in (removed, added)] == [("-…", "…"), ("+…", "…")]
    assert "walrus" * 20 not in shown
    assert "q" * 100 not in shown


def test_settings_of_the_shell_are_written_when_they_are_named(
    machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, CLIENTS["cursor"], "{}")
    named = home | {"COMMONPLACE_AGENT": "pair", "COMMONPLACE_ORG": "acme"}
    assert connect(named, "cursor", "--setting", "COMMONPLACE_AGENT").code == 0
    (entry,) = said_by(CLIENTS["cursor"], path)["mcpServers"].values()
    assert entry["env"] == MEMORY_ALONE | home | {"COMMONPLACE_AGENT": "pair"}
    missing = connect(home, "cursor", "--setting", "COMMONPLACE_AGENT")
    assert "COMMONPLACE_AGENT is not set in this shell" in missing.stderr


def test_the_server_is_started_as_a_client_would_and_asked_for_its_tools(
    machine: Machine, home: dict[str, str]
) -> None:
    furnished(machine, CLIENTS["cursor"], "{}")
    done = run_process(home | dict(os.environ), "connect", "--yes", "--json")
    assert done.code == 0, done.stderr
    assert done.document["tools"] == len(MEMORY.tools)
    kept = run_process(home | dict(os.environ), "add", "Ropes", "Splice them by hand.", "--json")
    assert kept.document["embedding"] == "ready", "what was started keeps nobody from working"


def test_a_server_that_does_not_start_connects_nobody(
    machine: Machine, home: dict[str, str]
) -> None:
    path = furnished(machine, CLIENTS["cursor"], "{}")
    wrong = home | {"COMMONPLACE_LOG_LEVEL": "nonsense"}
    done = run_process(
        wrong | dict(os.environ), "connect", "--yes", "--setting", "COMMONPLACE_LOG_LEVEL"
    )
    assert (done.code, path.read_text()) == (1, "{}")
    assert "did not answer" in done.stderr


def test_without_a_client_the_command_to_start_is_named(
    machine: Machine, home: dict[str, str]
) -> None:
    done = connect(home)
    assert done.code == 1
    assert "None of the known clients was found" in done.stderr
    assert "commonplace mcp" in done.stderr
    assert run_here(home, "disconnect", "--yes").stdout == "No client is connected.\n"
