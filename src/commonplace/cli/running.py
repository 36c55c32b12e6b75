"""Starting what keeps running: the server, and a worker apart from it."""

from __future__ import annotations

import signal
import threading
from types import FrameType

import click

from commonplace.application import Application, LazyApplication
from commonplace.cli.output import Command
from commonplace.logs import start_logging
from commonplace.settings import Settings, load_settings

_watch_option = click.option(
    "--watch/--no-watch",
    default=None,
    help="Whether to follow ingested folders and keep the index fresh; else COMMONPLACE_WATCH.",
)


def _settings(watch: bool | None) -> Settings:
    return load_settings() if watch is None else load_settings(watch=watch)


@click.command("serve", cls=Command)
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True)
@_watch_option
def serve_command(host: str, port: int, watch: bool | None) -> None:
    """Serve over HTTP until stopped, with a worker in the same process."""
    from commonplace.server.http import serve

    settings = _settings(watch)
    start_logging(settings.log_level)
    serve(_lazily(settings), settings, host, port)


@click.command("mcp", cls=Command)
@_watch_option
def mcp_command(watch: bool | None) -> None:
    """Speak MCP over standard input and output: what agents start."""
    from commonplace.server.stdio import serve_stdio

    settings = _settings(watch)
    start_logging(settings.log_level)
    serve_stdio(_lazily(settings), settings)


def _lazily(settings: Settings) -> LazyApplication:
    """Wiring imports everything, so it is imported behind the greeting."""

    def make() -> Application:
        from commonplace.bootstrap import build

        return build(settings)

    return LazyApplication(make)


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
    application = _lazily(settings)
    try:
        application.get().new_worker().run(stop)
    finally:
        application.close()
