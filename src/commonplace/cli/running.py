"""Starting what keeps running: the server, and a worker apart from it."""

from __future__ import annotations

import signal
import threading
from types import FrameType

import click

from commonplace.bootstrap import running
from commonplace.cli.output import Command
from commonplace.logs import start_logging
from commonplace.settings import load_settings


@click.command("serve", cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
def serve_command(host: str, port: int) -> None:
    """Serve over HTTP until stopped, with a worker in the same process."""
    from commonplace.server.http import serve

    settings = load_settings()
    start_logging(settings.log_level)
    with running(settings) as application:
        serve(application, host, port)


@click.command("worker", cls=Command)
def worker_command() -> None:
    """Do background work until stopped, apart from any server."""
    settings = load_settings()
    start_logging(settings.log_level)
    stop = threading.Event()

    def finish(_signal: int, _frame: FrameType | None) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, finish)
    with running(settings) as application:
        application.new_worker().run(stop)
