"""MCP over stdio: one client per process, with the worker and the watcher in threads."""

from __future__ import annotations

from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage

from commonplace.application import LazyApplication
from commonplace.server.lifecycle.background_threads import BackgroundThreads
from commonplace.server.lifecycle.garbage import collect_seldom
from commonplace.server.mcp.endpoint import mcp_endpoint
from commonplace.server.mcp.unreadable import pass_on
from commonplace.settings import Settings

# Imports in the background compete with `initialize` for the interpreter, so they start later.
_PRELOAD_DELAY_SECONDS = 0.5


def serve_stdio(application: LazyApplication, settings: Settings) -> None:
    collect_seldom()
    endpoint = mcp_endpoint(application, settings, _no_metrics)
    background = BackgroundThreads(application, settings, endpoint.prepare, _PRELOAD_DELAY_SECONDS)
    background.start()
    try:
        anyio.run(_serve, endpoint.server())
    finally:
        background.stop()
        application.close()


async def _serve(server: Server[Any]) -> None:
    send, receive = anyio.create_memory_object_stream[SessionMessage | Exception]()
    async with stdio_server() as (incoming, outgoing), anyio.create_task_group() as relay:
        relay.start_soon(pass_on, incoming, send, outgoing.send)
        await server.run(receive, outgoing, server.create_initialization_options())


def _no_metrics(_tool: str, _status: str, _seconds: float) -> None:
    """A process on stdio has no metrics endpoint; the log has every call."""
