"""Live parts of pages: sends HTML as server-sent events whenever it has changed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
from starlette.responses import Response, StreamingResponse

from commonplace.console.visits import Visit
from commonplace.errors import CommonplaceError, RateLimited

_EVERY_SECONDS = 1.0
_MAX_SECONDS = 600.0
# Streams per person: as many connections as a browser opens; each renders once a second.
_MAX_STREAMS = 6
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def live(visit: Visit, render: Callable[[], Awaitable[str]]) -> Response:
    """A stream of what `render` returns, sent when it changes; it ends when `render` raises."""
    if visit.context.watching[visit.actor] >= _MAX_STREAMS:
        raise RateLimited("Too many live pages are open.", retry_after=60)
    return StreamingResponse(
        _events(visit, render), media_type="text/event-stream", headers=_HEADERS
    )


async def _events(visit: Visit, render: Callable[[], Awaitable[str]]) -> AsyncIterator[str]:
    watching, stopping = visit.context.watching, visit.context.stopping
    last, ends = "", anyio.current_time() + _MAX_SECONDS
    if watching[visit.actor] >= _MAX_STREAMS:
        return  # other streams started between the check in `live` and now
    watching[visit.actor] += 1
    try:
        while not stopping() and anyio.current_time() < ends:
            now = await render()
            if now != last:
                last = now
                yield "".join(f"data: {line}\n" for line in now.splitlines()) + "\n"
            else:
                yield ": still here\n\n"
            await anyio.sleep(_EVERY_SECONDS)
    except CommonplaceError:
        return  # the browser reconnects and then gets the error
    finally:
        watching[visit.actor] -= 1
        if not watching[visit.actor]:
            del watching[visit.actor]
