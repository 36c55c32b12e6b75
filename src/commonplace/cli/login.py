"""`commonplace login`: a login link for a running server."""

from __future__ import annotations

import socket

import click

from commonplace.cli.output import Command, emit, json_option
from commonplace.cli.session import command_session
from commonplace.errors import InvalidArgument
from commonplace.settings import PORT

_HOST = "127.0.0.1"
_ANSWER_SECONDS = 1.0


@click.command("login", cls=Command)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=PORT,
    show_default=True,
    help="The port of `commonplace serve` or `demo`.",
)
@json_option
def login_command(port: int, as_json: bool) -> None:
    """Print a link that opens the console of `commonplace serve`, once, within ten minutes."""
    with command_session() as session:
        if session.application.settings.shared:
            raise InvalidArgument("A team server has no login links: log in with a token.")
        code = session.application.access.new_link()
    link = f"http://{_HOST}:{port}/login?code={code}"
    emit({"link": link}, f"Open in a browser (works once): {link}", as_json=as_json)
    if not _is_served(port):
        hint = "start `commonplace serve`, or name another port with --port."
        click.echo(f"Nothing listens on port {port} yet: {hint}", err=True)


def _is_served(port: int) -> bool:
    try:
        socket.create_connection((_HOST, port), _ANSWER_SECONDS).close()
    except OSError:
        return False
    return True
