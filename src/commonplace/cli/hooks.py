"""What clients run when a session begins or ends. Nothing that fails here disturbs a session."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import Any

import click

from commonplace.cli.main import COMMANDS, main
from commonplace.clients.hooks import HOOKS, answer_of
from commonplace.errors import CommonplaceError

client_option = click.option("--client", type=click.Choice(list(HOOKS)), required=True)


@click.group("hook")
def hook_command() -> None:
    """What `commonplace connect` lets clients run; they hand over a JSON document."""


@hook_command.command("start")
@client_option
def start_hook(client: str) -> None:
    """Put what is known of the project before an agent, as its client wants it."""
    given = _given()
    with suppress(CommonplaceError, OSError, ValueError, click.ClickException):
        if folder := given.get("cwd"):
            os.chdir(str(folder))
        if told := _brief():
            click.echo(answer_of(client, told))


def _brief() -> str:
    """What `commonplace brief` says here."""
    if "brief" not in COMMANDS:
        return ""
    with redirect_stdout(io.StringIO()) as said:
        code = main.main(["brief"], standalone_mode=False)
    return said.getvalue().strip() if not code else ""


@hook_command.command("end")
@client_option
@click.option("--now", is_flag=True, help="Wait for it; without it, it goes on by itself.")
def end_hook(client: str, now: bool) -> None:
    """Look through what was said for what is worth keeping; it waits for review."""
    given = _given()
    if now:
        with suppress(CommonplaceError, OSError):
            _capture(client, given)
        return
    command = [sys.executable, "-m", "commonplace", "hook", "end", "--client", client, "--now"]
    process = subprocess.Popen(  # noqa: S603 - it is our own command
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    assert process.stdin is not None
    with process.stdin as stdin:
        stdin.write(json.dumps(given).encode())


def _given() -> dict[str, Any]:
    """What the client says of the session; nothing where it says nothing that can be read."""
    try:
        given = json.loads(sys.stdin.buffer.read() or b"{}")
    except (ValueError, RecursionError):
        return {}
    return given if isinstance(given, dict) else {}


def _capture(client: str, given: dict[str, Any]) -> None:
    from commonplace.cli.session import command_session
    from commonplace.cli.taking import Taking

    path = Path(str(given.get("transcript_path") or ""))
    if not path.is_file():
        return
    folder = given.get("cwd")
    project = Path(folder).name if isinstance(folder, str) else None
    with command_session() as session:
        author = session.application.local_actor(client)
        home = session.application.settings.home
        Taking(session.application, author, home).transcript(path, project or None)
