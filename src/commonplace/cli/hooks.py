"""`commonplace hook`: run by clients when a session begins or ends; it never fails a session."""

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
from commonplace.clients.hooks import HOOKS, start_output
from commonplace.errors import CommonplaceError

client_option = click.option("--client", type=click.Choice(list(HOOKS)), required=True)


@click.group("hook")
def hook_command() -> None:
    """Run by clients that `commonplace connect` has set up, with JSON on standard input."""


@hook_command.command("start")
@client_option
def start_hook(client: str) -> None:
    """Print the brief of the project, in the format of the client."""
    given = _given()
    with suppress(CommonplaceError, OSError, ValueError, click.ClickException):
        if folder := given.get("cwd"):
            os.chdir(str(folder))
        if brief := _brief():
            click.echo(start_output(client, brief))


def _brief() -> str:
    """The output of `commonplace brief` in this folder; empty if it fails."""
    if "brief" not in COMMANDS:
        return ""
    with redirect_stdout(io.StringIO()) as output:
        code = main.main(["brief"], standalone_mode=False)
    return output.getvalue().strip() if not code else ""


@hook_command.command("end")
@client_option
@click.option("--now", is_flag=True, help="Wait until it is done (default: in the background).")
def end_hook(client: str, now: bool) -> None:
    """Look through the session's transcript for moments; they wait for review."""
    given = _given()
    if now:
        with suppress(CommonplaceError, OSError):
            _capture(client, given)
        return
    command = [sys.executable, "-m", "commonplace", "hook", "end", "--client", client, "--now"]
    process = subprocess.Popen(  # noqa: S603 - our own command
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
    """The client's JSON document about the session; empty if it cannot be parsed."""
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
