"""Time limits for receiving a request, and which connection is dropped when there are too many.

A connection occupies a file descriptor while the server waits for its client. Without limits, a few
hundred of them would block the server, and they need no token.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Mapping
from typing import Any

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from commonplace.logs import LogThrottle

_LOG = logging.getLogger("commonplace.server")
_A_SECOND = LogThrottle(1)
# Headers must arrive soon; a large body may take longer, at no less than a minimum rate.
HEAD_SECONDS = 20.0
BODY_SECONDS = 30.0
# Clients and proxies keep idle connections for 5 (httpx) to 120 seconds (Caddy). If the server
# closed one first, a request that is on its way would be lost, and must not be sent again.
IDLE_SECONDS = 150
_MIN_BYTES_A_SECOND = 10_000
# asyncio accepts this many connections in a row before it serves any; the rest wait in the kernel.
ACCEPTED_AT_ONCE = 8
LISTEN_BACKLOG = 1024
# Reserved for files, databases, child processes and pipes to them.
_OTHER_DESCRIPTORS = 100
_MAX_DESCRIPTORS = 65_536
_MIN_CONNECTIONS = 16
_KEPT = "commonplace.connection"
# What h11 says of a client whose request has not begun or not ended.
_INCOMPLETE = (h11.IDLE, h11.SEND_BODY)
_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class GuardedConnection(H11Protocol):
    """A connection that is closed if a request does not arrive completely in time."""

    # Since when the server waits for the client to send or complete a request.
    waiting_since: float | None = None
    _received = 0
    _timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        # Each request gets a copy of this, and all copies have the same dictionary.
        self.app_state = {**self.app_state, _KEPT: {}}
        self._start_timer()
        self._drop_one_if_too_many()

    @override
    def data_received(self, data: bytes) -> None:
        if self._timer is None:
            self._start_timer()
        self._received += len(data)
        super().data_received(data)
        if self.conn.their_state not in _INCOMPLETE:
            self._stop_timer()

    @override
    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._timer is not None or self.conn.their_state not in _INCOMPLETE:
            return
        begun = self.conn.their_state is h11.SEND_BODY or self.conn.trailing_data[0]
        if begun:  # sent together with the request that was just answered
            self._start_timer()
        else:
            self.waiting_since = self.loop.time()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        super().connection_lost(exc)

    def _start_timer(self) -> None:
        self.waiting_since, self._received = self.loop.time(), 0
        self._check_after(HEAD_SECONDS)

    def _stop_timer(self) -> None:
        self.waiting_since = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _check_after(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self._check)

    def _check(self) -> None:
        if self.waiting_since is None or self.transport.is_closing():
            return
        if self.flow.read_paused:
            # The server is slow, not the client.
            self.waiting_since = self.loop.time()
        elapsed = self.loop.time() - self.waiting_since
        left = self._allowed() - elapsed
        if left > 0:
            self._check_after(left)
            return
        if self.conn.their_state is h11.IDLE:
            self.transport.write(_LATE)
        self.transport.close()

    def _allowed(self) -> float:
        if self.conn.their_state is h11.IDLE:
            return HEAD_SECONDS
        return BODY_SECONDS + self._received / _MIN_BYTES_A_SECOND

    def _drop_one_if_too_many(self) -> None:
        """Drop the connection whose client was awaited longest if there are too many."""
        if len(self.connections) <= most_connections():
            return
        waiting = [
            (other.waiting_since, id(other), other)
            for other in self.connections
            if isinstance(other, GuardedConnection)
            and other.waiting_since is not None
            and not other.transport.is_closing()
        ]
        _, _, longest = min(waiting)
        longest.transport.abort()
        left_out = _A_SECOND.admit()
        if left_out is not None:
            details = {"open": len(self.connections), "left_out": left_out}
            _LOG.warning("too many connections: dropping those that wait longest", extra=details)


def kept_with_connection(scope: Mapping[str, Any]) -> dict[str, Any]:
    """What is known about a request's connection until it is closed; callers may add to it."""
    kept: dict[str, Any] = scope.get("state", {}).get(_KEPT, {})
    return kept


def most_connections() -> int:
    """The limit of connections that leaves enough descriptors for everything else."""
    if sys.platform == "win32":
        return _MAX_DESCRIPTORS
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return _MAX_DESCRIPTORS
    return max(_MIN_CONNECTIONS, allowed - _OTHER_DESCRIPTORS)


def allow_many_descriptors() -> None:
    """Raise the soft limit of descriptors to the hard limit; a shell's default is small."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, _MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
