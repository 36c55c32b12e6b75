"""How long a connection may take to send a request, and who gives way when there are too many.

Whoever sends half a request and waits holds a descriptor; without a limit, a few hundred of them
keep everybody else out, and need no token for it.
"""

from __future__ import annotations

import asyncio
import logging
import sys

import h11
from typing_extensions import override
from uvicorn.protocols.http.h11_impl import H11Protocol

from commonplace.logs import LogThrottle

_LOG = logging.getLogger("commonplace.server")
_A_SECOND = LogThrottle(1)
# A head comes at once; a body may be large and the line slow, but not slower than this.
HEAD_SECONDS = 20.0
BODY_SECONDS = 30.0
_SLOWEST_BYTES_A_SECOND = 10_000
# The event loop takes so many before it looks at any of them; more may wait in the kernel.
ACCEPTED_AT_ONCE = 8
WAITING_TO_BE_ACCEPTED = 1024
# Descriptors for files, databases, processes that read, and pipes to them.
_OTHER_DESCRIPTORS = 100
_MOST_DESCRIPTORS = 65_536
_FEWEST_CONNECTIONS = 16
_LATE = b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"


class GuardedConnection(H11Protocol):
    """Closed where a request does not come whole in time."""

    unfinished_since: float | None = None
    _received = 0
    _timer: asyncio.TimerHandle | None = None

    @override
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._expect()
        self._make_room()

    @override
    def data_received(self, data: bytes) -> None:
        if self.unfinished_since is None:
            self._expect()
        self._received += len(data)
        super().data_received(data)
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._content()

    @override
    def connection_lost(self, exc: Exception | None) -> None:
        self._content()
        super().connection_lost(exc)

    def _expect(self) -> None:
        """A request, from now on."""
        self.unfinished_since, self._received = self.loop.time(), 0
        self._look_again(HEAD_SECONDS)

    def _content(self) -> None:
        self.unfinished_since = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look_again(self, seconds: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self.loop.call_later(seconds, self._look)

    def _look(self) -> None:
        if self.unfinished_since is None or self.transport.is_closing():
            return
        if self.flow.read_paused:
            # It is we who are slow.
            self.unfinished_since = self.loop.time()
        taken = self.loop.time() - self.unfinished_since
        left = self._allowed() - taken
        if left > 0:
            self._look_again(left)
            return
        if self.conn.their_state is h11.IDLE:
            self.transport.write(_LATE)
        self.transport.close()

    def _allowed(self) -> float:
        if self.conn.their_state is h11.IDLE:
            return HEAD_SECONDS
        return BODY_SECONDS + self._received / _SLOWEST_BYTES_A_SECOND

    def _make_room(self) -> None:
        """Close the connection that is unfinished for the longest, where there are too many."""
        if len(self.connections) <= most_connections():
            return
        unfinished = [
            (other.unfinished_since, id(other), other)
            for other in self.connections
            if isinstance(other, GuardedConnection)
            and other.unfinished_since is not None
            and not other.transport.is_closing()
        ]
        _, _, longest = min(unfinished)
        longest.transport.abort()
        left_out = _A_SECOND.admit()
        if left_out is not None:
            told = {"open": len(self.connections), "left_out": left_out}
            _LOG.warning("too many connections: unfinished ones give way", extra=told)


def most_connections() -> int:
    """How many connections leave descriptors for everything else."""
    if sys.platform == "win32":
        return _MOST_DESCRIPTORS
    import resource

    allowed, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if allowed == resource.RLIM_INFINITY:
        return _MOST_DESCRIPTORS
    return max(_FEWEST_CONNECTIONS, allowed - _OTHER_DESCRIPTORS)


def allow_many_descriptors() -> None:
    """Raise the limit of descriptors to what the system allows; a shell's default is small."""
    if sys.platform == "win32":
        return
    import resource

    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_DESCRIPTORS if most == resource.RLIM_INFINITY else min(most, _MOST_DESCRIPTORS)
    if allowed != resource.RLIM_INFINITY and allowed < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
