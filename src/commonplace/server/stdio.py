"""MCP over stdio: one client, one process, the worker in a thread beside it."""

from __future__ import annotations

import threading
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from commonplace.application import LazyApplication
from commonplace.server.mcp import mcp_server
from commonplace.settings import Settings

# Importing and opening compete with the greeting for the interpreter, so they wait this long.
_GREETING_SECONDS = 0.5


def serve_stdio(application: LazyApplication, settings: Settings) -> None:
    server = mcp_server(application, settings, _uncounted)
    stop = threading.Event()
    background = threading.Thread(
        target=_work_behind_the_greeting, args=(application, stop), name="worker", daemon=True
    )
    if settings.worker:
        background.start()
    try:
        anyio.run(_serve, server)
    finally:
        stop.set()
        if settings.worker:
            background.join(10.0)
        application.close()


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _work_behind_the_greeting(application: LazyApplication, stop: threading.Event) -> None:
    if not stop.wait(_GREETING_SECONDS):
        application.get().new_worker().run(stop)


def _uncounted(_tool: str, _status: str, _seconds: float) -> None:
    """Nobody asks a process on stdio for its metrics; the log has every call."""
