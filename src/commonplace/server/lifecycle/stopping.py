"""How the server stops: it announces that it will, finishes the calls in progress, and ends.

The resources are released by the server's lifespan, not here.
"""

from __future__ import annotations

import socket
import time
from types import FrameType

import anyio
import uvicorn
from sse_starlette.sse import AppStatus
from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from typing_extensions import override

from commonplace.server.lifecycle.connections import LISTEN_BACKLOG


class Stopping:
    """Whether the server is about to stop."""

    def __init__(self) -> None:
        self._begun = anyio.Event()

    @property
    def begun(self) -> bool:
        return self._begun.is_set()

    def begin(self) -> None:
        self._begun.set()

    async def wait(self) -> None:
        await self._begun.wait()


class CloseConnections:
    """Middleware: while the server stops, answers ask clients to reconnect, to another server."""

    def __init__(self, app: ASGIApp, stopping: Stopping) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def closing(message: Message) -> None:
            if message["type"] == "http.response.start" and self._stopping.begun:
                MutableHeaders(scope=message)["connection"] = "close"
            await send(message)

        await self._app(scope, receive, closing if scope["type"] == "http" else send)


class StoppableStreams:
    """Middleware: ends the event streams of GET when the server stops; they have no end."""

    def __init__(self, app: ASGIApp, stopping: Stopping) -> None:
        self._app = app
        self._stopping = stopping

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        async with anyio.create_task_group() as group:
            group.start_soon(self._cancel_at_stop, group.cancel_scope)
            await self._app(scope, receive, send)
            group.cancel_scope.cancel()

    async def _cancel_at_stop(self, scope: anyio.CancelScope) -> None:
        await self._stopping.wait()
        scope.cancel()


class StoppableServer(uvicorn.Server):
    """Serves on for a while after the first signal, so that balancers notice; stops at a second."""

    def __init__(self, config: uvicorn.Config, stopping: Stopping, notice_seconds: float) -> None:
        super().__init__(config)
        # Answers are streams too, and sse-starlette would cut them off at the first signal.
        AppStatus.enable_automatic_graceful_drain = False
        self._stopping = stopping
        self._notice_seconds = notice_seconds
        self._exit_at: float | None = None

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        for listening in sockets or []:
            listening.listen(LISTEN_BACKLOG)

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self._exit_at is None:
            self._exit_at = time.monotonic() + self._notice_seconds
        else:
            super().handle_exit(sig, frame)

    @override
    async def on_tick(self, counter: int) -> bool:
        """Begin the stop in the event loop: a signal handler cannot wake tasks that wait."""
        if self._exit_at is not None:
            self._stopping.begin()
            self.should_exit = self.should_exit or time.monotonic() >= self._exit_at
        return await super().on_tick(counter)
