"""`commonplace serve`, `mcp` and `worker`: the commands that keep running."""

from __future__ import annotations

import logging
import signal
import sys
import threading
from types import FrameType
from typing import TextIO

import click

from commonplace.application import Application, LazyApplication
from commonplace.cli.output import Command
from commonplace.logs import start_logging
from commonplace.settings import PORT, Settings, load_settings, unread_variables

_watch_option = click.option(
    "--watch/--no-watch",
    default=None,
    help="Watch ingested folders and keep their index fresh (default: COMMONPLACE_WATCH).",
)


def _started(watch: bool | None = None) -> Settings:
    """The settings, with logging started and a warning of each that is misspelled."""
    settings = load_settings() if watch is None else load_settings(watch=watch)
    start_logging(settings.log_level)
    for stray in unread_variables():
        logging.getLogger(__name__).warning(stray)
    return settings


@click.command("serve", cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True)
@_watch_option
def serve_command(host: str, port: int, watch: bool | None) -> None:
    """Serve over HTTP until stopped, with a worker in the same process."""
    from commonplace.server.http import serve
    from commonplace.server.monitoring.telemetry import traced

    settings = _started(watch)
    with traced(settings):
        serve(lazy_application(settings), settings, host, port)


@click.command("mcp", cls=Command)
@_watch_option
def mcp_command(watch: bool | None) -> None:
    """Speak MCP over standard input and output; agents start this command."""
    from commonplace.server.mcp.stdio import serve_stdio
    from commonplace.server.monitoring.telemetry import traced

    settings = _started(watch)
    _tell_person(sys.stdin, "Waiting for MCP on standard input; agents start this command.")
    with traced(settings):
        serve_stdio(lazy_application(settings), settings)


def _tell_person(stream: TextIO, message: str) -> None:
    """Print a message if the stream is a terminal, where nothing else would show activity."""
    if stream.isatty():
        click.echo(f"{message} Ctrl-C stops it.", err=True)


def lazy_application(settings: Settings) -> LazyApplication:
    """An application that is built on first use: importing the wiring would delay start-up."""

    def build_now() -> Application:
        from commonplace.bootstrap import build

        return build(settings)

    return LazyApplication(build_now)


@click.command("worker", cls=Command)
def worker_command() -> None:
    """Do background work in a separate process until stopped."""
    settings = _started()
    _tell_person(sys.stderr, "Doing background work: reading sources and folders, embedding.")
    stop = threading.Event()

    def finish(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, finish)
    from commonplace.server.monitoring.telemetry import traced

    application = lazy_application(settings)
    try:
        with traced(settings):
            application.get().new_worker().run(stop)
    finally:
        application.close()
