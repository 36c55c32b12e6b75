"""Server-sent events: a part of a page whenever it has changed, as long as somebody looks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
from starlette.responses import Response, StreamingResponse

from commonplace.console.visits import Visit
from commonplace.errors import CommonplaceError, RateLimited

_EVERY_SECONDS = 1.0
_AT_MOST_SECONDS = 600.0
# As many as a browser keeps open; each is asked for once and answered every second.
_MOST_AT_ONCE = 6
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def live(visit: Visit, shown: Callable[[], Awaitable[str]]) -> Response:
    """What is shown, whenever it differs; it ends where `shown` refuses to go on."""
    if visit.context.watching[visit.actor] >= _MOST_AT_ONCE:
        raise RateLimited("That is looked at often enough already.", retry_after=60)
    return StreamingResponse(
        _events(visit, shown), media_type="text/event-stream", headers=_HEADERS
    )


async def _events(visit: Visit, shown: Callable[[], Awaitable[str]]) -> AsyncIterator[str]:
    watching, stopping = visit.context.watching, visit.context.stopping
    last, ends = "", anyio.current_time() + _AT_MOST_SECONDS
    if watching[visit.actor] >= _MOST_AT_ONCE:
        return  # others that were asked for at the same moment began first
    watching[visit.actor] += 1
    try:
        while not stopping() and anyio.current_time() < ends:
            now = await shown()
            if now != last:
                last = now
                yield "".join(f"data: {line}\n" for line in now.splitlines()) + "\n"
            else:
                yield ": still here\n\n"
            await anyio.sleep(_EVERY_SECONDS)
    except CommonplaceError:
        return  # the browser connects anew, and is told why not
    finally:
        watching[visit.actor] -= 1
        if not watching[visit.actor]:
            del watching[visit.actor]
