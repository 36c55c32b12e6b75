"""Server-sent events: a part of a page whenever it has changed, as long as somebody looks."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
from starlette.responses import Response, StreamingResponse

_EVERY_SECONDS = 1.0
# After so long a browser connects anew, and whoever may look no more is refused.
_AT_MOST_SECONDS = 600.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def live(shown: Callable[[], Awaitable[str]], stopping: Callable[[], bool]) -> Response:
    return StreamingResponse(
        _events(shown, stopping), media_type="text/event-stream", headers=_HEADERS
    )


async def _events(
    shown: Callable[[], Awaitable[str]], stopping: Callable[[], bool]
) -> AsyncIterator[str]:
    last, ends = "", anyio.current_time() + _AT_MOST_SECONDS
    while not stopping() and anyio.current_time() < ends:
        now = await shown()
        if now != last:
            last = now
            yield "".join(f"data: {line}\n" for line in now.splitlines()) + "\n"
        else:
            yield ": still here\n\n"
        await anyio.sleep(_EVERY_SECONDS)
