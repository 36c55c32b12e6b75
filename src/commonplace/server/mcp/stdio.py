"""MCP over stdio: one client, one process, the worker and the watch in threads beside it."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

from commonplace.application import LazyApplication
from commonplace.server.lifecycle.background_threads import BackgroundThreads
from commonplace.server.lifecycle.garbage import collect_seldom
from commonplace.server.mcp.endpoint import mcp_endpoint
from commonplace.settings import Settings

# Importing and opening compete with the greeting for the interpreter, so they wait this long.
_GREETING_SECONDS = 0.5


def serve_stdio(application: LazyApplication, settings: Settings) -> None:
    collect_seldom()
    endpoint = mcp_endpoint(application, settings, _uncounted)
    background = BackgroundThreads(application, settings, endpoint.prepare, _GREETING_SECONDS)
    background.start()
    try:
        anyio.run(_serve, endpoint.server())
    finally:
        background.stop()
        application.close()


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def _uncounted(_tool: str, _status: str, _seconds: float) -> None:
    """Nobody asks a process on stdio for its metrics; the log has every call."""
